//! Conversions of office documents to PDF.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation, PageRanges, Password, Quality, Resolution};

use crate::harness::Converted;
use crate::{corpus, harness, poppler, sample_documents};

const KINDS: &[&str] = &[
    "docx", "doc", "odt", "rtf", "txt", "xlsx", "xls", "ods", "csv", "tsv", "pptx", "ppt", "odp",
];

#[test]
fn every_format_becomes_pdf_with_the_known_page_count() {
    harness::each(corpus::good(KINDS, 2), |(entry, format)| {
        let result = harness::run(&entry.path(), format, &[harness::convert(Format::Pdf)]);
        let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        let pages = poppler::pages(result.path());
        assert_eq!(result.artifact.pages, pages, "{}", entry.file);
        assert_eq!(result.artifact.content_type, "application/pdf");
        assert_eq!(result.artifact.extension, "pdf");
        if let Some(known_pages) = entry.pages {
            assert_eq!(pages, known_pages, "{}", entry.file);
        } else if let Some(hint) = entry.pages_libreoffice {
            let most = hint + 2 + hint / 5;
            assert!(
                (1..=most).contains(&pages),
                "{}: {pages}, not {hint}",
                entry.file
            );
        }
        assert!(
            result.artifact.engine.starts_with("libreoffice "),
            "{}",
            result.artifact.engine
        );
    });
}

#[test]
fn csv_keeps_its_columns_and_characters() {
    let directory = tempfile::tempdir().unwrap();
    let marked = "\u{feff}Größe\tx;y\t3,5\n1\t2\t3\n".encode_utf16();
    let wide: Vec<u8> = marked.flat_map(u16::to_le_bytes).collect();
    let cases: [(&str, Format, &[u8]); 7] = [
        (
            "semicolons",
            Format::Csv,
            "Größe;\"x;y\";3,5\n1;2;3\n".as_bytes(),
        ),
        (
            "commas",
            Format::Csv,
            "Größe,\"x;y\",\"3,5\"\n1,2,3\n".as_bytes(),
        ),
        ("wide", Format::Csv, &wide),
        (
            "windows",
            Format::Csv,
            b"Gr\xf6\xdfe;\"x;y\";3,5\n\x801;\x932\x94;3\n",
        ),
        ("bars", Format::Csv, "Größe|x;y|3,5\n1|2|3\n".as_bytes()),
        ("latin", Format::Csv, b"Gr\xf6\xdfe\tx;y\t3,5\n1\t2\t3\n"),
        ("text", Format::Txt, "Größe x;y 3,5\n".as_bytes()),
    ];
    for (name, format, bytes) in cases {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let result = harness::run(&path, format, &[harness::convert(Format::Pdf)]).unwrap();
        let words = poppler::words(result.path());
        for word in ["Größe", "x;y", "3,5"] {
            assert!(words.iter().any(|found| found == word), "{name}: {words:?}");
        }
    }
}

#[test]
fn paper_is_that_of_the_locale_and_the_result_is_tagged() {
    for file in [
        "csv/csv-semicolon.csv",
        "xlsx/right-to-left.xlsx",
        "txt/unicode_polish_utf8.txt",
    ] {
        let source = corpus::file(file);
        let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
        for (locale, paper) in [(None, "(letter)"), (Some("de-DE"), "(A4)")] {
            let mut options = ConvertOptions::to(Format::Pdf);
            options.locale = locale.map(|locale| locale.parse().unwrap());
            let result = harness::run(&source, format, &[Operation::Convert(options)]).unwrap();
            assert_eq!(poppler::field(result.path(), "Tagged"), "yes", "{file}");
            let size = poppler::field(result.path(), "Page size");
            assert!(size.ends_with(paper), "{file} {locale:?}: {size}");
        }
    }
}

#[test]
fn charts_equations_and_text_of_unfollowed_links_are_kept() {
    for (file, expected) in [
        ("docx/testWORD_charts.docx", ["January", "August"]),
        ("docx/equations.docx", ["F=ma", "Pythagorean"]),
        (
            "hostile/testExternalRefs.docx",
            ["INCLUDEPICTURE:[Image", "LINK:[Link"],
        ),
    ] {
        let source = corpus::file(file);
        let result = harness::run(&source, Format::Docx, &[harness::convert(Format::Pdf)]).unwrap();
        let words = poppler::words(result.path());
        for word in expected {
            assert!(words.iter().any(|found| found == word), "{file}: {words:?}");
        }
    }
}

#[test]
fn output_is_deterministic() {
    let files = [
        "docx/word_sample.docx",
        "xlsx/WithThreeCharts.xlsx",
        "pptx/powerpoint_sample.pptx",
        "odt/feature_images.odt",
    ];
    harness::each(files.to_vec(), |file| {
        let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
        let make = || {
            harness::run(
                &corpus::file(file),
                format,
                &[harness::convert(Format::Pdf)],
            )
            .unwrap()
        };
        assert_eq!(make().artifact.sha256, make().artifact.sha256, "{file}");
    });
}

