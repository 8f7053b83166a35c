//! Documents opened by other programs have the content of the model in the same order.

use layout::{Block, Cell, Content, Item, Page, Rect, Table, plain};
use serde_json::{Value, json};

use crate::document::{LANDSCAPE, PORTRAIT, block, heading, item, linked, page, paragraph, run};
use crate::office::outlined;
use crate::printed::{Printed, by_libreoffice};

/// A deterministic pseudo-random number generator.
struct Random(u32);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) as usize % limit
    }
}

/// Creates a table whose cells cover it, many of them spanning several rows and columns.
fn tiled(random: &mut Random, name: usize) -> Table {
    let (rows, columns) = (2 + random.below(5), 2 + random.below(5));
    let mut taken = vec![vec![false; columns]; rows];
    let mut cells = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            if taken[row][column] {
                continue;
            }
            // Slides have no columns in which no cell begins.
            let mut column_span = 1;
            while row > 0
                && column + column_span < columns
                && !taken[row][column + column_span]
                && random.below(3) == 0
            {
                column_span += 1;
            }
            // Slides have no rows in which no cell begins.
            let row_span = if column > 0 {
                1 + random.below(rows - row).min(2)
            } else {
                1
            };
            for row in &mut taken[row..row + row_span] {
                row[column..column + column_span].fill(true);
            }
            let text = format!("t{name}r{row}c{column}");
            cells.push(Cell {
                row,
                column,
                row_span,
                column_span,
                blocks: vec![paragraph(vec![run(&text)])],
                ..Cell::default()
            });
        }
    }
    Table {
        widths: vec![60.0; columns],
        rows,
        header_rows: 0,
        cells,
        ruled: name.is_multiple_of(2),
        confidence: 1.0,
        continues: false,
    }
}

fn items() -> Vec<Item> {
    let mut items: Vec<_> = (0..9)
        .map(|level| item(level, "•", &format!("bullet{level}")))
        .collect();
    items.extend((1..4).map(|number| item(0, &format!("{number}."), &format!("counted{number}"))));
    items
}

/// Headings of all levels, lists, tables with spans, pictures and links.
fn catalog() -> Vec<Page> {
    let mut random = Random(7);
    let mut blocks: Vec<Block> = (1..=6)
        .map(|level| heading(level, &format!("Heading of level {level}")))
        .collect();
    blocks.push(block(Content::List { items: items() }));
    blocks.push(paragraph(vec![
        run("See "),
        linked("there", "https://a.b/c?d=e&f"),
        run(" and "),
        linked("mail", "mailto:a@b.c"),
    ]));
    let bounds = Rect::between((100.0, 500.0), (160.0, 540.0));
    let content = Content::Image {
        image: 0,
        alternative: Some("A <red> \"dot\" & more".to_owned()),
    };
    blocks.push(Block {
        bounds: Some(bounds),
        quote_depth: 0,
        content,
    });
    let tables = (0..12).map(|name| block(Content::Table(tiled(&mut random, name))));
    let mut pages = vec![page(1, PORTRAIT, blocks)];
    pages.extend(
        tables
            .zip(2..)
            .map(|(table, number)| page(number, PORTRAIT, vec![table])),
    );
    for page in &mut pages {
        page.header.clear();
        page.footer.clear();
    }
    pages
}

/// Returns the outline of the model in the format of `outline.py`; `knows_headings` depends on the file format.
fn outline(pages: &[Page], knows_headings: bool) -> Vec<Value> {
    let blocks = pages.iter().flat_map(|page| &page.blocks);
    blocks
        .flat_map(|block| of_block(block, knows_headings))
        .collect()
}

fn of_block(block: &Block, knows_headings: bool) -> Vec<Value> {
    match &block.content {
        Content::Heading { level, runs, .. } if knows_headings => {
            vec![json!(["heading", level, plain(runs)])]
        }
        Content::Heading { runs, .. } => vec![json!(["paragraph", plain(runs)])],
        Content::Paragraph { runs, .. } => {
            let links = runs
                .iter()
                .filter_map(|run| Some(json!(["link", run.text, run.link.as_ref()?])));
            std::iter::once(json!(["paragraph", plain(runs)]))
                .chain(links)
                .collect()
        }
        Content::List { items } => items
            .iter()
            .map(|item| json!(["item", item.level, plain(&item.runs)]))
            .collect(),
        Content::Table(table) => vec![json!([
            "table",
            table.cells.iter().map(of_cell).collect::<Vec<_>>()
        ])],
        Content::Image { alternative, .. } => {
            let bounds = block.bounds.unwrap();
            vec![json!([
                "picture",
                bounds.width() as u32,
                bounds.height() as u32,
                alternative
            ])]
        }
        Content::Rule | Content::Footnote { .. } => Vec::new(),
    }
}

fn of_cell(cell: &Cell) -> Value {
    let Some(Content::Paragraph { runs, .. }) = cell.blocks.first().map(|block| &block.content)
    else {
        panic!("a cell without text");
    };
    json!([
        cell.row,
        cell.column,
        cell.row_span,
        cell.column_span,
        plain(runs)
    ])
}

