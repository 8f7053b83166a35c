//! Files with macros, templates, slide shows and web pages of OpenDocument convert like documents of their format.

use domain::format::{Format, Variant};

use crate::office_pairs::{reopened, source};
use crate::sample_documents::with_part;
use crate::{corpus, harness, macros, poppler};

/// The corpus document of a format as a variant of it.
fn document(format: Format, variant: &Variant) -> Vec<u8> {
    let document = std::fs::read(corpus::file(source(format).0)).unwrap();
    let (plain, own) = (format.mime_type(), variant.mime_type);
    if matches!(format, Format::Odt | Format::Ods | Format::Odp) {
        let document = with_part(&document, "META-INF/manifest.xml", |manifest| {
            manifest.replace(&format!("\"{plain}\""), &format!("\"{own}\""))
        });
        return with_part(&document, "mimetype", |_| own.to_owned());
    }
    let main = match own.strip_suffix(".12") {
        // [MS-OFFMACRO2, 2.2.1.2]
        Some(_) if variant.extension == "dotm" => {
            "application/vnd.ms-word.template.macroEnabledTemplate"
        }
        Some(with_macros) => with_macros,
        None => own,
    };
    let document = with_part(&document, "[Content_Types].xml", |types| {
        types.replace(&format!("{plain}.main+xml"), &format!("{main}.main+xml"))
    });
    if main == own {
        return document;
    }
    let part = match format {
        Format::Docx => "word/document.xml",
        Format::Xlsx => "xl/workbook.xml",
        _ => "ppt/presentation.xml",
    };
    macros::with_project(&document, part)
}

/// The formats that a variant of a format is converted to: PDF, the open format of its family or that of Microsoft, and
/// formats of structure.
fn targets(format: Format) -> [Format; 4] {
    let office = match format {
        Format::Docx => Format::Odt,
        Format::Xlsx => Format::Ods,
        Format::Pptx => Format::Odp,
        Format::Odt => Format::Docx,
        Format::Ods => Format::Xlsx,
        Format::Odp => Format::Pptx,
        other => panic!("{other}"),
    };
    [Format::Pdf, office, Format::Markdown, Format::Html]
}

#[test]
fn every_variant_converts_without_its_macros() {
    let formats = Format::ALL.iter().copied();
    let cases = formats.flat_map(|format| {
        let variants = format.spec().variants.iter();
        variants.flat_map(move |variant| targets(format).map(|to| (format, variant, to)))
    });
    let cases: Vec<_> = cases.collect();
    assert_eq!(cases.len(), 60);
    let kinds = |(_, variant, to): &(Format, &Variant, Format)| {
        [variant.extension.to_owned(), to.to_string()]
    };
    harness::sample(cases, 0, kinds, |(format, variant, to)| {
        let what = format!("{} to {to}", variant.extension);
        let document = document(format, variant);
        let from = Format::from_extension(variant.extension).unwrap();
        let result = harness::run_bytes(&document, from, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{what}: {error:?}"));
        assert_eq!(result.artifact.content_type, to.mime_type(), "{what}");
        let bytes = result.bytes();
        assert!(macros::found(&bytes).is_empty(), "{what}");
        let (_, words, _) = source(format);
        let text = match to {
            Format::Pdf => poppler::words(result.path()).join(" "),
            Format::Markdown | Format::Html => String::from_utf8(bytes).unwrap(),
            to => reopened(result.path(), to)["text"]
                .as_str()
                .unwrap()
                .to_owned(),
        };
        for word in words {
            assert!(text.contains(word), "{what}: {word}");
        }
    });
}
