//! Markdown round trip: parsed again, it has the content of the model.

use layout::writers::{NoPictures, markdown};
use layout::{Block, Content, Page, Run, Script};
use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::document::{
    OnePicture, PORTRAIT, block, facts, heading, item, linked, page, paragraph, run, table,
};
use crate::golden::written;

/// Writes blocks as Markdown.
fn made(blocks: Vec<Block>) -> String {
    let mut made = Vec::new();
    written(
        vec![bare(blocks)],
        |output| markdown(output, &facts(), &NoPictures),
        &mut made,
    );
    String::from_utf8(made).unwrap()
}

/// Parses the Markdown of blocks and returns its text.
fn read(blocks: Vec<Block>) -> String {
    let made = made(blocks);
    let mut text = String::new();
    for event in Parser::new_ext(
        &made,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES,
    ) {
        match event {
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            Event::InlineHtml(_) | Event::HardBreak => text.push('\n'),
            Event::Start(
                Tag::Strong
                | Tag::Emphasis
                | Tag::Item
                | Tag::TableCell
                | Tag::Paragraph
                | Tag::Heading { .. }
                | Tag::List(_)
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow,
            )
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

/// Generates parts of formulas for [`scripted`].
fn formula_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<x>", "<y>", "α", "Σ", "word", " ", " + ", " = ", "−", "(", ")", "[", "]", ",", "_i'",
        "_12'", "^2'", "^max'", "^−1'", "_α'", "3", "0.5", "|", "√", "…", " ∈ ", "·", "<_ij'>",
    ])
}

/// Returns the characters of Markdown with formulas and scripts, without spaces.
fn without_latex(made: &str) -> String {
    let mut text = made.to_owned();
    for (latex, sign) in [
        ("\\alpha", "α"),
        ("\\Sigma", "Σ"),
        ("\\vert", "|"),
        ("\\ldots", "…"),
        ("\\in", "∈"),
        ("\\cdot", "·"),
        ("\\mathrm", ""),
        ("<sub>", ""),
        ("</sub>", ""),
        ("<sup>", ""),
        ("</sup>", ""),
        ("-", "−"),
    ] {
        text = text.replace(latex, sign);
    }
    text.retain(|sign| !sign.is_whitespace() && !"$_^{}*\\".contains(sign));
    text
}

/// Generates runs of which no two neighbors have the same style.
pub(crate) fn looks() -> impl Strategy<Value = Vec<Run>> {
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
        let expected = layout::plain(&runs);
        prop_assert_eq!(read(vec![paragraph(runs)]), expected);
    }

    #[test]
    fn formulas_keep_their_characters(pieces in prop::collection::vec(formula_piece(), 1..12)) {
        let runs = scripted(&pieces.concat());
        let plain: String = layout::plain(&runs).split_whitespace().collect();
        let made = made(vec![paragraph(runs)]);
        prop_assert_eq!(without_latex(&made), plain, "{}", made);
    }

    #[test]
    fn headings_items_and_cells_round_trip(text in hostile_text()) {
        prop_assert_eq!(read(vec![heading(2, &text)]), text.clone());
        prop_assert_eq!(read(vec![items(&text)]), text.clone());
        let cells = table(1, 1, &[&[&text]]);
        prop_assert_eq!(read(vec![Block::from(Content::Table(cells))]), text);
    }
}

/// Creates runs of text that is bold between `{` and `}` and italic between `<` and `>`.
fn emphasized(text: &str) -> Vec<Run> {
    let (mut bold, mut italic, mut runs) = (false, false, Vec::new());
    for part in text.split_inclusive(['{', '}', '<', '>']) {
        let mut part_run = run(part.trim_end_matches(['{', '}', '<', '>']));
        (part_run.style.bold, part_run.style.italic) = (bold, italic);
        runs.push(part_run);
        match part.chars().next_back() {
            Some('{' | '}') => bold = part.ends_with('{'),
            Some('<' | '>') => italic = part.ends_with('<'),
            _ => {}
        }
    }
    runs
}

