//! Objects and their presigned URLs.

use domain::filename::Filename;
use domain::id::{AccountId, JobId, SourceKey};
use domain::ports::UploadGrant;
use domain::source::result_object;

use crate::environment::{Environment, Ports};

const TYPE: &str = "text/plain";
const BODY: &[u8] = b"Hello, Octavo.";

/// Uploads and downloads by presigned URL.
pub async fn documents<P: Ports, W: Environment>(ports: &P, env: &W) {
    an_upload_is_visible_to_its_owner_only(ports, env).await;
    an_upload_url_accepts_only_the_authorized_request(ports, env).await;
    an_empty_document_can_be_uploaded(ports, env).await;
    a_result_downloads_under_its_name(ports, env).await;
}

fn ids<W: Environment>(env: &W) -> (AccountId, SourceKey) {
    let now = env.now();
    (
        AccountId::mint(now, env.random()),
        SourceKey::mint(now, env.random()),
    )
}

async fn authorize<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    (account, source): &(AccountId, SourceKey),
    size: usize,
) -> UploadGrant {
    let now = env.now();
    let grant = ports
        .upload_url(account, source, TYPE, size as u64, now)
        .await
        .unwrap();
    assert_eq!(
        grant.expires_at.milliseconds() - now.milliseconds(),
        900_000
    );
    let headers: Vec<_> = grant
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let length = size.to_string();
    assert_eq!(
        headers,
        [
            ("Content-Type", TYPE),
            ("Content-Length", length.as_str()),
            ("If-None-Match", "*")
        ]
    );
    grant
}

async fn an_upload_is_visible_to_its_owner_only<P: Ports, W: Environment>(ports: &P, env: &W) {
    let owner = ids(env);
    let grant = authorize(ports, env, &owner, BODY.len()).await;
    assert_eq!(
        ports.inspect(&owner.0, &owner.1).await.unwrap(),
        None,
        "before the upload"
    );
    assert_eq!(
        env.put(&grant.url, &grant.headers, BODY.to_vec()).await,
        200
    );
    let facts = ports.inspect(&owner.0, &owner.1).await.unwrap().unwrap();
    assert_eq!(
        (facts.size_bytes, facts.content_type.as_str()),
        (BODY.len() as u64, TYPE)
    );
    assert!(!facts.etag.is_empty());
    let (stranger, _) = ids(env);
    assert_eq!(ports.inspect(&stranger, &owner.1).await.unwrap(), None);
}

async fn an_upload_url_accepts_only_the_authorized_request<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let owner = ids(env);
    let grant = authorize(ports, env, &owner, BODY.len()).await;
    let with = |name: &str, value: Option<&str>| -> Vec<(String, String)> {
        let mut headers = grant.headers.clone();
        headers.retain(|(known, _)| known != name);
        headers.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        headers
    };
    let body = || BODY.to_vec();
    let other_type = with("Content-Type", Some("text/html"));
    assert_eq!(
        env.put(&grant.url, &other_type, body()).await,
        403,
        "another type"
    );
    assert_eq!(
        env.put(&grant.url, &with("Content-Type", None), body())
            .await,
        403,
        "no type"
    );
    let no_condition = with("If-None-Match", None);
    assert_eq!(
        env.put(&grant.url, &no_condition, body()).await,
        403,
        "the URL may overwrite"
    );
    for size in [BODY.len() - 1, BODY.len() + 1] {
        let headers = with("Content-Length", Some(&size.to_string()));
        let status = env.put(&grant.url, &headers, vec![b'x'; size]).await;
        assert_eq!(status, 403, "{size} bytes");
    }
    assert_eq!(
        ports.inspect(&owner.0, &owner.1).await.unwrap(),
        None,
        "a rejected upload was stored"
    );
    assert_eq!(env.put(&grant.url, &grant.headers, body()).await, 200);
    let before = ports.inspect(&owner.0, &owner.1).await.unwrap();
    let mut other = BODY.to_vec();
    other.reverse();
    assert_eq!(
        env.put(&grant.url, &grant.headers, other).await,
        412,
        "a second upload"
    );
    assert_eq!(ports.inspect(&owner.0, &owner.1).await.unwrap(), before);
}

async fn an_empty_document_can_be_uploaded<P: Ports, W: Environment>(ports: &P, env: &W) {
    let owner = ids(env);
    let grant = authorize(ports, env, &owner, 0).await;
    let mut headers = grant.headers.clone();
    headers[1].1 = "1".to_owned();
    assert_eq!(
        env.put(&grant.url, &headers, vec![b'x']).await,
        403,
        "one byte too many"
    );
    assert_eq!(env.put(&grant.url, &grant.headers, Vec::new()).await, 200);
    let facts = ports.inspect(&owner.0, &owner.1).await.unwrap().unwrap();
    assert_eq!(facts.size_bytes, 0);
}

async fn a_result_downloads_under_its_name<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (account, _) = ids(env);
    let job = JobId::mint(env.now(), env.random());
    let object = result_object(&account, &job, 1, "document.pdf");
    let scratch = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(scratch.path(), BODY).unwrap();
    let name = Filename::try_from("Übersicht \"Q3\".pdf".to_owned()).unwrap();
    ports
        .store(scratch.path(), &object, "application/pdf")
        .await
        .unwrap();
    let url = ports
        .download_url(&object, "application/pdf", &name)
        .await
        .unwrap();
    let download = env.get(&url).await;
    assert_eq!((download.status, download.body.as_slice()), (200, BODY));
    assert_eq!(download.content_type, "application/pdf");
    assert_eq!(download.disposition, name.content_disposition());
}
