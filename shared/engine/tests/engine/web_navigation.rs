//! A page that navigates while it is converted gives the page that was asked for, or an error.

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::{harness, poppler};

#[test]
fn a_page_that_replaces_itself_is_rejected() {
    for navigation in [
        "<script>setTimeout(() => { location = 'about:blank' }, 20)</script>",
        "<meta http-equiv=refresh content='0;url=about:blank'>",
        "<script>location = URL.createObjectURL(new Blob(['<p>other'], { type: 'text/html' }))</script>",
    ] {
        let document = format!("<!doctype html><p>wanted{navigation}");
        for to in [Format::Pdf, Format::Png] {
            let steps = [harness::convert(to)];
            let result = harness::run_bytes(document.as_bytes(), Format::Html, &steps);
            let code = harness::code(result).err();
            assert_eq!(code, Some(JobErrorCode::OutputInvalid), "{to} {navigation}");
        }
    }
}

#[test]
fn a_navigation_that_is_refused_keeps_the_page() {
    for navigation in [
        "<script>location = 'https://example.com/'</script>",
        "<script>location = 'other.html'</script>",
        "<script>location.reload()</script>",
        "<script>location.hash = 'wanted'; history.pushState(1, '', 'elsewhere')</script>",
        "<meta http-equiv=refresh content='0;url=other.html'>",
        "<iframe srcdoc='<script>location = \"about:blank\"</script>'></iframe>",
    ] {
        let document = format!("<!doctype html><p>wanted{navigation}");
        let steps = [harness::convert(Format::Pdf)];
        let result = harness::run_bytes(document.as_bytes(), Format::Html, &steps);
        let words = poppler::words(result.unwrap().path());
        assert!(words.contains(&"wanted".to_owned()), "{navigation}");
    }
}
