//! Office documents become PDF.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation, PageRanges, Password, Quality, Resolution};

use crate::rig::Made;
use crate::{corpus, documents, poppler, rig};

const KINDS: &[&str] = &[
    "docx", "doc", "odt", "rtf", "txt", "xlsx", "xls", "ods", "csv", "tsv", "pptx", "ppt", "odp",
];

#[test]
fn every_kind_becomes_pdf_with_the_known_pages() {
    rig::each(corpus::good(KINDS, 2), |(entry, format)| {
        let made = rig::run(&entry.path(), format, &[rig::convert(Format::Pdf)]);
        let made = made.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        let pages = poppler::pages(made.path());
        assert_eq!(made.artifact.pages, pages, "{}", entry.file);
        assert_eq!(made.artifact.content_type, "application/pdf");
        assert_eq!(made.artifact.extension, "pdf");
        if let Some(known) = entry.pages {
            assert_eq!(pages, known, "{}", entry.file);
        } else if let Some(hint) = entry.pages_libreoffice {
            let most = hint + 2 + hint / 5;
            assert!(
                (1..=most).contains(&pages),
                "{}: {pages}, not {hint}",
                entry.file
            );
        }
        assert!(
            made.artifact.engine.starts_with("libreoffice "),
            "{}",
            made.artifact.engine
        );
    });
}

#[test]
fn a_table_in_text_keeps_its_columns_and_characters() {
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
        let made = rig::run(&path, format, &[rig::convert(Format::Pdf)]).unwrap();
        let words = poppler::words(made.path());
        for word in ["Größe", "x;y", "3,5"] {
            assert!(words.iter().any(|found| found == word), "{name}: {words:?}");
        }
    }
}

#[test]
fn paper_is_a4_and_the_result_is_tagged() {
    for file in [
        "csv/csv-semicolon.csv",
        "xlsx/merged_range.xlsx",
        "txt/unicode_polish_utf8.txt",
    ] {
        let source = corpus::file(file);
        let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
        let made = rig::run(&source, format, &[rig::convert(Format::Pdf)]).unwrap();
        assert_eq!(poppler::field(made.path(), "Tagged"), "yes", "{file}");
        let size = poppler::field(made.path(), "Page size");
        assert!(size.ends_with("(A4)"), "{file}: {size}");
    }
}

#[test]
fn charts_equations_and_the_text_of_links_that_are_not_followed_are_there() {
    for (file, expected) in [
        ("docx/testWORD_charts.docx", ["January", "August"]),
        ("docx/equations.docx", ["F=ma", "Pythagorean"]),
        (
            "hostile/testExternalRefs.docx",
            ["INCLUDEPICTURE:[Image", "LINK:[Link"],
        ),
    ] {
        let source = corpus::file(file);
        let made = rig::run(&source, Format::Docx, &[rig::convert(Format::Pdf)]).unwrap();
        let words = poppler::words(made.path());
        for word in expected {
            assert!(words.iter().any(|found| found == word), "{file}: {words:?}");
        }
    }
}

#[test]
fn the_same_document_becomes_the_same_bytes() {
    let files = [
        "docx/word_sample.docx",
        "xlsx/WithThreeCharts.xlsx",
        "pptx/powerpoint_sample.pptx",
        "odt/feature_images.odt",
    ];
    rig::each(files.to_vec(), |file| {
        let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
        let make = || rig::run(&corpus::file(file), format, &[rig::convert(Format::Pdf)]).unwrap();
        assert_eq!(make().artifact.sha256, make().artifact.sha256, "{file}");
    });
}

/// Converts a file of the corpus to PDF with options.
fn printed(file: &str, options: impl FnOnce(&mut ConvertOptions)) -> Result<Made, JobErrorCode> {
    let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
    let mut asked = ConvertOptions::to(Format::Pdf);
    options(&mut asked);
    let steps = [Operation::Convert(asked)];
    rig::code(rig::run(&corpus::file(file), format, &steps))
}

