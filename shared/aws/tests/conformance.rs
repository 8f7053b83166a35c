//! Conformance tests of the AWS adapters against the running stack of the stack file `OCTAVO_STACK`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use aws::{Connection, Credentials, Names, Services};
use domain::ports::{PresignedGet, UploadForm};
use domain::processor::Processor;
use domain::timestamp::Timestamp;
use serde_json::Value;
use testkit::{Download, Environment, conformance};

/// The system clock, real randomness and an HTTP client.
struct RealEnvironment(reqwest::Client);

#[async_trait]
impl Environment for RealEnvironment {
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn random(&self) -> u128 {
        rand::random()
    }

    async fn put(&self, url: &str, headers: &[(String, String)], body: Vec<u8>) -> u16 {
        let headers = headers
            .iter()
            .fold(self.0.put(url), |request, (name, value)| {
                request.header(name, value)
            });
        headers.body(body).send().await.unwrap().status().as_u16()
    }

    async fn get(&self, url: &str) -> Download {
        let url = url.to_owned();
        let headers = Vec::new();
        self.get_input(&PresignedGet { url, headers }).await
    }

    async fn get_input(&self, request: &PresignedGet) -> Download {
        let headers = request.headers.iter();
        let answer = headers
            .fold(self.0.get(&request.url), |sent, (name, value)| {
                sent.header(name, value)
            })
            .send()
            .await
            .unwrap();
        let header = |name: &str| {
            let value = answer.headers().get(name);
            value.map_or(String::new(), |value| value.to_str().unwrap().to_owned())
        };
        Download {
            status: answer.status().as_u16(),
            content_type: header("content-type"),
            disposition: header("content-disposition"),
            body: answer.bytes().await.unwrap().to_vec(),
        }
    }

    async fn post(&self, form: &UploadForm, content_type: &str, file: Vec<u8>) -> u16 {
        let boundary = format!("{:032x}", self.random());
        let part = |head: &str, value: &[u8]| {
            let head = format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
            [head.as_bytes(), value, b"\r\n"].concat()
        };
        let content_type = ("Content-Type".to_owned(), content_type.to_owned());
        let fields = form.fields.iter().chain([&content_type]);
        let fields =
            fields.map(|(name, value)| part(&format!("name=\"{name}\""), value.as_bytes()));
        let file = part("name=\"file\"; filename=\"result\"", &file);
        let end = format!("--{boundary}--\r\n").into_bytes();
        let body: Vec<u8> = fields.chain([file, end]).flatten().collect();
        let kind = format!("multipart/form-data; boundary={boundary}");
        let request = self.0.post(&form.url).header("content-type", kind);
        request.body(body).send().await.unwrap().status().as_u16()
    }
}

fn stack_file() -> Value {
    let path = std::env::var("OCTAVO_STACK")
        .expect("set OCTAVO_STACK to the stack file of a running stack (make serve writes it)");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap()
}

async fn stack() -> (Services, RealEnvironment) {
    let file = stack_file();
    let text = |path: &str| {
        file.pointer(path)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let connection = Connection {
        endpoint_url: text("/aws/endpointUrl"),
        region: text("/aws/region"),
        credentials: text("/aws/accessKeyId").map(|access_key_id| Credentials {
            access_key_id,
            secret_access_key: text("/aws/secretAccessKey").unwrap().into(),
        }),
    };
    let queue = |processor: Processor| text(&format!("/resources/queues/{}", processor.name()));
    let queues: BTreeMap<_, _> = Processor::ALL
        .iter()
        .map(|processor| (*processor, queue(*processor).expect("a queue")))
        .collect();
    let names = Names {
        accounts_table: text("/resources/tables/accounts"),
        jobs_table: text("/resources/tables/jobs"),
        documents_table: text("/resources/tables/documents"),
        bucket: text("/resources/bucket"),
        bus: text("/resources/bus"),
        subscriptions_table: text("/resources/tables/subscriptions"),
        subscriptions_key: text("/resources/subscriptionsKey"),
        fanout_queue: text("/resources/queues/fanout"),
        fanout_dead_letter_queue: text("/resources/deadLetterQueues/fanout"),
        deliver_queue: text("/resources/queues/deliver"),
        slow_deliver_queue: text("/resources/queues/slow-deliver"),
        queues,
        ..Names::default()
    };
    // Another test of this process may have set it already.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    (
        Services::from_names(&connection, names).await,
        RealEnvironment(client),
    )
}

