//! A page takes no browser that was begun for a document, and has none beside its own.

use processor::PAGE;

use crate::internet::{Internet, html};
use crate::rig::{engines, run};

#[test]
fn a_page_ends_the_prewarmed_browser_and_leaves_no_other() {
    let base = tempfile::tempdir().unwrap();
    let directories = || std::fs::read_dir(base.path()).unwrap().count();
    let internet = Internet::with_site(|_| html("<p>a page"));
    let engines = engines(&internet, PAGE).with_prewarmed_browser(base.path());
    assert_eq!(directories(), 1);
    let text = run(&engines, "http://site.example.com/").unwrap();
    assert!(text.contains("a page"), "{text}");
    assert_eq!(internet.dialled(), ["93.184.216.34:80"]);
    assert_eq!(directories(), 0);
}
