//! A web page does not use the prewarmed browser and leaves no other browser running.

use engine_function::PAGE;

use crate::internet::{Internet, html};
use crate::support::{engines, run};

#[test]
fn a_page_ends_the_prewarmed_browser_and_leaves_no_other() {
    let base = tempfile::tempdir().unwrap();
    let directories = || std::fs::read_dir(base.path()).unwrap().count();
    let internet = Internet::with_site(|_| html("<p>a page"));
    let engines = engines(&internet, PAGE).with_prewarmed_browser(base.path());
    assert_eq!(directories(), 1);
    let text = run(&engines, "http://site.example.com/").unwrap();
    assert!(text.contains("a page"), "{text}");
    assert_eq!(internet.dialed(), ["93.184.216.34:80"]);
    assert_eq!(directories(), 0);
}
