//! The public pages: complete, strict, and loading nothing from elsewhere.

use bytes::Bytes;
use domain::key::Pepper;
use domain::sandbox_token;
use http::{Request, Response};

const PATHS: [&str; 5] = ["/", "/guide", "/site.css", "/site.js", "/icon.svg"];

fn pepper() -> Pepper {
    Pepper::new("pepper".to_owned().into())
}

async fn asked(method: &str, path: &str) -> Response<Bytes> {
    let request = Request::builder().method(method).uri(path);
    let request = request.body(Bytes::new()).unwrap();
    crate::api(pepper(), &[]).answer(request, "1").await
}

async fn text(path: &str) -> String {
    let page = asked("GET", path).await;
    assert_eq!(page.status(), 200, "{path}");
    String::from_utf8(page.into_body().into()).unwrap()
}

#[tokio::test]
async fn nothing_is_left_to_fill_in_and_nothing_comes_from_elsewhere() {
    for path in PATHS {
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
    assert!(text("/guide").await.contains("<h1>API guide</h1>"));
    assert!(text("/").await.contains("<option>pdf</option>"));
}

#[tokio::test]
async fn the_first_page_carries_a_token_that_is_good() {
    let page = text("/").await;
    let (_, after) = page
        .split_once("name=\"sandbox-token\" content=\"")
        .unwrap();
    let token = after.split('"').next().unwrap();
    assert!(sandbox_token::is_good(
        &pepper(),
        token,
        runtime::clock::now()
    ));
}

#[tokio::test]
async fn every_page_says_what_a_browser_may_do_with_it() {
    for path in PATHS {
        let page = asked("GET", path).await;
        let header = |name: &str| page.headers()[name].to_str().unwrap();
        assert!(
            header("content-security-policy").starts_with("default-src 'none'; script-src 'self';")
        );
        assert!(!header("content-security-policy").contains("unsafe"));
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(header("cache-control") == "no-store", path == "/");
        let head = asked("HEAD", path).await;
        assert_eq!((head.status().as_u16(), head.body().len()), (200, 0));
    }
    assert_eq!(asked("POST", "/").await.status(), 404);
    assert_eq!(asked("GET", "/nothing").await.status(), 404);
}
