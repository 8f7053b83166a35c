//! Invocations that are throttled or rejected, crash, time out or get no response.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws::{Connection, Credentials, Names, Services};
use domain::engine_function::EngineFunction;
use domain::id::AccountId;
use domain::ports::{EngineFunctions, InvokeError, PortError};
use testkit::{Environment, Fakes};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

const TIMEOUT: Duration = Duration::from_secs(5);

/// A server of the Invoke API that sends the same response to every request; `None` sends none.
struct Lambda {
    port: u16,
    /// Heads and bodies of the requests.
    requests: Arc<Mutex<Vec<(String, String)>>>,
}

impl Lambda {
    async fn start(response: Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests: Arc<Mutex<Vec<_>>> = Arc::default();
        let recorded = Arc::clone(&requests);
        tokio::spawn(async move {
            // Dropping a connection without a response would end the wait for it.
            let mut silent = Vec::new();
            loop {
                let mut stream = listener.accept().await.unwrap().0;
                let request = receive(&mut stream).await;
                recorded.lock().unwrap().push(request);
                match &response {
                    Some(response) => stream.write_all(response.as_bytes()).await.unwrap(),
                    None => silent.push(stream),
                }
            }
        });
        Self { port, requests }
    }

    fn requests(&self) -> Vec<(String, String)> {
        self.requests.lock().unwrap().clone()
    }

    async fn services(&self, isolates_tenants: bool) -> Services {
        let connection = Connection {
            endpoint_url: Some(format!("http://127.0.0.1:{}", self.port)),
            region: Some("us-east-1".to_owned()),
            credentials: Some(Credentials {
                access_key_id: "id".to_owned(),
                secret_access_key: "secret".into(),
            }),
        };
        let names = Names {
            bucket: Some("bucket".to_owned()),
            engine_functions: [(EngineFunction::EnginePdf, "stack-engine-pdf".to_owned())].into(),
            isolates_tenants,
            ..Names::default()
        };
        Services::from_names(&connection, names).await
    }

    async fn invoke(&self, timeout: Duration) -> Result<Vec<u8>, InvokeError> {
        let services = self.services(false).await;
        let payload = b"{\"work\":1}".to_vec();
        services
            .invoke(EngineFunction::EnginePdf, &account(), payload, timeout)
            .await
    }
}

async fn receive(stream: &mut TcpStream) -> (String, String) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).await.unwrap(), 0, "{head}");
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).unwrap();
    let length = length.lines().next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.unwrap();
    (head, String::from_utf8(body).unwrap())
}

fn response(status: &str, headers: &str, body: &str) -> Option<String> {
    let length = body.len();
    Some(format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    ))
}

fn account() -> AccountId {
    let env = Fakes::new();
    AccountId::mint(env.now(), 1)
}

#[tokio::test]
async fn a_response_is_passed_on() {
    let lambda = Lambda::start(response("200 OK", "", "{\"type\":\"completed\"}")).await;
    let payload = lambda.invoke(TIMEOUT).await.unwrap();
    assert_eq!(payload, b"{\"type\":\"completed\"}");
    let (head, body) = lambda.requests().remove(0);
    assert!(head.starts_with("post /2015-03-31/functions/stack-engine-pdf/invocations "));
    assert!(!head.contains("x-amz-tenant-id"), "{head}");
    assert_eq!(body, "{\"work\":1}");
}

#[tokio::test]
async fn the_tenant_is_a_pseudonym_of_the_account() {
    let lambda = Lambda::start(response("200 OK", "", "{}")).await;
    let services = lambda.services(true).await;
    let other = AccountId::mint(Fakes::new().now(), 2);
    for account in [&account(), &account(), &other] {
        let pdf = EngineFunction::EnginePdf;
        let invoked = services.invoke(pdf, account, Vec::new(), TIMEOUT);
        invoked.await.unwrap();
    }
    let tenants: Vec<String> = lambda
        .requests()
        .iter()
        .map(|(head, _)| {
            let value = head.split("x-amz-tenant-id: ").nth(1).unwrap();
            value.lines().next().unwrap().to_owned()
        })
        .collect();
    assert_eq!(tenants[0], tenants[1]);
    assert_ne!(tenants[0], tenants[2]);
    assert_eq!(tenants[0].len(), 64);
}

#[tokio::test]
async fn a_throttled_invocation_is_not_repeated() {
    let reason = "x-amzn-errortype: TooManyRequestsException\r\n";
    let lambda = Lambda::start(response("429 Too Many Requests", reason, "{}")).await;
    let invoked = lambda.invoke(TIMEOUT).await;
    assert!(matches!(invoked, Err(InvokeError::Throttled)));
    assert_eq!(lambda.requests().len(), 1);
}

#[tokio::test]
async fn a_crash_is_reported_without_its_message() {
    let error = "{\"errorType\": \"Runtime.ExitError\", \"errorMessage\": \"secret\"}";
    let lambda = Lambda::start(response(
        "200 OK",
        "x-amz-function-error: Unhandled\r\n",
        error,
    ));
    let lambda = lambda.await;
    let invoked = lambda.invoke(TIMEOUT).await;
    assert!(matches!(invoked, Err(InvokeError::Crashed(kind)) if kind == "Runtime.ExitError"));
}

#[tokio::test]
async fn a_missing_response_times_out_and_is_not_asked_for_again() {
    let lambda = Lambda::start(None).await;
    let invoked = lambda.invoke(Duration::from_millis(300)).await;
    assert!(matches!(invoked, Err(InvokeError::TimedOut)));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(lambda.requests().len(), 1);
}

#[tokio::test]
async fn after_an_error_response_the_function_was_not_invoked() {
    for (status, error) in [
        ("403 Forbidden", "AccessDeniedException"),
        ("404 Not Found", "ResourceNotFoundException"),
        ("409 Conflict", "ResourceConflictException"),
        ("500 Internal Server Error", "ServiceException"),
    ] {
        let header = format!("x-amzn-errortype: {error}\r\n");
        let lambda = Lambda::start(response(status, &header, "{}")).await;
        let invoked = lambda.invoke(TIMEOUT).await;
        let Err(InvokeError::NotInvoked(reason)) = invoked else {
            panic!("{invoked:?}");
        };
        assert!(reason.to_string().contains(error), "{reason}");
        assert_eq!(lambda.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_lost_connection_is_not_repeated() {
    let lambda = Lambda::start(Some(String::new())).await;
    let invoked = lambda.invoke(TIMEOUT).await;
    let Err(InvokeError::Unavailable(PortError::Unavailable { .. })) = invoked else {
        panic!("{invoked:?}");
    };
    assert_eq!(lambda.requests().len(), 1);
}

#[tokio::test]
async fn a_function_without_a_name_is_not_invoked() {
    let lambda = Lambda::start(None).await;
    let services = lambda.services(false).await;
    let office = EngineFunction::EngineOffice;
    let invoked = services
        .invoke(office, &account(), Vec::new(), TIMEOUT)
        .await;
    assert!(matches!(invoked, Err(InvokeError::Unavailable(_))));
    assert!(lambda.requests().is_empty());
}
