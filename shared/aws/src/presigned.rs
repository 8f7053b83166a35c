//! Presigned requests of engine functions: GETs of inputs, and forms (SigV4 POST policies) that upload results.

use std::time::{Duration, SystemTime};

use aws_sdk_s3::config::{Credentials, ProvideCredentials as _};
use aws_sdk_s3::operation::get_object::builders::GetObjectFluentBuilder;
use aws_sdk_s3::presigning::{PresignedRequest, PresigningConfig};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::key::hex;
use domain::ports::{PortError, UploadForm};
use domain::timestamp::Timestamp;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "s3";
/// How long a presigned request is valid.
pub(crate) const VALIDITY: Duration = Duration::from_secs(15 * 60);
const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// Number of characters of `20261121T083000`.
const SECONDS: usize = 15;
/// Number of characters of `20261121`.
const DAY: usize = 8;

impl Services {
    /// Signs a form that uploads `object`, at most `max_bytes`, within 15 minutes of `now`.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if the process has no credentials or no region.
    pub async fn output_form_at(
        &self,
        object: &str,
        max_bytes: u64,
        now: SystemTime,
    ) -> Result<UploadForm, PortError> {
        let missing = |what: &str| unavailable(SERVICE, format!("no {what} to sign with"));
        let provider = self.config.credentials_provider();
        let credentials = provider
            .ok_or_else(|| missing("credentials"))?
            .provide_credentials()
            .await
            .map_err(|error| unavailable(SERVICE, error.to_string()))?;
        let region = self.config.region().ok_or_else(|| missing("region"))?;
        let (bucket, region) = (self.bucket()?, region.as_ref());
        let url = match self.config.endpoint_url() {
            Some(endpoint) => format!("{}/{bucket}", endpoint.trim_end_matches('/')),
            None => format!("https://{bucket}.s3.{region}.{}/", domain_suffix(region)),
        };
        let signer = Signer::new(&credentials, region, now.into())?;
        Ok(UploadForm {
            url,
            fields: signer.fields(bucket, object, max_bytes)?,
            max_bytes,
        })
    }
}

/// Presigns a GET.
pub(crate) async fn sign_get(get: GetObjectFluentBuilder) -> Result<PresignedRequest, PortError> {
    let validity = PresigningConfig::expires_in(VALIDITY)
        .map_err(|error| unavailable(SERVICE, error.to_string()))?;
    let signed = get.presigned(validity).await;
    signed.map_err(|error| failed(SERVICE, &error))
}

/// The DNS suffix of the region's partition. The partition of China has its own.
fn domain_suffix(region: &str) -> &'static str {
    match region.starts_with("cn-") {
        true => "amazonaws.com.cn",
        false => "amazonaws.com",
    }
}

/// Signs POST policies.
struct Signer<'a> {
    credentials: &'a Credentials,
    /// `20261121/us-east-1/s3/aws4_request`, after the access key ID.
    scope: String,
    /// `20261121T083000Z`.
    date: String,
    expiration: Timestamp,
    key: Vec<u8>,
}

impl<'a> Signer<'a> {
    fn new(credentials: &'a Credentials, region: &str, now: Timestamp) -> Result<Self, PortError> {
        let date = now.to_string().replace(['-', ':'], "");
        let date: String = date.chars().take(SECONDS).chain(['Z']).collect();
        let day: String = date.chars().take(DAY).collect();
        let mut key = format!("AWS4{}", credentials.secret_access_key()).into_bytes();
        for part in [&day, region, "s3", "aws4_request"] {
            key = sign(&key, part)?;
        }
        Ok(Self {
            credentials,
            scope: format!("{day}/{region}/s3/aws4_request"),
            date,
            expiration: now.plus(VALIDITY),
            key,
        })
    }

    /// The fields of the form: every one but the signature is a condition of the policy.
    fn fields(
        &self,
        bucket: &str,
        object: &str,
        max_bytes: u64,
    ) -> Result<Vec<(String, String)>, PortError> {
        let id = self.credentials.access_key_id();
        let mut fields = vec![
            ("key", object.to_owned()),
            ("x-amz-algorithm", ALGORITHM.to_owned()),
            ("x-amz-credential", format!("{id}/{}", self.scope)),
            ("x-amz-date", self.date.clone()),
        ];
        if let Some(token) = self.credentials.session_token() {
            fields.push(("x-amz-security-token", token.to_owned()));
        }
        let mut conditions = vec![
            json!({"bucket": bucket}),
            json!(["content-length-range", 0, max_bytes]),
            json!(["starts-with", "$Content-Type", ""]),
        ];
        conditions.extend(fields.iter().map(|(name, value)| json!({*name: value})));
        let policy = json!({"expiration": self.expiration.to_string(), "conditions": conditions});
        let policy = STANDARD.encode(policy.to_string());
        let signature = self.signature(&policy)?;
        fields.extend([("policy", policy), ("x-amz-signature", signature)]);
        let named = fields.into_iter();
        Ok(named
            .map(|(name, value)| (name.to_owned(), value))
            .collect())
    }

