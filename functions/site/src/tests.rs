//! Website: placeholders, Content Security Policy, no external resources.

use bytes::Bytes;
use domain::key::Pepper;
use domain::sandbox_token;
use http::{Request, Response};

use crate::docs::DOCS;

fn paths() -> Vec<&'static str> {
    let docs = DOCS.iter().map(|doc| doc.path);
    ["/", "/site.css", "/site.js", "/icon.svg"]
        .into_iter()
        .chain(docs)
        .collect()
}

fn pepper() -> Pepper {
    Pepper::new("pepper".to_owned().into())
}

async fn send(method: &str, path: &str) -> Response<Bytes> {
    let request = Request::builder().method(method).uri(path);
    let request = request.body(Bytes::new()).unwrap();
    crate::api(pepper(), &[]).respond(request, "1").await
}

async fn text(path: &str) -> String {
    let page = send("GET", path).await;
    assert_eq!(page.status(), 200, "{path}");
    String::from_utf8(page.into_body().into()).unwrap()
}

#[tokio::test]
async fn pages_have_no_placeholders_and_no_external_resources() {
    for path in paths() {
        let text = text(path).await;
        assert!(!text.contains("{{"), "{path}");
        for attribute in [
            "src=\"http",
            "src=\"//",
            "@import",
            "url(",
            "style=\"",
            "onclick",
        ] {
            assert!(!text.contains(attribute), "{path}: {attribute}");
        }
    }
    assert!(text("/guide").await.contains(">API guide</h1>"));
    assert!(text("/").await.contains("<option>pdf</option>"));
}

#[tokio::test]
async fn the_home_page_has_a_valid_sandbox_token() {
    let page = text("/").await;
    let (_, after) = page
        .split_once("name=\"sandbox-token\" content=\"")
        .unwrap();
    let token = after.split('"').next().unwrap();
    assert!(sandbox_token::is_valid(
        &pepper(),
        token,
        runtime::clock::now()
    ));
}

#[tokio::test]
async fn every_page_has_security_headers() {
    for path in paths() {
        let page = send("GET", path).await;
        let header = |name: &str| page.headers()[name].to_str().unwrap();
        assert!(
            header("content-security-policy").starts_with("default-src 'none'; script-src 'self';")
        );
        assert!(!header("content-security-policy").contains("unsafe"));
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(header("cache-control") == "no-store", path == "/");
        let head = send("HEAD", path).await;
        assert_eq!((head.status().as_u16(), head.body().len()), (200, 0));
    }
    assert_eq!(send("POST", "/").await.status(), 404);
    assert_eq!(send("GET", "/nothing").await.status(), 404);
}
