//! File URLs for LibreOffice.

use std::ffi::CString;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::interface::c_string;

/// The `file` URL of a path: all bytes except unreserved characters and `/` are percent-encoded (RFC 3986).
pub(super) fn file_url(path: &Path) -> Result<CString, String> {
    let mut url = String::from("file://");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                url.push(char::from(*byte));
            }
            other => write!(url, "%{other:02X}").map_err(|error| error.to_string())?,
        }
    }
    c_string(url.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_bytes_are_percent_encoded() {
        let url = file_url(Path::new("/a b/ü#?.docx")).unwrap();
        assert_eq!(url.to_str().unwrap(), "file:///a%20b/%C3%BC%23%3F.docx");
    }
}