#[test]
fn a_password_opens_every_kind_of_encrypted_document_and_another_one_none() {
    let entries = corpus::entries(&["office-encrypted"], &["password_required"]);
    rig::each(entries, |(entry, _)| {
        let with = |password: Option<&str>| {
            printed(&entry.file, |asked| {
                asked.password = password.map(|text| Password::try_from(text.to_owned()).unwrap());
            })
        };
        let refused = |password: Option<&str>| with(password).err();
        let file = &entry.file;
        if file.ends_with(".ppt") {
            // LibreOffice decrypts none of these.
            let locked = Some(JobErrorCode::PasswordRequired);
            assert_eq!(refused(entry.password.as_deref()), locked, "{file}");
            return;
        }
        assert_eq!(
            refused(None),
            Some(JobErrorCode::PasswordRequired),
            "{file}"
        );
        let incorrect = Some(JobErrorCode::PasswordIncorrect);
        assert_eq!(refused(Some("not it")), incorrect, "{file}");
        let made = with(entry.password.as_deref());
        let made = made.unwrap_or_else(|code| panic!("{file}: {code:?}"));
        assert!(!poppler::words(made.path()).is_empty(), "{file}");
    });
}

#[test]
fn a_document_that_is_open_does_not_mind_a_password() {
    let made = printed("docx/word_sample.docx", |asked| {
        asked.password = Password::try_from("any".to_owned()).ok();
    });
    assert_eq!(made.unwrap().warnings(), Vec::<&str>::new());
}

#[test]
fn some_pages_are_those_of_the_whole() {
    let file = "docx/pages_12.docx";
    let whole = poppler::texts(printed(file, |_| {}).unwrap().path());
    let of = |ranges: &str| {
        printed(file, |asked| {
            asked.pages = PageRanges::try_from(ranges.to_owned()).ok();
        })
    };
    let last = whole.len() - 1;
    for (ranges, pages) in [("2-3,last", vec![1, 2, last]), ("3,1", vec![0, 2])] {
        let made = of(ranges).unwrap();
        let expected: Vec<_> = pages.iter().map(|page| whole[*page].clone()).collect();
        assert_eq!(poppler::texts(made.path()), expected, "{ranges}");
        assert_eq!(made.artifact.pages as usize, pages.len());
        assert_eq!(poppler::field(made.path(), "Tagged"), "yes");
    }
    assert_eq!(poppler::texts(of("1-last").unwrap().path()), whole);
    let beyond = of(&format!("1-{}", whole.len() + 1)).err();
    assert_eq!(beyond, Some(JobErrorCode::PageRangeInvalid));
}

#[test]
fn options_reach_the_printed_document() {
    let pages = |file: &str, options: fn(&mut ConvertOptions)| {
        poppler::pages(printed(file, options).unwrap().path())
    };
    let sheets = "xlsx/merged_range.xlsx";
    let single = pages(sheets, |asked| asked.single_page_sheets = Some(true));
    assert!(single < pages(sheets, |_| {}), "{single}");
    let slides = "pptx/sld-notes.pptx";
    let with_notes = pages(slides, |asked| asked.notes = Some(true));
    assert!(with_notes > pages(slides, |_| {}), "{with_notes}");
    let untagged = printed("docx/word_sample.docx", |asked| asked.tagged = Some(false));
    assert_eq!(poppler::field(untagged.unwrap().path(), "Tagged"), "no");
}

#[test]
fn pages_of_notes_are_pages_too() {
    let printed = |ranges: Option<&str>| {
        let made = printed("pptx/sld-notes.pptx", |asked| {
            asked.notes = Some(true);
            asked.pages = ranges.and_then(|text| PageRanges::try_from(text.to_owned()).ok());
        });
        poppler::texts(made.unwrap().path())
    };
    let whole = printed(None);
    for page in 1..=whole.len() {
        let one = printed(Some(&page.to_string()));
        assert_eq!(one, whole[page - 1..page], "{page}");
    }
}

#[test]
fn hidden_sheets_are_not_printed_however_sheets_are_laid_out() {
    let workbook = documents::sheets(&[("first", false), ("unseen", true), ("last", false)], 0);
    let layouts: [fn(&mut ConvertOptions); 3] = [
        |_| {},
        |asked| asked.single_page_sheets = Some(true),
        |asked| asked.fit_to_width = Some(true),
    ];
    for layout in layouts {
        let mut asked = ConvertOptions::to(Format::Pdf);
        layout(&mut asked);
        let made = rig::run_bytes(&workbook, Format::Xlsx, &[Operation::Convert(asked)]);
        let pages = poppler::texts(made.unwrap().path());
        let words: Vec<&str> = pages.iter().map(|page| page.trim()).collect();
        assert_eq!(words, ["first", "last"]);
    }
}

