//! Presigned requests of engine functions; copies, checksums and first bytes of stored objects.

use domain::id::AccountId;
use domain::ports::{PresignedGet, StoredObject, UploadForm};

use crate::environment::{Environment, Ports};
use crate::fakes::crc64nvme;

const TYPE: &str = "application/pdf";
/// Status that S3 answers a form with.
const NO_CONTENT: u16 = 204;

/// Inputs are bound to their entity tag, results to their object and size.
pub async fn engine_requests<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = AccountId::mint(env.now(), env.random());
    let object = |name: &str| format!("results/{account}/{name}");
    an_input_is_bound_to_its_entity_tag(ports, env, &object("input")).await;
    a_download_with_other_headers_is_refused(ports, env, &object("headers")).await;
    a_result_is_uploaded_up_to_its_size(ports, env, &object("result")).await;
    a_changed_form_is_refused(ports, env, &object("form"), &object("other")).await;
    only_an_unchanged_object_is_copied(ports, &object("original"), &object("copy")).await;
    an_object_has_a_checksum(ports, &object("stored")).await;
    the_first_bytes_are_read(ports, &object("first-bytes")).await;
}

async fn store<P: Ports>(ports: &P, object: &str, body: &[u8]) -> String {
    let scratch = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&scratch, body).unwrap();
    ports.store(scratch.path(), object, TYPE).await.unwrap()
}

async fn an_input_is_bound_to_its_entity_tag<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    object: &str,
) {
    let etag = store(ports, object, b"first").await;
    let request = ports.input_request(object, &etag).await.unwrap();
    let response = env.get_input(&request).await;
    assert_eq!((response.status, response.body), (200, b"first".to_vec()));
    store(ports, object, b"second").await;
    assert_eq!(env.get_input(&request).await.status, 412, "replaced");
    ports.discard(object).await.unwrap();
    assert_eq!(env.get_input(&request).await.status, 404, "deleted");
}

/// The holder of a request cannot drop or change its condition.
async fn a_download_with_other_headers_is_refused<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    object: &str,
) {
    let old = store(ports, object, b"first").await;
    let new = store(ports, object, b"second").await;
    let request = ports.input_request(object, &old).await.unwrap();
    let changed = request.headers.iter().map(|(name, value)| {
        let value = if *value == old { &new } else { value };
        (name.clone(), value.clone())
    });
    for headers in [Vec::new(), changed.collect()] {
        let url = request.url.clone();
        let response = env.get_input(&PresignedGet { url, headers }).await;
        assert_eq!(response.status, 403);
    }
}

async fn a_result_is_uploaded_up_to_its_size<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    object: &str,
) {
    let form = ports.output_form(object, 10).await.unwrap();
    assert_eq!(form.max_bytes, 10);
    let refused = env.post(&form, TYPE, b"elevenbytes".to_vec()).await;
    assert!((400..500).contains(&refused), "{refused}");
    assert_eq!(ports.stored(object).await.unwrap(), None);
    for body in [b"ten bytes!".to_vec(), Vec::new()] {
        let status = env.post(&form, TYPE, body.clone()).await;
        assert_eq!(status, NO_CONTENT, "{} bytes", body.len());
        let stored = ports.stored(object).await.unwrap().unwrap();
        assert_eq!(stored.size_bytes, body.len() as u64);
        assert_eq!(stored.content_type, TYPE);
        assert_eq!(stored.crc64nvme, Some(crc64nvme(&body)));
        assert_eq!(ports.content(object, 10).await.unwrap(), Some(body));
    }
}

async fn a_changed_form_is_refused<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    object: &str,
    other: &str,
) {
    let form = ports.output_form(object, 10).await.unwrap();
    let larger = ports.output_form(object, 1_000).await.unwrap();
    let foreign = ports.output_form(other, 10).await.unwrap();
    for changed in [
        with_field(&form, "key", other),
        without_field(&form, "policy"),
        without_field(&form, "key"),
    ] {
        let status = env.post(&changed, TYPE, b"bytes".to_vec()).await;
        assert!((400..500).contains(&status), "{status}");
    }
    let policy = |form: &UploadForm| {
        let found = form.fields.iter().find(|(name, _)| name == "policy");
        found.unwrap().1.clone()
    };
    // The fake's policies have no signature, so only a policy that contradicts the key is refused by both.
    let swapped = with_field(&form, "policy", &policy(&foreign));
    let status = env.post(&swapped, TYPE, b"bytes".to_vec()).await;
    assert!((400..500).contains(&status), "{status}");
    assert_ne!(policy(&form), policy(&larger));
    for object in [object, other] {
        assert_eq!(ports.stored(object).await.unwrap(), None);
    }
}

fn with_field(form: &UploadForm, wanted: &str, value: &str) -> UploadForm {
    let mut form = form.clone();
    for (name, old) in &mut form.fields {
        if name == wanted {
            value.clone_into(old);
        }
    }
    form
}

fn without_field(form: &UploadForm, unwanted: &str) -> UploadForm {
    let mut form = form.clone();
    form.fields.retain(|(name, _)| name != unwanted);
    form
}

async fn only_an_unchanged_object_is_copied<P: Ports>(ports: &P, object: &str, copy: &str) {
    let first = store(ports, object, b"first").await;
    let second = store(ports, object, b"second").await;
    let replaced = ports.copy(object, &first, copy).await.unwrap();
    assert_eq!((replaced, ports.stored(copy).await.unwrap()), (None, None));
    let etag = ports.copy(object, &second, copy).await.unwrap();
    let stored = ports.stored(copy).await.unwrap().unwrap();
    assert_eq!(etag, Some(stored.etag));
    assert_eq!(stored.content_type, TYPE);
    let content = ports.content(copy, 10).await.unwrap();
    assert_eq!(content, Some(b"second".to_vec()));
    ports.discard(object).await.unwrap();
    let deleted = ports.copy(object, &second, copy).await.unwrap();
    assert_eq!(deleted, None);
}

async fn an_object_has_a_checksum<P: Ports>(ports: &P, object: &str) {
    assert_eq!(ports.stored(object).await.unwrap(), None);
    let body: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let etag = store(ports, object, &body).await;
    let expected = StoredObject {
        size_bytes: 100_000,
        content_type: TYPE.to_owned(),
        etag,
        crc64nvme: Some(crc64nvme(&body)),
    };
    assert_eq!(ports.stored(object).await.unwrap(), Some(expected));
}

async fn the_first_bytes_are_read<P: Ports>(ports: &P, object: &str) {
    assert_eq!(ports.first_bytes(object, 4).await.unwrap(), None);
    store(ports, object, b"%PDF-1.7").await;
    for (max_bytes, expected) in [(4, "%PDF"), (8, "%PDF-1.7"), (1_000, "%PDF-1.7"), (0, "")] {
        let found = ports.first_bytes(object, max_bytes).await.unwrap();
        assert_eq!(found, Some(expected.as_bytes().to_vec()), "{max_bytes}");
    }
    store(ports, object, b"").await;
    let found = ports.first_bytes(object, 4).await.unwrap();
    assert_eq!(found, Some(Vec::new()), "an empty object");
}
