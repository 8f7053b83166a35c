//! Hostile documents end in an error with an action for the user, or in a result within limits.

use domain::format::Format;
use domain::job::JobErrorCode;
use markup::{Limits, MarkupError, Options};

use crate::corpus;
use crate::made::{archive, docx, odf, opened, opened_with, p, part, relations, warnings};

fn code(bytes: &[u8], format: Format) -> Option<JobErrorCode> {
    opened(bytes, format).err().and_then(|error| error.code())
}

#[test]
fn hostile_documents_end_as_expected() {
    let path = corpus::root().join("hostile");
    let end = |name: &str, format| {
        let bytes = std::fs::read(path.join(name)).unwrap();
        opened(&bytes, format).map_err(|error| error.code())
    };
    for (name, format) in [
        ("ExternalEntityInText.docx", Format::Docx),
        ("poc-xmlbomb.xlsx", Format::Xlsx),
        ("truncated62886.docx", Format::Docx),
        (
            "clusterfuzz-testcase-minimized-POIXWPFFuzzer-5313273089884160.docx",
            Format::Docx,
        ),
        ("testODTnotaZipFile.odt", Format::Odt),
    ] {
        assert_eq!(
            end(name, format).err(),
            Some(Some(JobErrorCode::InputCorrupt)),
            "{name}"
        );
    }
    let document = end("testExternalRefs.docx", Format::Docx).unwrap();
    assert!(
        warnings(&document).contains(&("external_link_blocked", 4)),
        "{:?}",
        document.warnings
    );
}

