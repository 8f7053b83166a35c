//! The memory of writers does not grow with the number of pages.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs::File;
use std::io::BufWriter;

use layout::writers::{
    Metadata, NoPictures, Result, TableSelection, Writer, csv, docx, fixed, html, json, markdown,
    pptx, text, xlsx,
};
use layout::{
    Alignment, Basis, Block, Cell, Content, FixedPage, Line, Page, Rect, Run, Script, Size, Style,
    Table,
};

/// Creates a writer of such pages into a file.
type Make<'a, P> = dyn Fn(BufWriter<File>) -> Result<Box<dyn Writer<P>>> + 'a;

/// Creates a page with about 24 kB of text.
fn page(number: u32) -> Page {
    let mut blocks = vec![paragraph("goes on ", number > 1)];
    blocks.extend((0..10).map(|_| paragraph("words that fill a page ", false)));
    blocks.push(Block {
        bounds: None,
        quote_depth: 0,
        content: Content::Table(table()),
    });
    blocks.push(paragraph("goes on ", false));
    blocks.push(Block {
        bounds: None,
        quote_depth: 0,
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
        quote_depth: 0,
        content: Content::Paragraph {
            runs,
            alignment: Alignment::Start,
            continues,
            preformatted: false,
        },
    }
}

fn table() -> Table {
    let cell = |place: usize| Cell {
        row: place / 4,
        column: place % 4,
        blocks: vec![paragraph("cell ", false)],
        ..Cell::default()
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

/// Returns the peak memory of this process, kilobytes.
fn most() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn written<P>(pages: u32, page: fn(u32) -> P, make: &Make<'_, P>) {
    let mut writer = make(BufWriter::new(tempfile::tempfile().unwrap())).unwrap();
    for number in 1..=pages {
        writer.page(page(number)).unwrap();
    }
    writer.finish().unwrap();
}

fn assert_bounded_memory<P>(page: fn(u32) -> P, writers: &[(&str, &Make<'_, P>)]) {
    for (name, make) in writers {
        written(10, page, make);
        let before = most();
        // 7 MB of text.
        written(300, page, make);
        let grown = most().saturating_sub(before);
        assert!(grown < 3_000, "{name}: {grown} kB more");
    }
}

#[test]
fn thirty_times_the_pages_need_no_more_memory() {
    let scratch = std::env::temp_dir();
    let writers: [(&str, &Make<'_, Page>); 8] = [
        ("text", &|file| text(file)),
        ("markdown", &|file| {
            markdown(file, &Metadata::default(), &NoPictures)
        }),
        ("html", &|file| {
            html(file, &Metadata::default(), &NoPictures)
        }),
        ("json", &|file| {
            json(file, &Metadata::default(), &NoPictures)
        }),
        ("csv", &|file| csv(file, TableSelection::All)),
        ("docx", &|file| {
            docx(file, &Metadata::default(), &NoPictures, &scratch)
        }),
        ("xlsx", &|file| xlsx(file, &Metadata::default())),
        ("pptx", &|file| {
            pptx(file, &Metadata::default(), &NoPictures)
        }),
    ];
    assert_bounded_memory(page, &writers);
}

/// Creates a page with about 24 kB of text, a line every 12 points.
fn fixed_page(number: u32) -> FixedPage {
    let line = |place: u16| {
        let top = f32::from(place) * 12.0;
        Line {
            bounds: Rect::between((50.0, top), (500.0, top + 12.0)),
            baseline: top + 10.0,
            angle: 0.0,
            runs: vec![run("words that fill a line ", 15)],
        }
    };
    FixedPage {
        number,
        size: Size {
            width: 595.0,
            height: 842.0,
        },
        lines: (0..70).map(line).collect(),
        ..FixedPage::default()
    }
}

#[test]
fn thirty_times_the_fixed_pages_need_no_more_memory() {
    let writers: [(&str, &Make<'_, FixedPage>); 4] = [
        ("text", &|file| fixed::text(file)),
        ("html", &|file| {
            fixed::html(file, &Metadata::default(), &NoPictures)
        }),
        ("docx", &|file| {
            fixed::docx(file, &Metadata::default(), &NoPictures)
        }),
        ("pptx", &|file| {
            fixed::pptx(file, &Metadata::default(), &NoPictures)
        }),
    ];
    assert_bounded_memory(fixed_page, &writers);
}