fn assert_found(found: &[Value], expected: &[Value]) {
    for (index, (one, other)) in found.iter().zip(expected).enumerate() {
        assert_eq!(one, other, "{index}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn python_docx_reads_the_model() {
    let found = outlined(&crate::docx::made(catalog()), "docx");
    assert_found(&found, &outline(&catalog(), true));
}

#[test]
fn python_pptx_reads_the_model() {
    let found = outlined(&crate::pptx::made(catalog()), "pptx");
    assert_found(&found, &outline(&catalog(), false));
}

#[test]
fn openpyxl_reads_the_tables_of_the_model() {
    let tables: Vec<Page> = catalog().into_iter().skip(1).collect();
    let found = outlined(&crate::xlsx::made(tables.clone()).0, "xlsx");
    assert_found(&found, &outline(&tables, true));
}

/// Creates pages of different sizes, each with room left and unique words.
fn apart() -> Vec<Page> {
    let sizes = [PORTRAIT, PORTRAIT, LANDSCAPE, LANDSCAPE, PORTRAIT];
    let one = |(size, number): (_, u32)| {
        let mut random = Random(number);
        let mut blocks = vec![heading(1, &format!("Heading{number}"))];
        blocks.extend(
            (0..6).map(|part| paragraph(vec![run(&format!("words{number}of{part} and others"))])),
        );
        blocks.push(block(Content::List { items: items() }));
        blocks.push(block(Content::Table(tiled(&mut random, number as usize))));
        for (place, block) in blocks.iter_mut().enumerate() {
            let top = 72.0 + 20.0 * place as f32;
            block.bounds = Some(Rect::between((72.0, top), (500.0, top + 14.0)));
        }
        page(number, size, blocks)
    };
    sizes.into_iter().zip(1..).map(one).collect()
}

/// Returns the words of a page with their styles, sorted.
fn words(page: &Page, with_edges: bool) -> Vec<String> {
    let edges: &[Block] = if with_edges { &page.header } else { &[] };
    let feet: &[Block] = if with_edges { &page.footer } else { &[] };
    let mut words = Vec::new();
    for block in edges.iter().chain(&page.blocks).chain(feet) {
        match &block.content {
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => {
                words.push(plain(runs))
            }
            Content::List { items } => words.extend(
                items
                    .iter()
                    .map(|item| format!("{} {}", item.marker, plain(&item.runs))),
            ),
            Content::Table(table) => words.extend(
                table
                    .cells
                    .iter()
                    .map(|cell| of_cell(cell)[4].as_str().unwrap().to_owned()),
            ),
            _ => {}
        }
    }
    sorted(&words.join(" "))
}

fn sorted(text: &str) -> Vec<String> {
    let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
    words.sort();
    words
}

fn assert_printed(printed: &[Printed], pages: &[Page], with_edges: bool) {
    for (shown, page) in printed.iter().zip(pages) {
        assert_eq!(
            sorted(&shown.text()),
            words(page, with_edges),
            "page {}",
            page.number
        );
    }
    assert_eq!(printed.len(), pages.len());
}

#[test]
fn libreoffice_prints_a_page_of_docx_for_each_page() {
    let printed = by_libreoffice(&crate::docx::made(apart()), "docx");
    assert_printed(&printed, &apart(), true);
    let sizes: Vec<_> = printed
        .iter()
        .map(|page| page.size.width > page.size.height)
        .collect();
    assert_eq!(sizes, [false, false, true, true, false]);
}

#[test]
fn libreoffice_prints_a_page_of_pptx_for_each_page() {
    assert_printed(
        &by_libreoffice(&crate::pptx::made(apart()), "pptx"),
        &apart(),
        true,
    );
}

#[test]
fn libreoffice_prints_cells_after_columns_without_cells() {
    let places = [
        (0, 0, 1, 1),
        (0, 1, 3, 3),
        (0, 4, 2, 1),
        (1, 0, 1, 1),
        (2, 0, 1, 1),
        (2, 4, 1, 1),
    ];
    let cell = |(index, (row, column, row_span, column_span))| Cell {
        row,
        column,
        row_span,
        column_span,
        blocks: vec![paragraph(vec![run(&format!("cell{index}"))])],
        ..Cell::default()
    };
    let table = Table {
        widths: vec![60.0; 5],
        rows: 3,
        header_rows: 0,
        cells: places.into_iter().enumerate().map(cell).collect(),
        ruled: true,
        confidence: 1.0,
        continues: false,
    };
    let pages = vec![page(1, PORTRAIT, vec![block(Content::Table(table))])];
    for (made, extension) in [
        (crate::pptx::made(pages.clone()), "pptx"),
        (crate::docx::made(pages.clone()), "docx"),
    ] {
        assert_printed(&by_libreoffice(&made, extension), &pages, true);
    }
}

#[test]
fn libreoffice_prints_a_page_of_xlsx_for_each_table() {
    let mut tables = apart();
    for page in &mut tables {
        page.blocks
            .retain(|block| matches!(block.content, Content::Table(_)));
    }
    assert_printed(
        &by_libreoffice(&crate::xlsx::made(tables.clone()).0, "xlsx"),
        &tables,
        false,
    );
}