#[test]
fn emphasis_marks_parts_of_a_text_only() {
    for (text, expected) in [
        ("a {bold} word", "a **bold** word"),
        ("{Note:} read <this>.", "**Note:** read *this*."),
        ("{two} {words} here", "**two words** here"),
        ("{Note:}read", "**Note**:read"),
        ("{<both>} and more", "***both*** and more"),
        ("in{tra}word", "in**tra**word"),
        ("{All of it}", "All of it"),
        ("{All}, {of it}.", "All, of it."),
        ("<All> {<of> it}", "*All* ***of*** **it**"),
        ("x{(1)}y", "x(**1**)y"),
        ("{a}<b> c", "**a**b c"),
    ] {
        assert_eq!(
            made(vec![paragraph(emphasized(text))]),
            format!("{expected}\n"),
            "{text}"
        );
    }
    let mut title = heading(1, "");
    if let Content::Heading { runs, .. } = &mut title.content {
        *runs = emphasized("{2} A <part>");
    }
    assert_eq!(made(vec![title]), "# 2 A *part*\n");
}

#[test]
fn raised_and_lowered_text_is_not_emphasized() {
    let mut index = run("2");
    index.style.script = Script::Sub;
    index.style.italic = true;
    let runs = [emphasized("<log>"), vec![index], emphasized(" = y")].concat();
    assert_eq!(made(vec![paragraph(runs)]), "*log*<sub>2</sub> = y\n");
}

/// Creates runs of text that is italic between `<` and `>`, raised between `^` and `'`, and lowered between `_` and `'`.
fn scripted(text: &str) -> Vec<Run> {
    let (mut italic, mut script, mut runs) = (false, Script::None, Vec::new());
    for part in text.split_inclusive(['<', '>', '^', '_', '\'']) {
        let mut part_run = run(part.trim_end_matches(['<', '>', '^', '_', '\'']));
        (part_run.style.italic, part_run.style.script) = (italic, script);
        runs.push(part_run);
        match part.chars().next_back() {
            Some('<' | '>') => italic = part.ends_with('<'),
            Some('^') => script = Script::Super,
            Some('_') => script = Script::Sub,
            Some('\'') => script = Script::None,
            _ => {}
        }
    }
    runs
}

#[test]
fn certain_formulas_are_latex() {
    for (text, expected) in [
        ("where <x_i'> is", "where $x_i$ is"),
        ("(see <x>_<i>'^2')", "(see $x_i^2$)"),
        (
            "<f>(<x_ij'>) = α^2' + 3, or",
            "$f(x_{ij}) = \\alpha^2 + 3$, or",
        ),
        ("so <a> · <x>_1' ≤ −1.5.", "so $a \\cdot x_1 \\le -1.5$."),
        (
            "the <T>_max', (<x> + <y>)^−1'",
            "the $T_{\\mathrm{max}}$, $(x + y)^{-1}$",
        ),
        (
            "all <x_i'>, <y_i'>: [0, <n>_1')",
            "all $x_i$, $y_i$: [0, $n_1$)",
        ),
        (
            "if {<x>_1', …, <x_n'>} | <y>",
            "if $\\lbrace x_1, \\ldots, x_n\\rbrace \\vert y$",
        ),
        ("all θ_i' of 𝑡𝑐_1'", "all $\\theta_i$ of $tc_1$"),
        ("Var(<x_i'>) of <x_i'>-values", "Var($x_i$) of $x_i$-values"),
        ("− <x>_1' = −α<x>_2'", "− $x_1 = -\\alpha x_2$"),
        ("It costs $5 or <x_i'>", "It costs \\$5 or $x_i$"),
    ] {
        assert_eq!(
            made(vec![paragraph(scripted(text))]),
            format!("{expected}\n"),
            "{text}"
        );
    }
}

#[test]
fn uncertain_formulas_keep_their_tags() {
    for (text, expected) in [
        ("12 m^2' of H_2'O", "12 m<sup>2</sup> of H<sub>2</sub>O"),
        (
            "10^6' and 1^st' word^1'",
            "10<sup>6</sup> and 1<sup>st</sup> word<sup>1</sup>",
        ),
        ("√<x>_1' is", "√*x*<sub>1</sub> is"),
        (
            "<x>_i'^2'_j' is",
            "*x*<sub>i</sub><sup>2</sup><sub>j</sub> is",
        ),
        ("is + ^2'<x>", "is + <sup>2</sup>*x*"),
        ("d<x>_1' is", "d*x*<sub>1</sub> is"),
        ("<area in m>^2' is", "*area in m*<sup>2</sup> is"),
        ("<x>_1'th", "*x*<sub>1</sub>th"),
        ("<x>_1'/ <x>_2' is", "*x*<sub>1</sub>/ *x*<sub>2</sub> is"),
        ("(<n> − 1) <x>_1'", "(*n* − 1) *x*<sub>1</sub>"),
        ("is <x>_1' / .", "is *x*<sub>1</sub> / ."),
        ("θ_ij' is", "θ<sub>ij</sub> is"),
    ] {
        assert_eq!(
            made(vec![paragraph(scripted(text))]),
            format!("{expected}\n"),
            "{text}"
        );
    }
    let mut bold = scripted("is <x>_i'");
    bold[3].style.bold = true;
    assert_eq!(made(vec![paragraph(bold)]), "is *x*<sub>i</sub>\n");
}