#[test]
fn encrypted_documents_require_a_password() {
    let mut count = 0;
    for (name, path, format) in corpus::documents(&["office-encrypted"]) {
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(
            code(&bytes, format),
            Some(JobErrorCode::PasswordRequired),
            "{name}"
        );
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn documents_of_another_format_are_rejected() {
    let made = [
        (docx(&p("", "x"), &[], &[]), Format::Docx),
        (odf("text", "", "<text:p>x</text:p>", ""), Format::Odt),
        (odf("spreadsheet", "", "", ""), Format::Ods),
        (odf("presentation", "", "", ""), Format::Odp),
        (b"{\\rtf1 x}".to_vec(), Format::Rtf),
    ];
    let formats = [
        Format::Docx,
        Format::Xlsx,
        Format::Pptx,
        Format::Odt,
        Format::Ods,
        Format::Odp,
        Format::Rtf,
        Format::Html,
    ];
    for (bytes, own) in &made {
        assert!(opened(bytes, *own).is_ok(), "{own:?}");
        for other in formats.iter().filter(|other| *other != own) {
            let error = opened(bytes, *other).unwrap_err();
            assert!(
                matches!(error, MarkupError::Mismatch | MarkupError::Corrupt(_)),
                "{own:?} as {other:?}: {error:?}"
            );
        }
    }
    assert!(matches!(
        opened(b"x", Format::Doc),
        Err(MarkupError::Unsupported)
    ));
    assert!(matches!(opened(b"", Format::Docx), Err(MarkupError::Empty)));
    assert!(matches!(opened(b"", Format::Csv), Err(MarkupError::Empty)));
}

#[test]
fn parts_that_inflate_to_far_more_than_the_file_are_rejected() {
    let zeros = " ".repeat(30 << 20);
    let body = part("w:document", &format!("<w:body>{zeros}</w:body>"));
    let bytes = archive(&[
        (
            "_rels/.rels",
            &relations(&[("r", "officeDocument", "word/document.xml")]),
        ),
        ("word/document.xml", &body),
    ]);
    assert_eq!(
        code(&bytes, Format::Docx),
        Some(JobErrorCode::InputTooLarge)
    );
}

#[test]
fn parts_elements_and_depth_are_bounded() {
    let few = |limits| Options {
        limits,
        ..Options::default()
    };
    let bytes = docx(&p("", "x").repeat(50), &[], &[]);
    let rejected = |limits| {
        matches!(
            opened_with(&bytes, Format::Docx, &few(limits)),
            Err(MarkupError::TooLarge(_))
        )
    };
    assert!(!rejected(Limits::default()));
    assert!(rejected(Limits {
        entries: 2,
        ..Limits::default()
    }));
    assert!(rejected(Limits {
        elements: 100,
        ..Limits::default()
    }));
    assert!(rejected(Limits {
        elements_at_once: 2,
        ..Limits::default()
    }));
    assert!(rejected(Limits {
        inflated_bytes: 300,
        ..Limits::default()
    }));
    let deep = "<w:sdt>".repeat(300) + &"</w:sdt>".repeat(300);
    assert_eq!(
        code(&docx(&deep, &[], &[]), Format::Docx),
        Some(JobErrorCode::InputTooLarge)
    );
    let deep = "{".repeat(300);
    assert_eq!(
        code(format!("{{\\rtf1 {deep}").as_bytes(), Format::Rtf),
        Some(JobErrorCode::InputTooLarge)
    );
    let deep = "<div>".repeat(200_000) + "<table><tr><td>".repeat(1_000).as_str();
    assert!(opened(deep.as_bytes(), Format::Html).is_ok());
    let deep = "> ".repeat(50_000) + "x";
    assert!(opened(deep.as_bytes(), Format::Markdown).is_ok());
}

#[test]
fn tables_above_the_size_limit_are_rejected() {
    let cell = |reference: &str| format!("<row><c r='{reference}'><v>1</v></c></row>");
    let sheet = |rows: &str| {
        archive(&[
            (
                "_rels/.rels",
                &relations(&[("r", "officeDocument", "xl/workbook.xml")]),
            ),
            (
                "xl/workbook.xml",
                &part("workbook", "<sheets><sheet name='A' r:id='s'/></sheets>"),
            ),
            (
                "xl/_rels/workbook.xml.rels",
                &relations(&[("s", "worksheet", "sheet.xml")]),
            ),
            ("xl/sheet.xml", &part("worksheet", rows)),
        ])
    };
    let rows = |rows: &str| sheet(&format!("<sheetData>{rows}</sheetData>"));
    assert!(opened(&rows(&cell("A1")), Format::Xlsx).is_ok());
    let far = "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>";
    assert_eq!(
        code(&rows(far), Format::Xlsx),
        Some(JobErrorCode::InputTooLarge)
    );
    let merged = "<mergeCell ref='A1:XFD1048576'/>".repeat(1_000);
    let bytes = sheet(&format!("<sheetData>{}</sheetData>{merged}", cell("A1")));
    assert!(opened(&bytes, Format::Xlsx).is_ok());
    let columns = "<col min='1' max='16384' hidden='1' width='1'/>".repeat(1_000);
    assert!(
        opened(
            &sheet(&format!("{columns}<sheetData>{}</sheetData>", cell("A1"))),
            Format::Xlsx
        )
        .is_ok()
    );
    let wide = "<table:table><table:table-row table:number-rows-repeated='1048576'><table:table-cell \
        table:number-columns-repeated='16384'><text:p>x</text:p></table:table-cell></table:table-row></table:table>";
    assert_eq!(
        code(&odf("spreadsheet", "", wide, ""), Format::Ods),
        Some(JobErrorCode::InputTooLarge)
    );
    assert_eq!(
        code(&odf("text", "", wide, ""), Format::Odt),
        Some(JobErrorCode::InputTooLarge)
    );
    let span = "<table><tr><td colspan=1000 rowspan=65534>x".repeat(100);
    assert!(opened(span.as_bytes(), Format::Html).is_ok());
    let columns = ",".repeat(20_000);
    assert_eq!(
        code(format!("x{columns}").as_bytes(), Format::Csv),
        Some(JobErrorCode::InputTooLarge)
    );
}

#[test]
fn parts_referenced_repeatedly_are_read_once() {
    let note = part(
        "w:footnotes",
        &format!(
            "<w:footnote w:id='1'>{}</w:footnote>",
            p("", &"note ".repeat(2_000))
        ),
    );
    let body = "<w:p><w:r><w:footnoteReference w:id='1'/></w:r></w:p>".repeat(2_000);
    let document = opened(&docx(&body, &[("footnotes", &note)], &[]), Format::Docx).unwrap();
    let notes = crate::outline::lines(&document.pages[0].blocks)
        .lines()
        .filter(|line| line.starts_with("note"))
        .count();
    assert_eq!(notes, 1);
    let header = part("w:hdr", &p("", "head").repeat(2_000));
    let pages = "<w:p><w:r><w:t>x</w:t><w:br w:type='page'/></w:r></w:p>".repeat(2_000);
    let section = "<w:sectPr><w:headerReference w:type='default' r:id='o-header'/></w:sectPr>";
    let bytes = docx(&(pages + section), &[("header", &header)], &[]);
    let limits = Limits {
        elements: 1_000_000,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let rejected = opened_with(&bytes, Format::Docx, &options);
    assert!(matches!(rejected, Err(MarkupError::TooLarge(_))));
}

#[test]
fn long_continuations_take_linear_time() {
    let page = format!("<ul><li>{}", "<p>x".repeat(100_000));
    let document = opened(page.as_bytes(), Format::Html).unwrap();
    assert_eq!(document.pages[0].blocks.len(), 1);
    let mark = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>";
    let body = mark.repeat(50_000) + &p("", "end");
    let document = opened(&docx(&body, &[], &[]), Format::Docx).unwrap();
    assert_eq!(
        crate::outline::lines(&document.pages[0].blocks).len(),
        3 + 50_000 + 3 + 1
    );
}

#[test]
fn packages_with_damaged_relationships_are_corrupt() {
    let cut = |rels: &str| archive(&[("_rels/.rels", rels), ("word/document.xml", "<a/>")]);
    assert_eq!(
        code(&cut("<Relationsh"), Format::Docx),
        Some(JobErrorCode::InputCorrupt)
    );
    assert_eq!(
        code(&cut(&relations(&[])), Format::Docx),
        Some(JobErrorCode::ContentMismatch)
    );
}
