//! The fonts of a DOCX made from a PDF have alternatives, for programs without these fonts.

use domain::format::Format;
use serde_json::json;

use crate::harness;
use crate::structured::known;

#[test]
fn docx_has_alternatives_of_its_fonts() {
    for mode in ["flow", "layout"] {
        let document = known("05-report-eng", "docx", json!({"mode": mode}));
        let file = std::fs::File::open(document.path()).unwrap();
        let mut package = zip::ZipArchive::new(file).unwrap();
        let fonts = package.by_name("word/fontTable.xml").unwrap();
        let fonts = std::io::read_to_string(fonts).unwrap();
        let alternative = "<w:altName w:val=\"Calibri\"/>";
        assert!(fonts.contains(alternative), "{mode}: {fonts}");
        let steps = [harness::convert(Format::Pdf)];
        let printed = harness::run(document.path(), Format::Docx, &steps);
        assert!(printed.is_ok(), "{mode}");
    }
}
