//! The object store, and the URLs that reach into it: `fake:upload?…` and `fake:download?…`.

use std::path::Path;

use async_trait::async_trait;
use domain::filename::Filename;
use domain::id::{AccountId, SourceKey};
use domain::key::hex;
use domain::ports::{InspectSources, MoveDocuments, PortError, SignUrls, SourceFacts, UploadGrant};
use domain::source::upload_object;
use domain::timestamp::Timestamp;
use sha2::{Digest, Sha256};
use std::time::Duration;

use super::state::{Object, State};
use super::{Call, Fakes, unavailable};
use crate::world::Download;

/// Separates the parts of a fake URL: in no name or type, and may stand in a header.
const SEPARATOR: char = '\t';
const UPLOAD: &str = "fake:upload";
const DOWNLOAD: &str = "fake:download";

#[async_trait]
impl InspectSources for Fakes {
    async fn inspect(
        &self,
        account: &AccountId,
        source: &SourceKey,
    ) -> Result<Option<SourceFacts>, PortError> {
        let name = upload_object(account, source);
        self.call(Call::Inspect, |state| {
            Ok(state.objects.get(&name).map(|object| SourceFacts {
                size_bytes: object.size_bytes,
                content_type: object.content_type.clone(),
                etag: object.etag.clone(),
            }))
        })
        .await
    }
}

#[async_trait]
impl MoveDocuments for Fakes {
    async fn fetch(&self, object: &str, etag: &str, path: &Path) -> Result<bool, PortError> {
        self.call(Call::Fetch, |state| {
            let found = state.objects.get(object);
            let Some(found) = found.filter(|found| found.etag == etag) else {
                return Ok(false);
            };
            copy(found, path).map(|()| true)
        })
        .await
    }

    async fn store(&self, path: &Path, object: &str, content_type: &str) -> Result<(), PortError> {
        self.call(Call::Store, |state| {
            let body = std::fs::read(path).map_err(|error| unavailable(error.to_string()))?;
            put(state, self.directory(), object, content_type, &body);
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl SignUrls for Fakes {
    async fn upload_url(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        size_bytes: u64,
        now: Timestamp,
    ) -> Result<UploadGrant, PortError> {
        let size = size_bytes.to_string();
        let parts = [UPLOAD, &upload_object(account, source), content_type, &size];
        let url = parts.join(&SEPARATOR.to_string());
        self.call(Call::UploadUrl, |_| {
            Ok(UploadGrant {
                url,
                headers: vec![
                    ("Content-Type".to_owned(), content_type.to_owned()),
                    ("Content-Length".to_owned(), size.clone()),
                    ("If-None-Match".to_owned(), "*".to_owned()),
                ],
                expires_at: now.plus(Duration::from_secs(900)),
            })
        })
        .await
    }

    async fn download_url(
        &self,
        object: &str,
        content_type: &str,
        filename: &Filename,
    ) -> Result<String, PortError> {
        let disposition = filename.content_disposition();
        let parts = [DOWNLOAD, object, content_type, &disposition];
        self.call(
            Call::DownloadUrl,
            |_| Ok(parts.join(&SEPARATOR.to_string())),
        )
        .await
    }
}

/// Copies an object to `path`.
pub(super) fn copy(object: &Object, path: &Path) -> Result<(), PortError> {
    std::fs::copy(&object.path, path)
        .map(drop)
        .map_err(|error| unavailable(error.to_string()))
}

/// Stores an object and returns its entity tag.
pub(super) fn put(
    state: &mut State,
    directory: &Path,
    name: &str,
    content_type: &str,
    body: &[u8],
) -> String {
    let etag = format!("\"{}\"", hex(&Sha256::digest(body)));
    let path = directory.join(hex(&Sha256::digest(name.as_bytes())));
    std::fs::write(&path, body).expect("a writable directory");
    let object = Object {
        path,
        content_type: content_type.to_owned(),
        etag: etag.clone(),
        size_bytes: body.len() as u64,
    };
    state.objects.insert(name.to_owned(), object);
    etag
}

/// The media type and the bytes of an object.
pub(super) fn read(state: &State, name: &str) -> Option<(String, Vec<u8>)> {
    let object = state.objects.get(name)?;
    let body = std::fs::read(&object.path).expect("an object that is there");
    Some((object.content_type.clone(), body))
}

/// A PUT to a fake URL, judged as the real store judges a presigned one.
pub(super) fn upload(
    state: &mut State,
    directory: &Path,
    url: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> u16 {
    let parts: Vec<&str> = url.split(SEPARATOR).collect();
    let [UPLOAD, name, content_type, size] = parts.as_slice() else {
        return 403;
    };
    let header = |wanted: &str| {
        let found = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, value)| value.as_str())
    };
    let as_signed = header("content-type") == Some(content_type)
        && header("if-none-match") == Some("*")
        && body.len().to_string() == *size;
    if !as_signed {
        return 403;
    }
    if state.objects.contains_key(*name) {
        return 412;
    }
    put(state, directory, name, content_type, body);
    200
}

/// A GET of a fake URL.
pub(super) fn download(state: &State, url: &str) -> Download {
    let parts: Vec<&str> = url.split(SEPARATOR).collect();
    let answer = |status, content_type: &str, disposition: &str, body| Download {
        status,
        content_type: content_type.to_owned(),
        disposition: disposition.to_owned(),
        body,
    };
    let [DOWNLOAD, name, content_type, disposition] = parts.as_slice() else {
        return answer(403, "", "", Vec::new());
    };
    match read(state, name) {
        Some((_, body)) => answer(200, content_type, disposition, body),
        None => answer(404, "", "", Vec::new()),
    }
}
