//! Presigned requests of engine functions: downloads of inputs, and forms that upload results.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crc_fast::{CrcAlgorithm, checksum};
use domain::ports::{PresignedGet, UploadForm};

use super::state::State;
use super::stored_files::{SEPARATOR, put, read};
use super::{Fakes, lock};
use crate::environment::Download;

const INPUT: &str = "fake:input";
const FORM: &str = "fake:form";
const IF_MATCH: &str = "If-Match";

impl Fakes {
    /// GETs an input as an engine function does; `None` if the object is missing or has another entity tag than the signed one.
    #[must_use]
    pub fn download(&self, request: &PresignedGet) -> Option<Vec<u8>> {
        let response = download(&lock(&self.state), request);
        (response.status == 200).then_some(response.body)
    }

    /// Uploads a result as an engine function does; `false` if the file is too large or the form is not as signed.
    #[must_use]
    pub fn upload(&self, form: &UploadForm, content_type: &str, bytes: &[u8]) -> bool {
        let directory = self.directory();
        let status = upload(&mut lock(&self.state), directory, form, content_type, bytes);
        status == 204
    }
}

/// The CRC-64/NVME of `bytes` in Base64, as S3 returns it.
#[must_use]
pub fn crc64nvme(bytes: &[u8]) -> String {
    let sum = checksum(CrcAlgorithm::Crc64Nvme, bytes);
    STANDARD.encode(sum.to_be_bytes())
}

/// Signs a download.
pub(super) fn input_request(object: &str, etag: &str) -> PresignedGet {
    let signed = [INPUT, object, etag];
    PresignedGet {
        url: signed.join(&SEPARATOR.to_string()),
        headers: vec![(IF_MATCH.to_owned(), etag.to_owned())],
    }
}

/// Serves a signed download.
pub(super) fn download(state: &State, request: &PresignedGet) -> Download {
    let refused = |status| Download {
        status,
        content_type: String::new(),
        disposition: String::new(),
        body: Vec::new(),
    };
    let signed: Vec<&str> = request.url.split(SEPARATOR).collect();
    let [INPUT, object, etag] = signed.as_slice() else {
        return refused(403);
    };
    if request.headers != input_request(object, etag).headers {
        return refused(403);
    }
    match state.objects.get(*object) {
        None => refused(404),
        Some(found) if found.etag != *etag => refused(412),
        Some(_) => {
            let (content_type, body) = read(state, object).expect("a stored object");
            Download {
                status: 200,
                content_type,
                disposition: String::new(),
                body,
            }
        }
    }
}

/// Signs a form.
pub(super) fn output_form(object: &str, max_bytes: u64) -> UploadForm {
    let policy = format!("{object}{SEPARATOR}{max_bytes}");
    let fields = [("key", object), ("policy", &policy)];
    UploadForm {
        url: FORM.to_owned(),
        fields: fields
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        max_bytes,
    }
}

/// Serves the upload of a signed form, with the checks that S3 applies to its policy.
pub(super) fn upload(
    state: &mut State,
    directory: &Path,
    form: &UploadForm,
    content_type: &str,
    body: &[u8],
) -> u16 {
    let field = |wanted: &str| {
        let found = form.fields.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    };
    let (Some(key), Some(policy)) = (field("key"), field("policy")) else {
        return 403;
    };
    let Some((object, max_bytes)) = policy.split_once(SEPARATOR) else {
        return 403;
    };
    if form.url != FORM || key != object {
        return 403;
    }
    match max_bytes.parse() {
        Ok(max_bytes) if body.len() as u64 <= max_bytes => {
            put(state, directory, object, content_type, body);
            204
        }
        Ok(_) => 400,
        Err(_) => 403,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_catalog_of_crcs() {
        assert_eq!(
            crc64nvme(b"123456789"),
            STANDARD.encode(0xae8b_1486_0a79_9888_u64.to_be_bytes())
        );
    }
}
