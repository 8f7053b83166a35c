//! Relative links stay relative in every result that can have links, and no result resolves them against a directory of the service.

use std::sync::Mutex;

use domain::format::{Category, Format};
use domain::operation::CONVERSIONS;

use crate::harness;
use crate::sample_documents::{docx, open_document, relationship, with_part, with_parts, xlsx};
use crate::service_data::layers;

/// Targets of the links.
const LINKS: [&str; 3] = ["side.docx", "../up.docx", "side.docx#place"];
/// Beginnings of absolute links, and parts of paths of the service.
const ABSOLUTE: [&str; 6] = ["file:/", "/tmp/", "/proc/", "/cwd", "step-0", "sandbox-"];

/// Relationships of the links.
fn related() -> String {
    let related = (0..).zip(LINKS).map(|(at, link)| {
        let related = relationship(&format!("rIdL{at}"), "hyperlink", link);
        related.replace("/>", r#" TargetMode="External"/>"#)
    });
    related.collect()
}

fn of_docx() -> Vec<u8> {
    let link = |at: usize| {
        format!(
            r#"<w:p><w:hyperlink r:id="rIdL{at}"><w:r><w:t>link{at}</w:t></w:r></w:hyperlink></w:p>"#
        )
    };
    let links: String = (0..LINKS.len()).map(link).collect();
    let table = format!(
        r#"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>{links}</w:tc></w:tr></w:tbl>"#
    );
    docx(
        &(table + "<w:p><w:r><w:t>text</w:t></w:r></w:p>"),
        &related(),
    )
}

/// Links in `OpenDocument` are relative to the package.
fn open_document_links() -> String {
    let links = LINKS.map(|link| {
        format!(
            r#"<text:p><text:a xlink:href="../{link}" xlink:type="simple">link</text:a></text:p>"#
        )
    });
    links.concat()
}

fn of_odt() -> Vec<u8> {
    let links = open_document_links();
    open_document(
        "text",
        &format!(
            r#"<table:table table:name="T"><table:table-column/><table:table-row><table:table-cell>{links}</table:table-cell></table:table-row></table:table><text:p>text</text:p>"#
        ),
    )
}

fn of_ods() -> Vec<u8> {
    let links = open_document_links().replace(
        "</text:p>",
        r#"</text:p></table:table-cell><table:table-cell office:value-type="string">"#,
    );
    open_document(
        "spreadsheet",
        &format!(
            r#"<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string">{links}</table:table-cell></table:table-row></table:table>"#
        ),
    )
}

fn of_odp() -> Vec<u8> {
    let links = open_document_links();
    open_document(
        "presentation",
        &format!(
            r#"<draw:page draw:name="P"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="9cm" svg:height="4cm"><draw:text-box>{links}</draw:text-box></draw:frame></draw:page>"#
        ),
    )
}

fn of_xlsx() -> Vec<u8> {
    let cell = |column| format!(r#"<c r="{column}1" t="inlineStr"><is><t>link</t></is></c>"#);
    let workbook = xlsx(&["A", "B", "C"].map(cell).concat(), "", "", &[]);
    let link =
        |(at, column): (usize, &str)| format!(r#"<hyperlink ref="{column}1" r:id="rIdL{at}"/>"#);
    let links: String = (0..).zip(["A", "B", "C"]).map(link).collect();
    let workbook = with_part(&workbook, "xl/worksheets/sheet1.xml", |sheet| {
        let namespace = r#"<worksheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" "#;
        sheet
            .replace(
                "</sheetData>",
                &format!("</sheetData><hyperlinks>{links}</hyperlinks>"),
            )
            .replacen("<worksheet ", namespace, 1)
    });
    let related = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>"#,
        related()
    );
    let path = "xl/worksheets/_rels/sheet1.xml.rels";
    with_parts(&workbook, &[(path, related.as_bytes())])
}

fn of_pptx() -> Vec<u8> {
    let page = LINKS.map(|_| "<p>link").concat();
    let steps = [
        harness::convert(Format::Pdf),
        harness::convert(Format::Pptx),
    ];
    let slides = harness::run_bytes(page.as_bytes(), Format::Html, &steps).unwrap();
    let slides = with_part(&slides.bytes(), "ppt/slides/slide1.xml", |slide| {
        let mut texts = slide.split("<a:t>");
        let mut linked = texts.next().unwrap().to_owned();
        for (at, text) in texts.enumerate() {
            let link = format!(
                r#"<a:hlinkClick xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rIdL{at}"/>"#
            );
            linked = match linked.strip_suffix("/>") {
                Some(start) => format!("{start}>{link}</a:rPr>"),
                None => format!("{}{link}</a:rPr>", linked.strip_suffix("</a:rPr>").unwrap()),
            };
            linked = format!("{linked}<a:t>{text}");
        }
        linked
    });
    with_part(&slides, "ppt/slides/_rels/slide1.xml.rels", |entries| {
        entries.replace("</Relationships>", &(related() + "</Relationships>"))
    })
}

fn of_rtf() -> Vec<u8> {
    let link = |link| format!(r#"{{\field{{\*\fldinst HYPERLINK "{link}"}}{{\fldrslt link}}}} "#);
    let links = LINKS.map(link).concat();
    format!(r"{{\rtf1 text\par\trowd\cellx3000\intbl {links}\cell\row}}").into_bytes()
}

fn of_html() -> Vec<u8> {
    let links = LINKS
        .map(|link| format!("<a href='{link}'>link</a> "))
        .concat();
    format!("<p>text<table border=1><tr><td>{links}</table>").into_bytes()
}

fn of_markdown() -> Vec<u8> {
    let links = LINKS.map(|link| format!("[link]({link}) ")).concat();
    format!("text\n\n|{links}|\n|---|\n|cell|\n").into_bytes()
}

/// The links that a result has. A cell of a workbook has one at most, and LibreOffice keeps no fragment of a relative link in XLSX.
fn expected(from: Format, to: Format) -> impl Iterator<Item = String> {
    let links = match to {
        Format::Txt => &[][..],
        to if to.is_delimited_text() => &[],
        Format::Xlsx if from == Format::Ods => &LINKS[..2],
        Format::Xlsx => &[],
        _ => &LINKS,
    };
    let base = match to {
        Format::Odt | Format::Ods | Format::Odp => "../",
        _ => "",
    };
    links.iter().map(move |link| format!("{base}{link}"))
}

/// Whether a text has the whole link.
fn has_link(text: &str, link: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "./#-".contains(letter);
    text.match_indices(link).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let (_, behind) = rest.split_at(link.len());
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    })
}

#[test]
fn relative_links_stay_relative() {
    let sources = [
        (Format::Docx, of_docx()),
        (Format::Odt, of_odt()),
        (Format::Ods, of_ods()),
        (Format::Odp, of_odp()),
        (Format::Xlsx, of_xlsx()),
        (Format::Pptx, of_pptx()),
        (Format::Rtf, of_rtf()),
        (Format::Html, of_html()),
        (Format::Markdown, of_markdown()),
    ];
    let cases = sources.iter().flat_map(|(from, bytes)| {
        let rows = CONVERSIONS.iter().filter(|row| row.from.contains(from));
        let rows = rows.filter(|row| row.to.spec().category != Category::Image);
        rows.map(move |row| (*from, bytes, row.to))
    });
    let wrong = Mutex::new(Vec::new());
    let kinds =
        |(from, _, to): &(Format, &Vec<u8>, Format)| harness::formats_and_engines((*from, *to));
    harness::sample(cases.collect(), 0, kinds, |(from, bytes, to)| {
        let result = harness::run_bytes(bytes, from, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"));
        let mut text = String::new();
        layers::for_each(&result.bytes(), &mut |layer| {
            text += &String::from_utf8_lossy(layer);
            text.push('\n');
        });
        let absolute: Vec<&str> = ABSOLUTE
            .into_iter()
            .filter(|path| text.contains(path))
            .collect();
        let lost: Vec<String> = expected(from, to)
            .filter(|link| !has_link(&text, link))
            .collect();
        if !absolute.is_empty() || !lost.is_empty() {
            let warnings = result.warnings();
            let line = format!("{from} to {to}: {absolute:?}, without {lost:?}, {warnings:?}");
            wrong.lock().unwrap().push(line);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