#[test]
fn a_hidden_slide_is_no_page() {
    let slides = std::fs::read(corpus::file("pptx/powerpoint_sample.pptx")).unwrap();
    let hidden = documents::with_part(&slides, "ppt/slides/slide2.xml", |slide| {
        slide.replacen("<p:sld ", "<p:sld show=\"0\" ", 1)
    });
    let printed = |slides: &[u8], ranges: Option<&str>| {
        let mut asked = ConvertOptions::to(Format::Pdf);
        asked.pages = ranges.and_then(|text| PageRanges::try_from(text.to_owned()).ok());
        let made = rig::run_bytes(slides, Format::Pptx, &[Operation::Convert(asked)]);
        poppler::texts(made.unwrap().path())
    };
    let all = printed(&slides, None);
    assert_eq!(all.len(), 3);
    let shown = [all[0].clone(), all[2].clone()];
    assert_eq!(printed(&hidden, None), shown);
    assert_eq!(printed(&hidden, Some("2")), shown[1..]);
}

#[test]
fn a_sheet_that_is_one_page_holds_all_of_it() {
    let rows: Vec<String> = (1..=120)
        .map(|at| format!("a{at},b,c,d,e,f,g,h,i,j{at}"))
        .collect();
    let mut asked = ConvertOptions::to(Format::Pdf);
    asked.single_page_sheets = Some(true);
    let table = rows.join("\n");
    let made = rig::run_bytes(table.as_bytes(), Format::Csv, &[Operation::Convert(asked)]);
    let pages = poppler::texts(made.unwrap().path());
    assert_eq!(pages.len(), 1);
    for cell in ["a1", "j1", "a120", "j120"] {
        assert!(pages[0].contains(cell), "{cell}");
    }
}

#[test]
fn a_wide_sheet_is_one_page_wide_when_asked() {
    let row = |row: u32| (1..=60).map(move |column| format!("r{row}c{column}"));
    let rows: Vec<String> = (1..=100)
        .map(|at| row(at).collect::<Vec<_>>().join(","))
        .collect();
    let printed = |options: fn(&mut ConvertOptions)| {
        let mut asked = ConvertOptions::to(Format::Pdf);
        options(&mut asked);
        let made = rig::run_bytes(
            rows.join("\n").as_bytes(),
            Format::Csv,
            &[Operation::Convert(asked)],
        );
        poppler::texts(made.unwrap().path())
    };
    let cut = printed(|_| {});
    assert!(!cut[0].contains("r1c60"), "{}", cut[0]);
    let fitted = printed(|asked| asked.fit_to_width = Some(true));
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
fn pictures_take_fewer_bytes_at_less_quality_and_resolution() {
    let size = |options: fn(&mut ConvertOptions)| {
        printed("odt/feature_images.odt", options)
            .unwrap()
            .artifact
            .size_bytes
    };
    let whole = size(|_| {});
    let worse = size(|asked| asked.image_quality = Quality::try_from(20).ok());
    assert!(worse < whole, "{worse} {whole}");
    let smaller = size(|asked| asked.image_resolution = Resolution::try_from(75).ok());
    assert!(smaller < whole, "{smaller} {whole}");
}

/// A document with a word in each of these fonts.
fn in_fonts(fonts: &[&str]) -> Vec<u8> {
    let paragraph = |font: &&str| {
        format!(
            r#"<w:p><w:r><w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/></w:rPr><w:t>word</w:t></w:r></w:p>"#
        )
    };
    let body: String = fonts.iter().map(paragraph).collect();
    documents::docx(&body, "")
}

#[test]
fn fonts_that_are_replaced_are_told_with_what_replaces_them() {
    let print = |fonts: &[&str]| {
        let pdf = [rig::convert(Format::Pdf)];
        rig::run_bytes(&in_fonts(fonts), Format::Docx, &pdf).unwrap()
    };
    let made = print(&["Verdana", "Calibri", "DejaVu Sans", "No Such Font"]);
    assert_eq!(made.warnings(), ["fonts_replaced"]);
    let message = &made.artifact.warnings[0].message;
    for part in [
        "Verdana by DejaVu Sans",
        "No Such Font by ",
        "as wide, Calibri by Carlito",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains("DejaVu Sans by"), "{message}");
    let made = print(&[
        "Calibri",
        "Cambria",
        "Arial",
        "Times New Roman",
        "DejaVu Sans",
    ]);
    assert_eq!(made.warnings(), Vec::<&str>::new());
}
