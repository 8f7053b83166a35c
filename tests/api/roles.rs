//! Roles: an engine function has no rights, and its process no credentials. A document that takes it over can read and invoke
//! nothing.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use aws_config::SdkConfig;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use aws_sdk_lambda::primitives::Blob;
use aws_sdk_s3::error::ProvideErrorMetadata;
use aws_sdk_sqs::config::{Credentials, SharedCredentialsProvider};
use domain::id::JobId;
use domain::timestamp::Timestamp;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tests::client::unique;
use tests::process::{Process, workers};
use tests::stack::stack;

use crate::aws;

/// The engine functions, each with another one.
const ENGINES: [(&str, &str); 5] = [
    ("engine-office", "engine-pdf"),
    ("engine-pdf", "engine-image"),
    ("engine-image", "engine-ocr"),
    ("engine-ocr", "engine-web"),
    ("engine-web", "engine-office"),
];

const COORDINATOR: &str = "process-pdf";

/// What only some other function, or none, may do.
const NOT_OF_COORDINATORS: [&str; 4] = [
    "Scan",
    "invoke engine-image",
    "invoke a coordinator",
    "GetSecretValue",
];

/// Names of the variables with which Lambda passes credentials to a function.
const CREDENTIALS: [&str; 3] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
];

/// An event of a queue without messages.
const NO_MESSAGES: &str = r#"{"Records": []}"#;

/// Whether each call is permitted; other failures are errors of the test.
type Permitted = BTreeMap<String, bool>;

#[tokio::test]
async fn engine_functions_may_do_nothing() {
    let object = format!("results/roles/{}", unique("object"));
    let operator = aws::config().await;
    // The sessions of functions exist once they were started.
    invoke(&operator, COORDINATOR, NO_MESSAGES).await.unwrap();
    // Shows that the calls are valid, and starts the engine functions.
    for (engine, other) in ENGINES {
        let permitted = calls(&operator, [engine, other], &object).await;
        assert!(
            permitted.values().all(|permitted| *permitted),
            "{permitted:?}"
        );
    }
    let coordinator = calls(
        &role_of(COORDINATOR).await,
        ["engine-pdf", "engine-image"],
        &object,
    )
    .await;
    for (call, permitted) in &coordinator {
        let expected = !NOT_OF_COORDINATORS.contains(&&**call);
        assert_eq!(*permitted, expected, "{COORDINATOR}: {call}");
    }
    for (engine, other) in ENGINES {
        let permitted = calls(&role_of(engine).await, [engine, other], &object).await;
        assert_eq!(permitted.len(), coordinator.len());
        assert!(
            !permitted.values().any(|permitted| *permitted),
            "{engine}: {permitted:?}"
        );
    }
    delete(&operator, &object).await;
}

#[tokio::test]
async fn processes_of_engine_functions_have_no_credentials() {
    let operator = aws::config().await;
    for (engine, _) in ENGINES {
        invoke(&operator, engine, "{}").await.unwrap();
        let mut checked = 0;
        for process in workers(engine) {
            checked += usize::from(is_without_credentials(process, engine).await);
        }
        assert!(checked > 0, "no process of {engine}");
    }
    invoke(&operator, COORDINATOR, NO_MESSAGES).await.unwrap();
    let mut coordinators = workers(COORDINATOR).into_iter();
    assert!(
        coordinators.any(has_credentials),
        "the test does not recognize credentials"
    );
}

/// Waits until neither the process nor any below it has credentials: Lambda starts it with some. `false` if it has exited.
async fn is_without_credentials(process: Process, engine: &str) -> bool {
    let name = &stack().resources.functions[engine];
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        let own = process.environment();
        // Otherwise an unreadable environment would pass.
        let is_readable = own
            .iter()
            .any(|(key, value)| key == "AWS_LAMBDA_FUNCTION_NAME" && value == name);
        if !process.is_alive() {
            return false;
        }
        if is_readable && !process.family().into_iter().any(has_credentials) {
            return true;
        }
        assert!(Instant::now() < deadline, "{engine}: {own:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn has_credentials(process: Process) -> bool {
    let variables = process.environment();
    variables
        .iter()
        .any(|(name, _)| CREDENTIALS.contains(&&**name))
}

/// Makes one call of each kind with these credentials.
async fn calls(config: &SdkConfig, [engine, other]: [&str; 2], object: &str) -> Permitted {
    let mut permitted = Permitted::new();
    let mut add = |call: &str, result: Result<(), Refusal>| {
        let refusal = result.err();
        if let Some(Refusal(code)) = &refusal {
            assert!(code.starts_with("AccessDenied"), "{call}: {code}");
        }
        permitted.insert(call.to_owned(), refusal.is_none());
    };
    tables(config, &mut add).await;
    queues(config, &mut add).await;
    objects(config, object, &mut add).await;
    add(
        "invoke its engine function",
        invoke(config, engine, "{}").await,
    );
    add(
        &format!("invoke {other}"),
        invoke(config, other, "{}").await,
    );
    add(
        "invoke a coordinator",
        invoke(config, "process-web", NO_MESSAGES).await,
    );
    add("PutEvents", put_events(config).await);
    add("GetSecretValue", read_secret(config).await);
    permitted
}

/// The error code of a call.
struct Refusal(String);

impl<E: ProvideErrorMetadata + std::fmt::Debug> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(
            error
                .code()
                .map_or_else(|| format!("{error:?}"), str::to_owned),
        )
    }
}

