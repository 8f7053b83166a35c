//! A sample event of an engine function with presigned requests: its document in the bucket, and the form for its result.

use std::io::Write as _;

use ::aws::{Connection, Credentials, Names, Services};
use domain::ports::Objects as _;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tests::client::unique;
use tests::documents::{noisy_bitmap, pdf};
use tests::stack::stack;

/// Maximum size of a result.
const MAX_BYTES: u64 = 10_000_000;

/// Where an engine function stores the result of a sample event.
pub(crate) struct EngineSample {
    services: Services,
    result: String,
}

impl EngineSample {
    /// Stores the document of a sample, and sets the presigned requests in `event`.
    pub(crate) async fn prepare(function: &str, event: &mut Value) -> Self {
        let services = services().await;
        let name = unique("sample");
        let (source, result) = (format!("uploads/{name}"), format!("results/{name}"));
        let document = document(function);
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(&document).unwrap();
        let content_type = "application/octet-stream";
        let etag = services.store(file.path(), &source, content_type).await;
        let get = services.input_request(&source, &etag.unwrap()).await;
        let form = services.output_form(&result, MAX_BYTES).await;
        let work = &mut event["work"];
        work["source"] = json!({"type": "file", "get": get.unwrap(), "sizeBytes": document.len()});
        work["output"] = json!(form.unwrap());
        Self { services, result }
    }

    /// Whether the response describes the stored result.
    pub(crate) async fn is_stored(&self, response: &Value) -> bool {
        let result = &response["value"];
        let Some(stored) = self.services.stored(&self.result).await.unwrap() else {
            return false;
        };
        result["sizeBytes"] == stored.size_bytes
            && result["contentType"] == stored.content_type
            && result["crc64nvme"] == json!(stored.crc64nvme)
    }
}

/// The cheapest document for an engine function, of the format in its samples.
fn document(function: &str) -> Vec<u8> {
    match function {
        "engine-office" => b"sample".to_vec(),
        "engine-image" => noisy_bitmap(8, 8),
        "engine-web" => b"<p>sample</p>".to_vec(),
        _ => pdf(1, 595, 842),
    }
}

/// The service's own clients with the operator's credentials.
async fn services() -> Services {
    let aws = &stack().aws;
    let connection = Connection {
        endpoint_url: Some(aws.endpoint_url.clone()),
        region: Some(aws.region.clone()),
        credentials: Some(Credentials {
            access_key_id: aws.access_key_id.clone(),
            secret_access_key: aws.secret_access_key.clone().into(),
        }),
    };
    let names = Names {
        bucket: Some(stack().resources.bucket.clone()),
        ..Names::default()
    };
    Services::from_names(&connection, names).await
}