/// Converts a file of the corpus to PDF with options.
fn printed(
    file: &str,
    options: impl FnOnce(&mut ConvertOptions),
) -> Result<Converted, JobErrorCode> {
    let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
    let mut requested = ConvertOptions::to(Format::Pdf);
    options(&mut requested);
    let steps = [Operation::Convert(requested)];
    harness::code(harness::run(&corpus::file(file), format, &steps))
}

#[test]
fn every_encryption_opens_with_the_right_password_only() {
    let entries = corpus::entries(&["office-encrypted"], &["password_required"]);
    harness::each(entries, |(entry, _)| {
        let with = |password: Option<&str>| {
            printed(&entry.file, |requested| {
                requested.password =
                    password.map(|text| Password::try_from(text.to_owned()).unwrap());
            })
        };
        let rejected = |password: Option<&str>| with(password).err();
        let file = &entry.file;
        if file.ends_with(".ppt") {
            // LibreOffice cannot decrypt these formats.
            let locked = Some(JobErrorCode::PasswordRequired);
            assert_eq!(rejected(entry.password.as_deref()), locked, "{file}");
            return;
        }
        assert_eq!(
            rejected(None),
            Some(JobErrorCode::PasswordRequired),
            "{file}"
        );
        let incorrect = Some(JobErrorCode::PasswordIncorrect);
        assert_eq!(rejected(Some("not it")), incorrect, "{file}");
        let result = with(entry.password.as_deref());
        let result = result.unwrap_or_else(|code| panic!("{file}: {code:?}"));
        assert!(!poppler::words(result.path()).is_empty(), "{file}");
        assert!(
            result.warnings().contains(&"content_not_verified"),
            "{file}"
        );
    });
}

#[test]
fn unprotected_documents_ignore_a_password() {
    let result = printed("docx/word_sample.docx", |requested| {
        requested.password = Password::try_from("any".to_owned()).ok();
    });
    assert_eq!(result.unwrap().warnings(), Vec::<&str>::new());
}

#[test]
fn page_selection_matches_the_full_document() {
    let file = "docx/pages_12.docx";
    let original = poppler::texts(printed(file, |_| {}).unwrap().path());
    let of = |ranges: &str| {
        printed(file, |requested| {
            requested.pages = PageRanges::try_from(ranges.to_owned()).ok();
        })
    };
    let last = original.len() - 1;
    for (ranges, pages) in [("2-3,last", vec![1, 2, last]), ("3,1", vec![0, 2])] {
        let result = of(ranges).unwrap();
        let expected: Vec<_> = pages.iter().map(|page| original[*page].clone()).collect();
        assert_eq!(poppler::texts(result.path()), expected, "{ranges}");
        assert_eq!(result.artifact.pages as usize, pages.len());
        assert_eq!(poppler::field(result.path(), "Tagged"), "yes");
    }
    assert_eq!(poppler::texts(of("1-last").unwrap().path()), original);
    let beyond = of(&format!("1-{}", original.len() + 1)).err();
    assert_eq!(beyond, Some(JobErrorCode::PageRangeInvalid));
}

#[test]
fn export_options_are_applied() {
    let pages = |file: &str, options: fn(&mut ConvertOptions)| {
        poppler::pages(printed(file, options).unwrap().path())
    };
    let sheets = "xlsx/merged_range.xlsx";
    let single = pages(sheets, |requested| {
        requested.single_page_sheets = Some(true)
    });
    assert!(single < pages(sheets, |_| {}), "{single}");
    let slides = "pptx/sld-notes.pptx";
    let with_notes = pages(slides, |requested| requested.notes = Some(true));
    assert!(with_notes > pages(slides, |_| {}), "{with_notes}");
    let untagged = printed("docx/word_sample.docx", |requested| {
        requested.tagged = Some(false)
    });
    assert_eq!(poppler::field(untagged.unwrap().path(), "Tagged"), "no");
}

#[test]
fn notes_pages_count_as_pages() {
    let printed = |ranges: Option<&str>| {
        let result = printed("pptx/sld-notes.pptx", |requested| {
            requested.notes = Some(true);
            requested.pages = ranges.and_then(|text| PageRanges::try_from(text.to_owned()).ok());
        });
        poppler::texts(result.unwrap().path())
    };
    let original = printed(None);
    for page in 1..=original.len() {
        let one = printed(Some(&page.to_string()));
        assert_eq!(one, original[page - 1..page], "{page}");
    }
}

#[test]
fn hidden_sheets_are_never_printed() {
    let workbook =
        sample_documents::sheets(&[("first", false), ("unseen", true), ("last", false)], 0);
    let layouts: [fn(&mut ConvertOptions); 3] = [
        |_| {},
        |requested| requested.single_page_sheets = Some(true),
        |requested| requested.fit_to_width = Some(true),
    ];
    for layout in layouts {
        let mut requested = ConvertOptions::to(Format::Pdf);
        layout(&mut requested);
        let result = harness::run_bytes(&workbook, Format::Xlsx, &[Operation::Convert(requested)]);
        let pages = poppler::texts(result.unwrap().path());
        let words: Vec<&str> = pages.iter().map(|page| page.trim()).collect();
        assert_eq!(words, ["first", "last"]);
    }
}

