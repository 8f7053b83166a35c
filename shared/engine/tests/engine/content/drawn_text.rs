//! Text of charts, diagrams and headers of a source, and results without it.

use domain::format::Format;

use super::{convert, found};
use crate::corpus;
use crate::harness;
use crate::sample_documents::with_part;

/// A document, and the same without a chart, diagram or header with this number of words.
struct Sample {
    format: Format,
    source: Vec<u8>,
    plain: Vec<u8>,
    words: u64,
    targets: &'static [Format],
}

#[test]
fn results_without_a_chart_a_diagram_or_a_header_are_found() {
    let samples = [with_chart(), with_diagram(), with_header()];
    let cases = samples
        .iter()
        .flat_map(|sample| sample.targets.iter().map(move |to| (sample, *to)));
    harness::each(cases.collect(), |(sample, to)| {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = directory
                .path()
                .join(format!("{name}.{}", sample.format.extension()));
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let (source, plain) = (
            write("source", &sample.source),
            write("plain", &sample.plain),
        );
        let complete = found(
            convert(&source, sample.format, to).path(),
            (&source, sample.format),
            to,
        );
        assert_eq!(complete.words, 0, "{} to {to}", sample.format);
        let lacking = found(
            convert(&plain, sample.format, to).path(),
            (&source, sample.format),
            to,
        );
        assert_eq!(lacking.words, sample.words, "{} to {to}", sample.format);
    });
}

/// A pie chart with a title and the names of eight months.
fn with_chart() -> Sample {
    let source = std::fs::read(corpus::file("docx/testWORD_charts.docx")).unwrap();
    let plain = with_part(&source, "word/document.xml", |part| {
        let (before, rest) = part.split_once("<w:drawing>").unwrap();
        let (_, after) = rest.split_once("</w:drawing>").unwrap();
        format!("{before}<w:t>plain</w:t>{after}")
    });
    Sample {
        format: Format::Docx,
        source,
        plain,
        // The article of the title may be a letter of another word.
        words: 10,
        targets: &[Format::Pdf, Format::Odt],
    }
}

fn with_diagram() -> Sample {
    let plain = std::fs::read(corpus::file("pptx/SmartArt.pptx")).unwrap();
    let run = "<a:r><a:rPr lang=\"en-US\" sz=\"2000\"/><a:t>Ferries sail daily</a:t></a:r>";
    let source = with_part(&plain, "ppt/diagrams/drawing1.xml", |part| {
        part.replacen("<a:endParaRPr", &format!("{run}<a:endParaRPr"), 1)
    });
    Sample {
        format: Format::Pptx,
        source,
        plain,
        words: 3,
        targets: &[Format::Pdf, Format::Odp],
    }
}

fn with_header() -> Sample {
    let page = [
        harness::convert(Format::Docx),
        harness::convert(Format::Odt),
    ];
    let plain = harness::run_bytes(b"<p>text</p>", Format::Html, &page)
        .unwrap()
        .bytes();
    let source = with_part(&plain, "styles.xml", |part| {
        let (before, rest) = part
            .split_once("<style:master-page style:name=\"Standard\"")
            .unwrap();
        let (attributes, after) = rest.split_once("/>").unwrap();
        format!(
            "{before}<style:master-page style:name=\"Standard\"{attributes}><style:header><text:p>Harbour timetable</text:p></style:header></style:master-page>{after}"
        )
    });
    Sample {
        format: Format::Odt,
        source,
        plain,
        words: 2,
        targets: &[Format::Pdf, Format::Docx, Format::Rtf],
    }
}
