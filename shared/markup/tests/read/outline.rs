//! Formats documents as lines for comparison.

use std::fmt::Write as _;

use layout::{Alignment, Block, Content, Run, Script};
use markup::Document;

/// Formats a document, one line per block.
pub(crate) fn of(document: &Document) -> String {
    let mut text = format!("{:?}\n", document.metadata);
    for warning in &document.warnings {
        writeln!(
            text,
            "! {} on {} × {}",
            warning.loss.code(),
            warning.page,
            warning.count
        )
        .unwrap();
    }
    for page in &document.pages {
        writeln!(
            text,
            "= {} {:.1} × {:.1}",
            page.number, page.size.width, page.size.height
        )
        .unwrap();
        blocks(&page.header, "^ ", &mut text);
        blocks(&page.blocks, "", &mut text);
        blocks(&page.footer, "_ ", &mut text);
    }
    text
}

/// Formats blocks, one per line.
pub(crate) fn lines(of: &[Block]) -> String {
    let mut text = String::new();
    blocks(of, "", &mut text);
    text
}

fn blocks(blocks: &[Block], indent: &str, text: &mut String) {
    for block in blocks {
        let quoted = "> ".repeat(block.quote_depth.into());
        let indent = &format!("{indent}{quoted}");
        match &block.content {
            Content::Heading {
                level,
                runs,
                alignment,
            } => {
                let aligned = match alignment {
                    Alignment::Start => String::new(),
                    other => format!(" {other:?}"),
                };
                line(text, indent, &format!("h{level}{aligned}"), runs);
            }
            Content::Paragraph {
                runs,
                continues,
                preformatted,
                ..
            } => {
                let kind = match (continues, preformatted) {
                    (_, true) => "code",
                    (true, false) => "p+",
                    (false, false) => "p",
                };
                line(text, indent, kind, runs);
            }
            Content::List { items } => {
                for item in items {
                    let kind = if item.ordered { "o" } else { "u" };
                    line(
                        text,
                        indent,
                        &format!("{kind}{} {}", item.level, item.marker),
                        &item.runs,
                    );
                }
            }
            Content::Table(table) => {
                let widths: Vec<String> = table
                    .widths
                    .iter()
                    .map(|width| format!("{width:.0}"))
                    .collect();
                let ruled = if table.ruled { " ruled" } else { "" };
                writeln!(
                    text,
                    "{indent}table {} × [{}] heads {}{ruled}",
                    table.rows,
                    widths.join(" "),
                    table.header_rows
                )
                .unwrap();
                for cell in &table.cells {
                    let spans = (cell.row_span, cell.column_span);
                    let spans = if spans == (1, 1) {
                        String::new()
                    } else {
                        format!(" {spans:?}")
                    };
                    let inner = format!("{indent}  {},{}{spans} ", cell.row, cell.column);
                    self::blocks(&cell.blocks, &inner, text);
                }
            }
            Content::Image { image, alternative } => {
                writeln!(text, "{indent}image {image} {alternative:?}").unwrap()
            }
            Content::Rule => writeln!(text, "{indent}rule").unwrap(),
            Content::Footnote { label, runs } => line(text, indent, &format!("note {label}"), runs),
        }
    }
}

fn line(text: &mut String, indent: &str, kind: &str, runs: &[Run]) {
    let said: String = runs.iter().map(run).collect();
    writeln!(text, "{indent}{kind}: {said}").unwrap();
}

/// Formats a run, with letters for its style.
fn run(run: &Run) -> String {
    let style = &run.style;
    let mut marks = String::new();
    for (is_on, mark) in [
        (style.bold, 'b'),
        (style.italic, 'i'),
        (style.underlined, 'u'),
        (style.strikethrough, 's'),
        (style.monospaced, 'm'),
        (style.script == Script::Super, '^'),
        (style.script == Script::Sub, '_'),
    ] {
        if is_on {
            marks.push(mark);
        }
    }
    let color = style
        .color
        .map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}"))
        .unwrap_or_default();
    let link = run
        .link
        .as_ref()
        .filter(|link| *link != layout::NOTE)
        .map(|link| format!("→{link}"))
        .unwrap_or_default();
    let text = run.text.replace('\n', "⏎").replace('\t', "⇥");
    match marks.is_empty() && color.is_empty() && link.is_empty() {
        true => text,
        false => format!("⟨{text}|{marks}{color}{link}⟩"),
    }
}
