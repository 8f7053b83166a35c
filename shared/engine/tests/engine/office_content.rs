//! What office documents show in results: icons, embedded fonts, relative links; and what they must not contain.

use std::io::Read as _;
use std::path::Path;
use std::process::Command;

use domain::format::Format;
use zip::ZipArchive;

use crate::sample_documents::{docx, package, relationship, with_part, xlsx};
use crate::{corpus, harness, poppler};

#[test]
fn icons_of_conditional_formats_are_drawn() {
    let source = corpus::file("xlsx/NewStyleConditionalFormattings.xlsx");
    let result = harness::run(&source, Format::Xlsx, &[harness::convert(Format::Pdf)]).unwrap();
    let icons = poppler::images(result.path());
    assert!(icons.len() > 100, "{}", icons.len());
    // As high as a row: icons have 16 pixels.
    for icon in icons {
        assert!(icon[3] != "16" || icon[12] == "105", "{icon:?}");
    }
}

#[test]
fn csv_columns_are_sized_to_their_content() {
    let long = "word ".repeat(60);
    let table = format!("identifier,note,end\nabcdefghijklmnopqrstuvwxyz,{long}last,x\n");
    let pdf = [harness::convert(Format::Pdf)];
    let result = harness::run_bytes(table.as_bytes(), Format::Csv, &pdf).unwrap();
    assert_eq!(result.warnings(), [""; 0]);
    let places = ["abcdefghijklmnopqrstuvwxyz", "note", "last", "x"];
    let [identifier, note, last, end] = places.map(|word| poppler::word_box(result.path(), word));
    assert!(identifier[2] < note[0], "{identifier:?} {note:?}");
    assert!(
        last[1] > identifier[1] + 20.0 || last[1] > note[1] + 20.0,
        "{last:?}"
    );
    assert!(last[2] < end[0], "{last:?} {end:?}");
}

/// All XML parts of a package, or the bytes of another file, as text.
pub(crate) fn content(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    if !bytes.starts_with(b"PK") {
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut archive = ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut all = String::new();
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        let name = part.name().unwrap().into_owned();
        if [".xml", ".rels", ".html"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            all += &String::from_utf8_lossy(&bytes);
        }
        all += &format!("\n{name}\n");
    }
    all
}