impl std::fmt::Debug for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

async fn tables(config: &SdkConfig, add: &mut impl FnMut(&str, Result<(), Refusal>)) {
    let tables = aws_sdk_dynamodb::Client::new(config);
    let names = &stack().resources.tables;
    let key = || AttributeValue::S("JOB#none".to_owned());
    let get = tables.get_item().table_name(&names["jobs"]);
    let get = get
        .key("pk", key())
        .key("sk", AttributeValue::S("JOB".to_owned()));
    add("GetItem", get.send().await.map(drop).map_err(Refusal::from));
    let query = tables.query().table_name(&names["documents"]);
    let query = query
        .key_condition_expression("pk = :pk")
        .expression_attribute_values(":pk", key());
    add("Query", query.send().await.map(drop).map_err(Refusal::from));
    let scan = tables.scan().table_name(&names["jobs"]).limit(1);
    add("Scan", scan.send().await.map(drop).map_err(Refusal::from));
}

/// The ticket is of no job. A received message stays visible.
async fn queues(config: &SdkConfig, add: &mut impl FnMut(&str, Result<(), Refusal>)) {
    let queues = aws_sdk_sqs::Client::new(config);
    let url = &stack().resources.queues[COORDINATOR];
    let ticket = json!({"version": 1, "jobId": JobId::mint(Timestamp(1), 11)}).to_string();
    let send = queues.send_message().queue_url(url).message_body(ticket);
    add(
        "SendMessage",
        send.send().await.map(drop).map_err(Refusal::from),
    );
    let receive = queues
        .receive_message()
        .queue_url(url)
        .visibility_timeout(0);
    add(
        "ReceiveMessage",
        receive.send().await.map(drop).map_err(Refusal::from),
    );
}

async fn objects(
    config: &SdkConfig,
    object: &str,
    add: &mut impl FnMut(&str, Result<(), Refusal>),
) {
    let objects = bucket(config);
    let bucket = &stack().resources.bucket;
    let put = objects.put_object().bucket(bucket).key(object);
    add(
        "PutObject",
        put.send().await.map(drop).map_err(Refusal::from),
    );
    let get = objects.get_object().bucket(bucket).key(object);
    add(
        "GetObject",
        get.send().await.map(drop).map_err(Refusal::from),
    );
    let list = objects
        .list_objects_v2()
        .bucket(bucket)
        .prefix("uploads/none/");
    add(
        "ListObjects",
        list.send().await.map(drop).map_err(Refusal::from),
    );
}

async fn invoke(config: &SdkConfig, function: &str, payload: &str) -> Result<(), Refusal> {
    let invocation = aws_sdk_lambda::Client::new(config).invoke();
    let name = &stack().resources.functions[function];
    let invocation = invocation.function_name(name).payload(Blob::new(payload));
    let response = invocation.send().await?;
    assert_eq!(response.function_error, None, "{function}");
    Ok(())
}

/// An event without a source, which no rule matches.
async fn put_events(config: &SdkConfig) -> Result<(), Refusal> {
    let event = PutEventsRequestEntry::builder()
        .event_bus_name(&stack().resources.bus)
        .detail_type("none")
        .detail("{}");
    let buses = aws_sdk_eventbridge::Client::new(config);
    buses.put_events().entries(event.build()).send().await?;
    Ok(())
}

async fn read_secret(config: &SdkConfig) -> Result<(), Refusal> {
    let secrets = aws_sdk_secretsmanager::Client::new(config);
    let read = secrets
        .get_secret_value()
        .secret_id(&stack().resources.pepper_secret);
    read.send().await?;
    Ok(())
}

async fn delete(config: &SdkConfig, object: &str) {
    let delete = bucket(config).delete_object();
    let delete = delete.bucket(&stack().resources.bucket).key(object);
    delete.send().await.unwrap();
}

fn bucket(config: &SdkConfig) -> aws_sdk_s3::Client {
    let config = aws_sdk_s3::config::Builder::from(config).force_path_style(true);
    aws_sdk_s3::Client::from_conf(config.build())
}

/// The configuration with the credentials of a function's role. The emulator derives them from function and role, and hands
/// them to the function's processes.
async fn role_of(function: &str) -> SdkConfig {
    let operator = aws::config().await;
    let functions = aws_sdk_lambda::Client::new(&operator);
    let name = &stack().resources.functions[function];
    let found = functions.get_function_configuration().function_name(name);
    let found = found.send().await.unwrap();
    let (arn, role) = (found.function_arn().unwrap(), found.role().unwrap());
    let digest = sha256(&format!("{arn}:{role}"));
    let credentials = Credentials::new(
        format!("ASIA{}", digest[..16].to_uppercase()),
        sha256(&format!("secret:{digest}")),
        Some(sha256(&format!("token:{digest}"))),
        None,
        "role of a function",
    );
    let provider = SharedCredentialsProvider::new(credentials);
    operator
        .into_builder()
        .credentials_provider(provider)
        .build()
}

/// Lower-case hexadecimal SHA-256.
fn sha256(text: &str) -> String {
    domain::key::hex(&Sha256::digest(text))
}
