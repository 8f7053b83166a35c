//! Markdown read again says what the model says.

use layout::writers::markdown;
use layout::{Block, Content, Page, Run};
use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::document::{PORTRAIT, facts, heading, item, page, paragraph, run, table};
use crate::golden::written;

/// What a reader of markdown makes of blocks: the text, with `{` and `}` around what is bold and `<` and `>` around what is
/// slanted.
fn read(blocks: Vec<Block>) -> String {
    let mut made = Vec::new();
    written(
        vec![bare(blocks)],
        |output| markdown(output, &facts()),
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

/// A page of nothing else.
fn bare(blocks: Vec<Block>) -> Page {
    Page {
        header: Vec::new(),
        footer: Vec::new(),
        ..page(1, PORTRAIT, blocks)
    }
}

/// Texts made of what markdown reads as markup.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = [
        "*", "**", "_", "~", "`", "[", "](", ")", "<b>", "&amp;", "#", "# ", "- ", "1. ", "+", "!",
        "|", "\\", "a", "b c", "é", "。", "\"", "=", ">", "$",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..12)
        .prop_map(|pieces| pieces.concat().trim().to_owned())
}

/// What the model says, marked as [`read`] marks it.
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

/// Runs of which no two neighbours look alike.
fn looks() -> impl Strategy<Value = Vec<Run>> {
    prop::collection::vec((nasty(), 1..4_u8), 1..6).prop_map(|pieces| {
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
    fn paragraphs_say_the_same(runs in looks()) {
        let expected = marked(&runs);
        prop_assert_eq!(read(vec![paragraph(runs)]), expected);
    }

    #[test]
    fn headings_items_and_cells_say_the_same(text in nasty()) {
        prop_assert_eq!(read(vec![heading(2, &text)]), text.clone());
        prop_assert_eq!(read(vec![items(&text)]), text.clone());
        let cells = table(1, 1, &[&[&text]]);
        prop_assert_eq!(read(vec![Block::from(Content::Table(cells))]), text);
    }
}

fn items(text: &str) -> Block {
    Block {
        bounds: None,
        quoted: 0,
        content: Content::List {
            items: vec![item(0, "•", text)],
        },
    }
}

#[test]
fn words_go_on_over_the_end_of_a_page_as_they_are_elsewhere() {
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
        written(pages, |output| markdown(output, &facts()), &mut made);
        let made = String::from_utf8(made).unwrap();
        assert_eq!(made, format!("{expected}\n"));
    }
}

#[test]
fn what_stands_above_and_below_the_first_page_is_said_once() {
    let said = |text: &str| page(1, PORTRAIT, vec![paragraph(vec![run(text)])]);
    let mut made = Vec::new();
    written(
        vec![said("one"), said("two")],
        |output| markdown(output, &facts()),
        &mut made,
    );
    let made = String::from_utf8(made).unwrap();
    assert_eq!(made, "The header\n\none\n\ntwo\n\nPage 1\n");
}
