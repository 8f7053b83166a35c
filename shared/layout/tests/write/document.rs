//! Sample documents of the model, and shorthands.

use std::io::{Cursor, Read, Result};

use layout::writers::{Metadata, PictureFormat, PictureInfo, Pictures};
use layout::{
    Alignment, Basis, Block, Cell, Content, Item, Page, Rect, Run, Script, Size, Style, Table,
};

pub(crate) const PORTRAIT: Size = Size {
    width: 595.0,
    height: 842.0,
};
pub(crate) const LANDSCAPE: Size = Size {
    width: 842.0,
    height: 595.0,
};

/// A PNG with one red pixel.
pub(crate) const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDAT\x08\xd7c\xf8\xcf\xc0\0\0\x03\x01\x01\0\x18\xdd\x8d\xb0\0\0\0\0IEND\xaeB`\x82";

/// Picture 0 is [`RED`]; there is no other.
pub(crate) struct OnePicture;

impl Pictures for OnePicture {
    fn info(&self, image: usize) -> Result<Option<PictureInfo>> {
        let format = PictureFormat::Png;
        Ok((image == 0).then_some(PictureInfo {
            format,
            width: 1,
            height: 1,
        }))
    }

    fn open(&self, _: usize) -> Result<Box<dyn Read + '_>> {
        Ok(Box::new(Cursor::new(RED)))
    }
}

pub(crate) fn facts() -> Metadata {
    Metadata {
        title: Some("Of <everything> & \"more\"".to_owned()),
        language: Some("en".to_owned()),
    }
}

/// Returns pages with every kind of content.
pub(crate) fn rich() -> Vec<Page> {
    vec![first(), second(), third(), fourth()]
}

/// Returns quotations, tasks and code below a centered heading.
pub(crate) fn marked() -> Vec<Page> {
    let quoted = |depth, block: Block| Block {
        quote_depth: depth,
        ..block
    };
    let mut title = heading(1, "In the middle");
    if let Content::Heading { alignment, .. } = &mut title.content {
        *alignment = Alignment::Center;
    }
    let mut code = run("    let one = 1;");
    code.style.monospaced = true;
    let code = Content::Paragraph {
        runs: vec![code],
        alignment: Alignment::Start,
        continues: false,
        preformatted: true,
    };
    let tasks = vec![
        item(0, "☐", "To do"),
        item(1, "☑", "Done"),
        item(0, "•", "Neither"),
    ];
    let items = vec![item(0, "1.", "Quoted item")];
    let blocks = vec![
        title,
        quoted(1, paragraph(vec![run("Quoted")])),
        quoted(2, paragraph(vec![run("Within,\nthe other line")])),
        quoted(1, block(code.clone())),
        quoted(1, block(Content::List { items })),
        quoted(
            1,
            block(Content::Table(table(1, 1, &[&["Head"], &["Cell"]]))),
        ),
        paragraph(vec![run("Not quoted")]),
        block(code),
        block(Content::List { items: tasks }),
    ];
    vec![Page {
        header: Vec::new(),
        footer: Vec::new(),
        ..page(1, PORTRAIT, blocks)
    }]
}

fn first() -> Page {
    let blocks = vec![
        positioned_at(
            72.0,
            90.0,
            heading(1, "1. Escapes: <tags> & *stars*, of_all #"),
        ),
        positioned_at(110.0, 160.0, paragraph(styled_runs())),
        positioned_at(170.0, 185.0, paragraph(vec![run("שלום עולם (2)")])),
        positioned_at(190.0, 260.0, block(Content::List { items: items() })),
        positioned_at(270.0, 360.0, block(Content::Table(spanning()))),
        positioned_at(
            370.0,
            420.0,
            block(Content::Image {
                image: 0,
                alternative: Some("A red \"dot\"".to_owned()),
            }),
        ),
        block(Content::Image {
            image: 1,
            alternative: Some("Lost picture".to_owned()),
        }),
        positioned_at(
            700.0,
            720.0,
            paragraph(vec![run("This sentence begins on the first page and")]),
        ),
        block(Content::Footnote {
            label: "1".to_owned(),
            runs: vec![
                run("A note with a "),
                linked("link", "https://example.org/note"),
            ],
        }),
        block(Content::Footnote {
            label: "*".to_owned(),
            runs: vec![run("A note that nothing refers to.")],
        }),
    ];
    page(1, PORTRAIT, blocks)
}

fn second() -> Page {
    let mut blocks = vec![paragraph(vec![
        run("ends on the second"),
        script("1", Script::Super),
        run("."),
    ])];
    if let Some(Block {
        content: Content::Paragraph { continues, .. },
        ..
    }) = blocks.first_mut()
    {
        *continues = true;
    }
    blocks.push(heading(2, "A table over pages"));
    blocks.push(block(Content::Table(table(
        2,
        1,
        &[&["Name", "Amount"], &["Ant", "1,234.50"]],
    ))));
    blocks.push(block(Content::Footnote {
        label: "1".to_owned(),
        runs: vec![run("The note of another page.")],
    }));
    page(2, PORTRAIT, blocks)
}

fn third() -> Page {
    let rows: &[&[&str]] = &[
        &["Name", "Amount"],
        &["=Bee", "0042"],
        &["Cat, \"big\"", "2024-03-05"],
    ];
    let continued = Table {
        continues: true,
        ..table(2, 1, rows)
    };
    let mut code = run("let a = `b`;\n    a * 2");
    code.style.monospaced = true;
    let blocks = vec![
        block(Content::Table(continued)),
        paragraph(vec![code]),
        block(Content::Rule),
    ];
    page(3, PORTRAIT, blocks)
}

fn fourth() -> Page {
    let mut centered = paragraph(vec![
        run("+ in the middle"),
        linked(" to page 1", "#page=1"),
        linked(" to run", "javascript:alert(1)"),
    ]);
    if let Content::Paragraph { alignment, .. } = &mut centered.content {
        *alignment = Alignment::Center;
    }
    let items = vec![
        item(0, "3.", "Third"),
        item(0, "4.", "Fourth"),
        item(0, "1.2.3", "Compound"),
        item(0, "9.", "Ninth"),
    ];
    page(4, LANDSCAPE, vec![centered, block(Content::List { items })])
}

fn styled_runs() -> Vec<Run> {
    let mut runs = vec![run("Plain, ")];
    for (text, set) in [
        ("bold ", (|style| style.bold = true) as fn(&mut Style)),
        ("both", |style| (style.bold, style.italic) = (true, true)),
        (" under", |style| style.underlined = true),
        (" struck", |style| style.strikethrough = true),
        (" red", |style| style.color = Some([200, 0, 16])),
        (" code|`x`", |style| style.monospaced = true),
    ] {
        let mut run = run(text);
        set(&mut run.style);
        runs.push(run);
    }
    runs.push(run(" H"));
    runs.push(script("2", Script::Sub));
    runs.push(run("O"));
    runs.push(script("1", Script::Super));
    runs.push(run(" in"));
    let mut inner = run("tra");
    inner.style.italic = true;
    runs.push(inner);
    runs.push(run("word,\n- a new line "));
    runs.push(linked("and a link", "https://example.org/a b?c=\"d\"&e"));
    runs
}

fn items() -> Vec<Item> {
    vec![
        item(0, "3.", "Three"),
        item(1, "•", "Bullet"),
        item(2, "–", "Dash"),
        item(1, "•", "Bullet again\nwith a second line"),
        item(0, "4.", "Four"),
        item(1, "a)", "Letter"),
        item(1, "b)", "Letter again"),
    ]
}

fn spanning() -> Table {
    let mut table = table(
        3,
        1,
        &[
            &["Both", "", "C|D"],
            &["Tall", "x\ty", "\"q\""],
            &["", "שלום", ""],
        ],
    );
    let taken = [(0, 1), (2, 0), (2, 2)];
    table
        .cells
        .retain(|cell| !taken.contains(&(cell.row, cell.column)));
    for cell in &mut table.cells {
        if (cell.row, cell.column) == (0, 0) {
            cell.column_span = 2;
        }
        if (cell.row, cell.column) == (1, 0) {
            cell.row_span = 2;
            cell.blocks.push(paragraph(vec![run("Second paragraph")]));
        }
    }
    Table {
        ruled: true,
        ..table
    }
}

pub(crate) fn page(number: u32, size: Size, blocks: Vec<Block>) -> Page {
    let footer = vec![paragraph(vec![run(&format!("Page {number}"))])];
    Page {
        number,
        size,
        basis: Basis::Geometry,
        header: vec![paragraph(vec![run("The header")])],
        blocks,
        footer,
    }
}

/// Creates pages of three chapters, whose headers have their names. The second page begins within a paragraph, the fourth one has
/// a heading with the text of the last header.
pub(crate) fn chapters() -> Vec<Page> {
    let paragraph = |text: &str, continues| {
        block(Content::Paragraph {
            runs: vec![run(text)],
            alignment: Alignment::Start,
            continues,
            preformatted: false,
        })
    };
    let page = |number, header: &str, blocks| Page {
        header: vec![self::paragraph(vec![run(header)])],
        ..page(number, PORTRAIT, blocks)
    };
    let mut appendix = page(5, "Three", vec![paragraph("fourth", false)]);
    appendix.footer = vec![self::paragraph(vec![run("Appendix")])];
    vec![
        page(1, "One", vec![paragraph("first", false)]),
        page(2, "Two", vec![paragraph("second", true)]),
        page(3, "Two", vec![paragraph("third", false)]),
        page(4, "Three", vec![heading(1, "Three")]),
        appendix,
    ]
}

pub(crate) fn table(columns: usize, header_rows: usize, rows: &[&[&str]]) -> Table {
    let cells = rows.iter().enumerate().flat_map(|(row, texts)| {
        texts.iter().enumerate().map(move |(column, text)| Cell {
            row,
            column,
            blocks: vec![paragraph(vec![run(text)])],
            ..Cell::default()
        })
    });
    Table {
        widths: vec![120.0; columns],
        rows: rows.len(),
        header_rows,
        cells: cells.collect(),
        ruled: false,
        confidence: 0.75,
        continues: false,
    }
}

pub(crate) fn heading(level: u8, text: &str) -> Block {
    block(Content::Heading {
        level,
        runs: vec![run(text)],
        alignment: Alignment::Start,
    })
}

pub(crate) fn paragraph(runs: Vec<Run>) -> Block {
    block(Content::Paragraph {
        runs,
        alignment: Alignment::Start,
        continues: false,
        preformatted: false,
    })
}

pub(crate) fn block(content: Content) -> Block {
    Block::from(content)
}

fn positioned_at(top: f32, bottom: f32, block: Block) -> Block {
    Block {
        bounds: Some(Rect {
            left: 72.0,
            top,
            right: 523.0,
            bottom,
        }),
        ..block
    }
}

pub(crate) fn item(level: u8, marker: &str, text: &str) -> Item {
    let ordered = marker.contains(|c: char| c.is_ascii_alphanumeric());
    Item {
        level,
        ordered,
        marker: marker.to_owned(),
        runs: vec![run(text)],
    }
}

pub(crate) fn run(text: &str) -> Run {
    let style = Style {
        font: "Liberation Serif".to_owned(),
        size: 11.0,
        ..Style::default()
    };
    Run {
        text: text.to_owned(),
        style,
        link: None,
    }
}

pub(crate) fn linked(text: &str, link: &str) -> Run {
    Run {
        link: Some(link.to_owned()),
        ..run(text)
    }
}

fn script(text: &str, script: Script) -> Run {
    let mut run = run(text);
    run.style.script = script;
    run
}