macro_rules! conforms {
    ($($name:ident)*) => {$(
        #[tokio::test]
        async fn $name() {
            let (services, env) = stack().await;
            conformance::$name(&services, &env).await;
        }
    )*};
}

conforms! { accounts authentication identities acceptance library listing transitions outbox uploads documents erasure messaging anonymous step_artifacts engine_requests switches subscriptions deliveries }

#[tokio::test]
async fn every_header_of_an_upload_is_signed_and_no_checksum_is_required() {
    use domain::id::{AccountId, SourceKey};
    use domain::ports::Uploads;
    let (services, env) = stack().await;
    let account = AccountId::mint(env.now(), env.random());
    let source = SourceKey::mint(env.now(), env.random());
    for size in [0, 25_000_000] {
        let grant = services
            .upload_url(
                &account,
                &source,
                "text/csv; charset=utf-8",
                size,
                env.now(),
            )
            .await
            .unwrap();
        let url = grant.url.to_lowercase();
        assert!(
            url.contains(
                "x-amz-signedheaders=content-length%3bcontent-type%3bhost%3bif-none-match"
            ),
            "{size} bytes"
        );
        assert!(url.contains("x-amz-expires=900"), "{size} bytes");
        assert!(!url.contains("checksum"), "{size} bytes");
    }
}

#[tokio::test]
async fn forms_and_inputs_are_valid_for_fifteen_minutes() {
    use domain::id::AccountId;
    use domain::ports::Objects;
    let (services, env) = stack().await;
    let account = AccountId::mint(env.now(), env.random());
    let object = format!("results/{account}/result");
    for (age, status) in [(890, 204), (901, 403)] {
        let signed_at = SystemTime::now() - Duration::from_secs(age);
        let form = services.output_form_at(&object, 10, signed_at).await;
        let form = form.unwrap();
        let received = env.post(&form, "text/plain", b"bytes".to_vec()).await;
        assert_eq!(received, status, "{age} s");
    }
    let request = services.input_request(&object, "etag").await.unwrap();
    let url = request.url.to_lowercase();
    assert!(url.contains("x-amz-expires=900"));
    assert!(url.contains("x-amz-signedheaders=host%3bif-match&"));
    let headers = [("if-match".to_owned(), "etag".to_owned())];
    assert_eq!(request.headers, headers);
}

#[tokio::test]
async fn a_form_whose_signature_or_policy_was_changed_is_refused() {
    use domain::id::AccountId;
    use domain::ports::Objects;
    let (services, env) = stack().await;
    let account = AccountId::mint(env.now(), env.random());
    let object = format!("results/{account}/result");
    let form = services.output_form(&object, 10).await.unwrap();
    let larger = services.output_form(&object, 1_000).await.unwrap();
    for changed in ["policy", "x-amz-signature", "x-amz-date"] {
        let fields = form.fields.iter().zip(&larger.fields);
        let fields = fields.map(|(one, other)| {
            let (name, value) = if one.0 == changed { other } else { one };
            let value = match name.as_str() {
                "x-amz-date" if changed == name => "20200101T000000Z",
                _ => value,
            };
            (name.clone(), value.to_owned())
        });
        let changed_form = UploadForm {
            fields: fields.collect(),
            ..form.clone()
        };
        let status = env
            .post(&changed_form, "text/plain", b"bytes".to_vec())
            .await;
        assert!((400..500).contains(&status), "{changed}: {status}");
    }
    assert_eq!(services.stored(&object).await.unwrap(), None);
}