#[test]
fn formulas_in_cells_have_no_bars() {
    let mut cells = table(1, 0, &[&["a"], &["b"]]);
    cells.cells[1].blocks = vec![paragraph(scripted("|<x>_1'|"))];
    let made = made(vec![Block::from(Content::Table(cells))]);
    assert_eq!(made, "| a |\n| --- |\n| $\\vert x_1\\vert$ |\n");
}

#[test]
fn dollars_that_begin_no_formula_are_not_escaped() {
    for (text, expected) in [
        ("$5 and $6", "$5 and $6"),
        ("5$ and 6$", "5$ and 6$"),
        ("$5/6$", "\\$5/6$"),
        (
            "Data$id of Data$label$name",
            "Data\\$id of Data\\$label$name",
        ),
        ("c($R^2$, $n$)", "c(\\$R^2\\$, \\$n$)"),
        ("the formula $n_1$", "the formula \\$n_1$"),
        ("a $$ b $$", "a \\$\\$ b $$"),
    ] {
        assert_eq!(
            made(vec![paragraph(vec![run(text)])]),
            format!("{expected}\n")
        );
    }
}

#[test]
fn struck_through_superscripts_keep_both() {
    let mut power = run("2");
    power.style.script = Script::Super;
    power.style.strikethrough = true;
    assert_eq!(
        made(vec![paragraph(vec![run("10"), power])]),
        "10<del><sup>2</sup></del>\n"
    );
}

#[test]
fn notes_of_html_tables_are_paragraphs() {
    let mark = |label: &str| {
        let mut mark = run(label);
        mark.style.script = Script::Super;
        mark.link = Some(layout::NOTE.to_owned());
        mark
    };
    let note = |label: &str| {
        block(Content::Footnote {
            label: label.to_owned(),
            runs: vec![run("Text.")],
        })
    };
    let mut spanning = table(2, 1, &[&["A"], &["1", "2"]]);
    spanning.cells[0].column_span = 2;
    spanning.cells[0].blocks = vec![paragraph(vec![run("Sum"), mark("a")])];
    let blocks = vec![
        block(Content::Table(spanning)),
        paragraph(vec![run("Word"), mark("b")]),
        note("a"),
        note("b"),
    ];
    assert_eq!(
        made(blocks),
        "<table>\n<tr><th colspan=\"2\">Sum<sup>a</sup></th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n\n\
         Word[^2]\n\n<sup>a</sup> Text.\n\n[^2]: Text.\n"
    );
}

#[test]
fn links_are_as_short_as_possible() {
    for (text, link, expected) in [
        ("https://a.b/", "https://a.b/", "<https://a.b/>"),
        ("a@b.c", "mailto:a@b.c", "<a@b.c>"),
        ("here", "https://a.b/", "[here](https://a.b/)"),
        ("here", "https://a.b/(c)", "[here](<https://a.b/(c)>)"),
    ] {
        let made = made(vec![paragraph(vec![linked(text, link)])]);
        assert_eq!(made, format!("{expected}\n"));
    }
}

#[test]
fn tables_without_spans_are_pipe_tables_whose_first_row_is_the_header() {
    let rows: &[&[&str]] = &[&["a", "b"], &["1", "2"]];
    let pipes = made(vec![block(Content::Table(table(2, 0, rows)))]);
    assert_eq!(pipes, "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    let mut spanning = table(2, 1, &[&["A"], &["1 < 2", "3"]]);
    spanning.cells[0].column_span = 2;
    let html = made(vec![block(Content::Table(spanning))]);
    assert_eq!(
        html,
        "<table>\n<tr><th colspan=\"2\">A</th></tr>\n<tr><td>1 &lt; 2</td><td>3</td></tr>\n</table>\n"
    );
}

#[test]
fn leaders_of_contents_are_closed_up() {
    let runs = vec![run("Introduction "), run("........ "), run("7")];
    assert_eq!(made(vec![paragraph(runs)]), "Introduction … 7\n");
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