#[test]
fn hidden_slides_are_not_printed() {
    let slides = std::fs::read(corpus::file("pptx/powerpoint_sample.pptx")).unwrap();
    let hidden = sample_documents::with_part(&slides, "ppt/slides/slide2.xml", |slide| {
        slide.replacen("<p:sld ", "<p:sld show=\"0\" ", 1)
    });
    let printed = |slides: &[u8], ranges: Option<&str>| {
        let mut requested = ConvertOptions::to(Format::Pdf);
        requested.pages = ranges.and_then(|text| PageRanges::try_from(text.to_owned()).ok());
        let result = harness::run_bytes(slides, Format::Pptx, &[Operation::Convert(requested)]);
        poppler::texts(result.unwrap().path())
    };
    let all = printed(&slides, None);
    assert_eq!(all.len(), 3);
    let visible = [all[0].clone(), all[2].clone()];
    assert_eq!(printed(&hidden, None), visible);
    assert_eq!(printed(&hidden, Some("2")), visible[1..]);
}

#[test]
fn single_page_sheets_contain_all_cells() {
    let rows: Vec<String> = (1..=120)
        .map(|at| format!("a{at},b,c,d,e,f,g,h,i,j{at}"))
        .collect();
    let mut requested = ConvertOptions::to(Format::Pdf);
    requested.single_page_sheets = Some(true);
    let table = rows.join("\n");
    let result = harness::run_bytes(
        table.as_bytes(),
        Format::Csv,
        &[Operation::Convert(requested)],
    );
    let pages = poppler::texts(result.unwrap().path());
    assert_eq!(pages.len(), 1);
    for cell in ["a1", "j1", "a120", "j120"] {
        assert!(pages[0].contains(cell), "{cell}");
    }
}

#[test]
fn fit_to_width_puts_all_columns_on_one_page() {
    let row = |row: u32| (1..=60).map(move |column| format!("r{row}c{column}"));
    let rows: Vec<String> = (1..=100)
        .map(|at| row(at).collect::<Vec<_>>().join(","))
        .collect();
    let printed = |options: fn(&mut ConvertOptions)| {
        let mut requested = ConvertOptions::to(Format::Pdf);
        options(&mut requested);
        let result = harness::run_bytes(
            rows.join("\n").as_bytes(),
            Format::Csv,
            &[Operation::Convert(requested)],
        );
        poppler::texts(result.unwrap().path())
    };
    let cut = printed(|_| {});
    assert!(!cut[0].contains("r1c60"), "{}", cut[0]);
    let fitted = printed(|requested| requested.fit_to_width = Some(true));
    assert!(
        fitted.len() < cut.len(),
        "{} of {}",
        fitted.len(),
        cut.len()
    );
    let mut next = 1;
    for page in &fitted {
        while page.contains(&format!("r{next}c1 ")) {
            assert!(page.contains(&format!("r{next}c60")), "row {next}");
            next += 1;
        }
    }
    assert_eq!(next, 101);
}

#[test]
fn lower_image_quality_and_resolution_yield_smaller_files() {
    let size = |options: fn(&mut ConvertOptions)| {
        printed("odt/feature_images.odt", options)
            .unwrap()
            .artifact
            .size_bytes
    };
    let original = size(|_| {});
    let worse = size(|requested| requested.image_quality = Quality::try_from(20).ok());
    assert!(worse < original, "{worse} {original}");
    let smaller = size(|requested| requested.image_resolution = Resolution::try_from(75).ok());
    assert!(smaller < original, "{smaller} {original}");
}

/// A document with a word in each of these fonts.
fn in_fonts(fonts: &[&str]) -> Vec<u8> {
    let paragraph = |font: &&str| {
        format!(
            r#"<w:p><w:r><w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/></w:rPr><w:t>word</w:t></w:r></w:p>"#
        )
    };
    let body: String = fonts.iter().map(paragraph).collect();
    sample_documents::docx(&body, "")
}

#[test]
fn substituted_fonts_are_listed_with_their_substitutes() {
    let print = |fonts: &[&str]| {
        let pdf = [harness::convert(Format::Pdf)];
        harness::run_bytes(&in_fonts(fonts), Format::Docx, &pdf).unwrap()
    };
    let result = print(&["Verdana", "Calibri", "DejaVu Sans", "No Such Font"]);
    assert_eq!(result.warnings(), ["fonts_replaced"]);
    let message = &result.artifact.warnings[0].message;
    for part in [
        "Verdana by DejaVu Sans",
        "No Such Font by ",
        "with the same character widths, Calibri by Carlito",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains("DejaVu Sans by"), "{message}");
    let result = print(&[
        "Calibri",
        "Cambria",
        "Arial",
        "Times New Roman",
        "DejaVu Sans",
    ]);
    assert_eq!(result.warnings(), Vec::<&str>::new());
}