#[tokio::test]
async fn dead_lettered_jobs_are_found_by_their_processor_until_they_are_redriven() {
    use domain::plan::Plan;
    use domain::ports::{AcceptOutcome, Accounts, Jobs};
    use testkit::sample;
    let (services, env) = stack().await;
    let account = sample::account(&env, Plan::Pro);
    services.create_account(&account).await.unwrap();
    let acceptance = sample::acceptance(&env, &account, &sample::fingerprint(&env));
    assert_eq!(
        services.accept(&acceptance).await.unwrap(),
        AcceptOutcome::New
    );
    let dead_lettered = async |processor| {
        let found = services
            .dead_lettered_jobs(processor, env.now(), None, 1_000)
            .await;
        found.unwrap().0
    };
    let id = &acceptance.job.id;
    assert!(!dead_lettered(Processor::ProcessOffice).await.contains(id));
    let dead_letter = acceptance.job.dead_letter(env.now()).unwrap();
    assert!(services.apply(&dead_letter).await.unwrap());
    assert!(dead_lettered(Processor::ProcessOffice).await.contains(id));
    assert!(!dead_lettered(Processor::ProcessPdf).await.contains(id));
    let redrive = dead_letter.job.redrive(env.now()).unwrap();
    assert!(services.apply(&redrive).await.unwrap());
    assert!(!dead_lettered(Processor::ProcessOffice).await.contains(id));
}

/// A DynamoDB client, for rows that no port writes.
async fn tables(file: &Value) -> aws_sdk_dynamodb::Client {
    use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
    let text = |path: &str| file.pointer(path).and_then(Value::as_str).unwrap_or("test");
    let (id, secret) = (text("/aws/accessKeyId"), text("/aws/secretAccessKey"));
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .endpoint_url(text("/aws/endpointUrl"))
        .region(Region::new(text("/aws/region").to_owned()))
        .credentials_provider(Credentials::new(id, secret, None, None, "stack file"))
        .build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

#[tokio::test]
async fn an_unreadable_subscription_hides_no_other() {
    use aws_sdk_dynamodb::types::AttributeValue;
    use domain::plan::Plan;
    use domain::ports::Subscriptions;
    use domain::subscription::SubscriptionKind;
    use testkit::sample;
    let (services, env) = stack().await;
    let account = sample::account(&env, Plan::Pro);
    let mut all = [0; 3].map(|_| sample::subscription::webhook(&env, &account));
    all.sort_by(|one, other| one.id.cmp(&other.id));
    for one in &all {
        services.subscribe(one, 10, None).await.unwrap();
    }
    let file = stack_file();
    let table = file.pointer("/resources/tables/subscriptions").unwrap();
    let (partition, sort) = (
        format!("ACCOUNT#{}", account.id),
        format!("WEBHOOK#{}", all[1].id),
    );
    let update = tables(&file).await.update_item();
    update
        .table_name(table.as_str().unwrap())
        .key("pk", AttributeValue::S(partition.clone()))
        .key("sk", AttributeValue::S(sort.clone()))
        .update_expression("SET #status = :unknown")
        .expression_attribute_names("#status", "status")
        .expression_attribute_values(":unknown", AttributeValue::S("paused".to_owned()))
        .send()
        .await
        .unwrap();
    let kind = SubscriptionKind::Webhook;
    let first = services.subscriptions(&account.id, kind, None, 2).await;
    let first = first.unwrap();
    assert_eq!(first.subscriptions, all[..1]);
    assert_eq!(first.unreadable, [format!("{partition} {sort}")]);
    let after = first.next.as_ref();
    let rest = services.subscriptions(&account.id, kind, after, 2).await;
    let rest = rest.unwrap();
    assert_eq!(
        (rest.subscriptions.as_slice(), rest.next),
        (&all[2..], None)
    );
}