    /// The signature of a policy in Base64.
    fn signature(&self, policy: &str) -> Result<String, PortError> {
        Ok(hex(&sign(&self.key, policy)?))
    }
}

/// HMAC-SHA-256.
pub(crate) fn sign(key: &[u8], text: &str) -> Result<Vec<u8>, PortError> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key)
        .map_err(|error| unavailable("signature", error.to_string()))?;
    mac.update(text.as_bytes());
    Ok(mac.finalize().into_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connection, Names};
    use serde_json::Value;

    /// 2026-11-21T08:30:00Z.
    const NOW: Timestamp = Timestamp(1_795_249_800_000);

    fn credentials(token: Option<&str>) -> Credentials {
        let token = token.map(str::to_owned);
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
        Credentials::new("AKIAIOSFODNN7EXAMPLE", secret, token, None, "test")
    }

    fn policy(fields: &[(String, String)]) -> Value {
        let encoded = &fields.iter().find(|(name, _)| name == "policy").unwrap().1;
        serde_json::from_slice(&STANDARD.decode(encoded).unwrap()).unwrap()
    }

    #[test]
    fn a_policy_has_the_signature_of_the_documentation_of_s3() {
        // "Example: Browser-Based Upload using HTTP POST (Using AWS Signature Version 4)", where lines end in CR LF.
        let lines = [
            r#"{ "expiration": "2015-12-30T12:00:00.000Z","#,
            r#"  "conditions": ["#,
            r#"    {"bucket": "sigv4examplebucket"},"#,
            r#"    ["starts-with", "$key", "user/user1/"],"#,
            r#"    {"acl": "public-read"},"#,
            r#"    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},"#,
            r#"    ["starts-with", "$Content-Type", "image/"],"#,
            r#"    {"x-amz-meta-uuid": "14365123651274"},"#,
            r#"    {"x-amz-server-side-encryption": "AES256"},"#,
            r#"    ["starts-with", "$x-amz-meta-tag", ""],"#,
            "",
            r#"    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},"#,
            r#"    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},"#,
            r#"    {"x-amz-date": "20151229T000000Z" }"#,
            "  ]",
            "}",
        ];
        let credentials = credentials(None);
        let signer = Signer::new(&credentials, "us-east-1", Timestamp(1_451_347_200_000)).unwrap();
        assert_eq!(signer.date, "20151229T000000Z");
        assert_eq!(
            signer
                .signature(&STANDARD.encode(lines.join("\r\n")))
                .unwrap(),
            "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e"
        );
    }

    #[tokio::test]
    async fn a_form_is_posted_to_the_partition_of_the_region() {
        for (region, url) in [
            (
                "cn-north-1",
                "https://bucket.s3.cn-north-1.amazonaws.com.cn/",
            ),
            ("us-east-1", "https://bucket.s3.us-east-1.amazonaws.com/"),
        ] {
            let connection = Connection {
                endpoint_url: None,
                region: Some(region.to_owned()),
                credentials: Some(crate::Credentials {
                    access_key_id: "id".to_owned(),
                    secret_access_key: "secret".into(),
                }),
            };
            let names = Names {
                bucket: Some("bucket".to_owned()),
                ..Names::default()
            };
            let services = Services::from_names(&connection, names).await;
            let form = services.output_form_at("object", 7, SystemTime::now());
            assert_eq!(form.await.unwrap().url, url);
        }
    }

    #[test]
    fn every_field_is_a_condition() {
        let credentials = credentials(Some("token"));
        let signer = Signer::new(&credentials, "eu-central-1", NOW).unwrap();
        let fields = signer.fields("bucket", "results/a \"b\"", 7).unwrap();
        assert_eq!(
            policy(&fields),
            json!({"expiration": "2026-11-21T08:45:00.000Z", "conditions": [
                {"bucket": "bucket"},
                ["content-length-range", 0, 7],
                ["starts-with", "$Content-Type", ""],
                {"key": "results/a \"b\""},
                {"x-amz-algorithm": "AWS4-HMAC-SHA256"},
                {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20261121/eu-central-1/s3/aws4_request"},
                {"x-amz-date": "20261121T083000Z"},
                {"x-amz-security-token": "token"},
            ]})
        );
        let names: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "key",
                "x-amz-algorithm",
                "x-amz-credential",
                "x-amz-date",
                "x-amz-security-token",
                "policy",
                "x-amz-signature"
            ]
        );
    }
}
