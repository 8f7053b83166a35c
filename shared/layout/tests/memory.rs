//! What a writer holds does not grow with the pages that it was given.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs::File;
use std::io::BufWriter;

use layout::write::{
    Chosen, Facts, NoPictures, Outcome, Writer, csv, docx, html, json, markdown, pptx, text, xlsx,
};
use layout::{Alignment, Basis, Block, Cell, Content, Page, Run, Script, Size, Style, Table};

/// Gives a writer into a file.
type Make<'a> = dyn Fn(BufWriter<File>) -> Outcome<Box<dyn Writer>> + 'a;

/// About 24 kB of text.
fn page(number: u32) -> Page {
    let mut blocks = vec![paragraph("goes on ", number > 1)];
    blocks.extend((0..10).map(|_| paragraph("words that fill a page ", false)));
    blocks.push(Block {
        bounds: None,
        content: Content::Table(table()),
    });
    blocks.push(paragraph("goes on ", false));
    blocks.push(Block {
        bounds: None,
        content: Content::Footnote {
            label: "1".to_owned(),
            runs: vec![run("a note ", 40)],
        },
    });
    Page {
        number,
        size: Size {
            width: 595.0,
            height: 842.0,
        },
        basis: Basis::Geometry,
        header: Vec::new(),
        blocks,
        footer: Vec::new(),
    }
}

fn paragraph(words: &str, continues: bool) -> Block {
    let mut mark = run("1", 1);
    mark.style.script = Script::Super;
    let runs = vec![run(words, 80), mark];
    Block {
        bounds: None,
        content: Content::Paragraph {
            runs,
            alignment: Alignment::Start,
            continues,
        },
    }
}

fn table() -> Table {
    let cell = |place: usize| Cell {
        row: place / 4,
        column: place % 4,
        row_span: 1,
        column_span: 1,
        blocks: vec![paragraph("cell ", false)],
    };
    Table {
        widths: vec![100.0; 4],
        rows: 3,
        header_rows: 1,
        cells: (0..12).map(cell).collect(),
        ruled: true,
        confidence: 1.0,
        continues: false,
    }
}

fn run(words: &str, times: usize) -> Run {
    Run {
        text: words.repeat(times),
        style: Style::default(),
        link: None,
    }
}

/// The most memory that this process had, kilobytes.
fn most() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn written(pages: u32, make: &Make<'_>) {
    let mut writer = make(BufWriter::new(tempfile::tempfile().unwrap())).unwrap();
    for number in 1..=pages {
        writer.page(page(number)).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn thirty_times_the_pages_need_no_more_memory() {
    let scratch = std::env::temp_dir();
    let writers: [(&str, &Make<'_>); 8] = [
        ("text", &|file| text(file)),
        ("markdown", &|file| markdown(file, &Facts::default())),
        ("html", &|file| html(file, &Facts::default(), &NoPictures)),
        ("json", &|file| json(file, &Facts::default(), &NoPictures)),
        ("csv", &|file| csv(file, Chosen::All)),
        ("docx", &|file| {
            docx(file, &Facts::default(), &NoPictures, &scratch)
        }),
        ("xlsx", &|file| xlsx(file, &Facts::default())),
        ("pptx", &|file| pptx(file, &Facts::default(), &NoPictures)),
    ];
    for (name, make) in writers {
        written(20, make);
        let before = most();
        // 15 MB of text.
        written(600, make);
        let grown = most() - before;
        assert!(grown < 3_000, "{name}: {grown} kB more");
    }
}