#[test]
fn links_stay_relative_and_no_path_of_the_service_is_in_a_result() {
    let targets = ["side.docx", "../up.docx", "file:///C:/own.docx"];
    let link = |at: usize| {
        format!(
            r#"<w:p><w:hyperlink r:id="rId{at}"><w:r><w:t>link{at}</w:t></w:r></w:hyperlink></w:p>"#
        )
    };
    let field = r#"<w:p><w:fldSimple w:instr=" FILENAME \p "><w:r><w:t>name</w:t></w:r></w:fldSimple></w:p>"#;
    let body: String = (0..targets.len()).map(link).collect();
    let related: String = (0..)
        .zip(targets)
        .map(|(at, target)| {
            let related = relationship(&format!("rId{at}"), "hyperlink", target);
            match target.contains(':') {
                true => related,
                false => related.replace("/>", r#" TargetMode="External"/>"#),
            }
        })
        .collect();
    let source = docx(&(body + field), &related);
    for to in [Format::Pdf, Format::Odt, Format::Rtf] {
        let result = harness::run_bytes(&source, Format::Docx, &[harness::convert(to)]).unwrap();
        assert_links(result.path(), to);
    }
    // Links in OpenDocument are relative to the package.
    let odt = harness::run_bytes(&source, Format::Docx, &[harness::convert(Format::Odt)]).unwrap();
    let back = harness::run(odt.path(), Format::Odt, &[harness::convert(Format::Docx)]).unwrap();
    assert_links(back.path(), Format::Docx);
}

fn assert_links(path: &Path, format: Format) {
    let found = content(path);
    for link in ["side.docx", "../up.docx", "C:/own.docx"] {
        assert!(found.contains(link), "{format}: no {link}");
    }
    let temporary = std::env::temp_dir();
    for secret in [
        temporary.to_str().unwrap(),
        "step-",
        "file:///proc",
        "sandbox-",
    ] {
        assert!(!found.contains(secret), "{format}: {secret}");
    }
}

#[test]
fn fields_show_the_name_of_the_document_without_its_directory() {
    let field = r#"<w:p><w:fldSimple w:instr=" FILENAME \p "><w:r><w:t>name</w:t></w:r></w:fldSimple></w:p>"#;
    let header = "</sheetData><headerFooter><oddHeader>&amp;C&amp;Z</oddHeader></headerFooter>";
    let sheet = xlsx(r#"<c r="A1"><v>1</v></c>"#, "", "", &[]);
    let sheet = with_part(&sheet, "xl/worksheets/sheet1.xml", |sheet| {
        sheet.replace("</sheetData>", header)
    });
    for (source, format, shown) in [
        (docx(field, ""), Format::Docx, "/document.docx"),
        (sheet, Format::Xlsx, "file:///document.xlsx"),
    ] {
        let pdf = [harness::convert(Format::Pdf)];
        let result = harness::run_bytes(&source, format, &pdf).unwrap();
        let words = poppler::words(result.path());
        assert!(words.iter().any(|word| word == shown), "{words:?}");
    }
}

#[test]
fn macros_do_not_survive() {
    let source = corpus::file("xlsx/testEXCEL_macro.xlsm");
    let result = harness::run(&source, Format::Xlsx, &[harness::convert(Format::Ods)]).unwrap();
    let found = content(result.path());
    for part in [
        "Basic/",
        "Scripts/",
        "vbaProject",
        "script:event-listener",
        "Sub ",
    ] {
        assert!(!found.contains(part), "{part}");
    }
}

#[test]
fn a_pdf_has_no_invented_dates() {
    let source = corpus::file("docx/word_sample.docx");
    let result = harness::run(&source, Format::Docx, &[harness::convert(Format::Pdf)]).unwrap();
    for field in ["CreationDate", "ModDate"] {
        assert_eq!(poppler::maybe_field(result.path(), field), None, "{field}");
    }
}

/// The fonts embedded in a PDF of a word in a font.
fn embedded(font: &str) -> String {
    let body = format!(
        r#"<w:p><w:r><w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/></w:rPr><w:t>word</w:t></w:r></w:p>"#
    );
    let pdf = [harness::convert(Format::Pdf)];
    poppler::fonts(
        harness::run_bytes(&docx(&body, ""), Format::Docx, &pdf)
            .unwrap()
            .path(),
    )
}

/// The PostScript names of the installed fonts of exactly this family.
fn installed(family: &str) -> Vec<String> {
    let mut list = Command::new("fc-list");
    let list = list.args(["--format=%{postscriptname}\n", &format!(":family={family}")]);
    let output = list.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let names = String::from_utf8(output.stdout).unwrap();
    let names = names.lines().filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[test]
fn substituted_fonts_are_of_the_same_kind() {
    for (font, substitute) in [
        ("Helvetica", "LiberationSans"),
        ("Helvetica Neue", "LiberationSans"),
        ("Arial Narrow", "LiberationSansNarrow"),
        ("Roboto", "LiberationSans"),
        ("Trebuchet MS", "LiberationSans"),
        ("Some Unknown Sans", "LiberationSans"),
        ("Century Gothic", "OpenSans"),
        ("Gill Sans", "Carlito"),
        ("Consolas", "LiberationMono"),
        ("Monaco", "LiberationMono"),
        ("Some Unknown Mono", "LiberationMono"),
        ("Nimbus Roman", "LiberationSerif"),
        ("Palatino", "Caladea"),
        ("No Such Font", "LiberationSerif"),
    ] {
        let found = embedded(font);
        // The fonts of Ghostscript, among others, may be installed.
        let own = installed(font);
        let is_right = match own.is_empty() {
            true => found.contains(substitute),
            false => own.iter().any(|own| found.contains(own.as_str())),
        };
        assert!(is_right, "{font}: {found}");
    }
}

/// A text document whose only font is embedded, under a name that is not installed.
fn with_embedded_font() -> Vec<u8> {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let (name, other) = (utf16("DejaVu Sans"), utf16("Quxley Sans"));
    let mut font = dejavu::sans::regular().to_vec();
    for at in 0..font.len() - name.len() {
        if font[at..].starts_with(&name) {
            font[at..at + name.len()].copy_from_slice(&other);
        }
    }
    let namespaces = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2""#;
    let face = r#"<office:font-face-decls><style:font-face style:name="Quxley Sans" svg:font-family="Quxley Sans"><svg:font-face-src><svg:font-face-uri xlink:href="Fonts/a.ttf" xlink:type="simple"><svg:font-face-format svg:string="truetype"/></svg:font-face-uri></svg:font-face-src></style:font-face></office:font-face-decls>"#;
    let content = format!(
        r#"<?xml version="1.0"?><office:document-content {namespaces}>{face}<office:automatic-styles><style:style style:name="P" style:family="paragraph"><style:text-properties style:font-name="Quxley Sans"/></style:style></office:automatic-styles><office:body><office:text><text:p text:style-name="P">word</text:p></office:text></office:body></office:document-content>"#
    );
    let entry = |path: &str, kind: &str| {
        format!(
            r#"<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>"#
        )
    };
    let kind = "application/vnd.oasis.opendocument.text";
    let entries = entry("/", kind)
        + &entry("content.xml", "text/xml")
        + &entry("Fonts/a.ttf", "application/x-font-ttf");
    let manifest = format!(
        r#"<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">{entries}</manifest:manifest>"#
    );
    package([
        ("mimetype", kind.as_bytes()),
        ("META-INF/manifest.xml", manifest.as_bytes()),
        ("content.xml", content.as_bytes()),
        ("Fonts/a.ttf", &font),
    ])
}

#[test]
fn fonts_embedded_in_the_document_are_used() {
    let pdf = [harness::convert(Format::Pdf)];
    let result = harness::run_bytes(&with_embedded_font(), Format::Odt, &pdf).unwrap();
    assert_eq!(result.warnings(), [""; 0]);
    let found = poppler::fonts(result.path());
    assert!(!found.contains("Liberation"), "{found}");
}
