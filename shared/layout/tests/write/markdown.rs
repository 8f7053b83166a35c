//! Markdown round trip: parsed again, it has the content of the model.

use layout::writers::{NoPictures, markdown};
use layout::{Block, Content, Page, Run};
use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::document::{
    OnePicture, PORTRAIT, block, facts, heading, item, page, paragraph, run, table,
};
use crate::golden::written;

/// Parses the Markdown of blocks: text with `{` and `}` around bold and `<` and `>` around italic text.
fn read(blocks: Vec<Block>) -> String {
    let mut made = Vec::new();
    written(
        vec![bare(blocks)],
        |output| markdown(output, &facts(), &NoPictures),
        &mut made,
    );
    let made = String::from_utf8(made).unwrap();
    let mut text = String::new();
    for event in Parser::new_ext(
        &made,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES,
    ) {
        match event {
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            Event::Start(Tag::Strong) => text.push('{'),
            Event::End(TagEnd::Strong) => text.push('}'),
            Event::Start(Tag::Emphasis) => text.push('<'),
            Event::End(TagEnd::Emphasis) => text.push('>'),
            Event::InlineHtml(tag) => text.push_str(match &*tag {
                "<strong>" => "{",
                "</strong>" => "}",
                "<em>" => "<",
                "</em>" => ">",
                _ => "\n",
            }),
            Event::HardBreak => text.push('\n'),
            Event::Start(Tag::Item | Tag::TableCell | Tag::Paragraph | Tag::Heading { .. }) => {}
            Event::Start(Tag::List(_) | Tag::Table(_) | Tag::TableHead | Tag::TableRow)
            | Event::End(_) => {}
            other => text.push_str(&format!("[{other:?}]")),
        }
    }
    text
}

/// Creates a page with these blocks alone.
fn bare(blocks: Vec<Block>) -> Page {
    Page {
        header: Vec::new(),
        footer: Vec::new(),
        ..page(1, PORTRAIT, blocks)
    }
}

/// Generates texts full of Markdown markup.
fn hostile_text() -> impl Strategy<Value = String> {
    let pieces = [
        "*", "**", "_", "~", "`", "[", "](", ")", "<b>", "&amp;", "#", "# ", "- ", "1. ", "+", "!",
        "|", "\\", "a", "b c", "é", "。", "\"", "=", ">", "$",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..12)
        .prop_map(|pieces| pieces.concat().trim().to_owned())
}

/// Returns the text of the model, marked as by [`read`].
fn marked(runs: &[Run]) -> String {
    let mut text = String::new();
    for run in runs {
        let (bold, slanted) = (run.style.bold, run.style.italic);
        text.push_str(match (bold, slanted) {
            (true, true) => "<{",
            (true, false) => "{",
            (false, true) => "<",
            (false, false) => "",
        });
        text.push_str(&run.text);
        text.push_str(match (bold, slanted) {
            (true, true) => "}>",
            (true, false) => "}",
            (false, true) => ">",
            (false, false) => "",
        });
    }
    text
}

/// Generates runs of which no two neighbors have the same style.
fn looks() -> impl Strategy<Value = Vec<Run>> {
    prop::collection::vec((hostile_text(), 1..4_u8), 1..6).prop_map(|pieces| {
        let mut look = 0;
        let runs = pieces
            .into_iter()
            .filter(|(text, _)| !text.is_empty())
            .map(|(text, step)| {
                look = (look + step) % 4;
                let mut run = run(&text);
                (run.style.bold, run.style.italic) = (look & 1 > 0, look & 2 > 0);
                run
            });
        runs.collect()
    })
}

proptest! {
    #![proptest_config(crate::cases())]

    #[test]
    fn paragraphs_round_trip(runs in looks()) {
        let expected = marked(&runs);
        prop_assert_eq!(read(vec![paragraph(runs)]), expected);
    }

    #[test]
    fn headings_items_and_cells_round_trip(text in hostile_text()) {
        prop_assert_eq!(read(vec![heading(2, &text)]), text.clone());
        prop_assert_eq!(read(vec![items(&text)]), text.clone());
        let cells = table(1, 1, &[&[&text]]);
        prop_assert_eq!(read(vec![Block::from(Content::Table(cells))]), text);
    }
}

fn items(text: &str) -> Block {
    Block {
        bounds: None,
        quote_depth: 0,
        content: Content::List {
            items: vec![item(0, "•", text)],
        },
    }
}

#[test]
fn words_split_across_pages_are_joined() {
    for (before, after, expected) in [
        (
            "It is inter-",
            "national here.",
            "It is international here.",
        ),
        (
            "It is well-",
            "known, as is well-known.",
            "It is well-known, as is well-known.",
        ),
        ("It is a word—", "next.", "It is a word—next."),
        ("It is a word", "next.", "It is a word next."),
        ("It is a word-", "", "It is a word-"),
    ] {
        let mut pages = vec![bare(vec![paragraph(vec![run(before)])])];
        let mut rest = paragraph(vec![run(after)]);
        if let Content::Paragraph { continues, .. } = &mut rest.content {
            *continues = true;
        }
        pages.push(bare(vec![rest]));
        let mut made = Vec::new();
        written(
            pages,
            |output| markdown(output, &facts(), &NoPictures),
            &mut made,
        );
        let made = String::from_utf8(made).unwrap();
        assert_eq!(made, format!("{expected}\n"));
    }
}

#[test]
fn the_first_header_and_footer_are_written_once() {
    let said = |text: &str| page(1, PORTRAIT, vec![paragraph(vec![run(text)])]);
    let mut made = Vec::new();
    written(
        vec![said("one"), said("two")],
        |output| markdown(output, &facts(), &NoPictures),
        &mut made,
    );
    let made = String::from_utf8(made).unwrap();
    assert_eq!(made, "The header\n\none\n\ntwo\n\nPage 1\n");
}

#[test]
fn a_picture_is_a_reference_to_data_at_the_end() {
    let picture = |alternative: Option<&str>| {
        block(Content::Image {
            image: 0,
            alternative: alternative.map(str::to_owned),
        })
    };
    let blocks = vec![
        picture(Some("a [red] dot")),
        paragraph(vec![run("between")]),
        picture(None),
    ];
    let mut made = Vec::new();
    written(
        vec![bare(blocks)],
        |output| markdown(output, &facts(), &OnePicture),
        &mut made,
    );
    let made = String::from_utf8(made).unwrap();
    assert_eq!(made.matches("base64").count(), 1, "{made}");
    let mut images = Vec::new();
    for event in Parser::new(&made) {
        if let Event::Start(Tag::Image { dest_url, .. }) = event {
            assert!(
                dest_url.starts_with("data:image/png;base64,iVBOR"),
                "{dest_url}"
            );
            images.push(dest_url);
        }
    }
    assert_eq!(images.len(), 2, "{made}");
}
