//! How a page is laid out on paper, from what the request asks for.

use std::time::{Instant, SystemTime};

use domain::operation::{
    ConvertOptions, MarginPiece, MarginText, Placeholder, PrintScale, Sheet, margins,
};
use domain::timestamp::Timestamp;
use task::Outcome;

use browser::{Layout, Page};

/// Longest title that is printed in a margin, in characters.
const TITLE: usize = 200;

/// The layout. Options that the page's own style sheet might override are set by a style sheet as well. `from_web` if the
/// page has a URL.
pub(super) fn of(
    asked: &ConvertOptions,
    from_web: bool,
    page: &mut Page,
    until: Instant,
) -> Outcome<Layout> {
    let sheet = Sheet::of(asked);
    if let Some(rules) = rules(asked, &sheet) {
        page.add_style_sheet(&rules, until)?;
    }
    let has_lines = asked.header.is_some() || asked.footer.is_some();
    let title = match has_lines {
        true => page.title(until)?,
        false => String::new(),
    };
    let facts = Facts {
        title: title.chars().take(TITLE).collect(),
        date: day(Timestamp::from(SystemTime::now())),
        from_web,
    };
    let line = |text: &Option<MarginText>| text.as_ref().map(|text| line(text, &facts, &sheet));
    Ok(Layout {
        scale: asked.scale.map_or(1.0, PrintScale::value),
        background: asked.background.unwrap_or(true),
        header: line(&asked.header),
        footer: line(&asked.footer),
        sheet,
    })
}

/// What a line's placeholders stand for.
struct Facts {
    title: String,
    date: String,
    from_web: bool,
}

/// The first ten characters of RFC 3339.
fn day(now: Timestamp) -> String {
    now.to_string().chars().take(10).collect()
}

/// The style sheet that has the last word over the document's own about what is asked for, if anything is. Where a line is
/// printed, there is a margin for it.
fn rules(asked: &ConvertOptions, sheet: &Sheet) -> Option<String> {
    let has_size =
        asked.paper.is_some() || asked.paper_width.is_some() || asked.landscape.is_some();
    let size = has_size.then(|| format!("size: {}mm {}mm !important", sheet.width, sheet.height));
    let sides = ["top", "right", "bottom", "left"];
    let lines = [asked.header.is_some(), false, asked.footer.is_some(), false];
    let has_margin = margins(asked).into_iter().zip(lines);
    let has_margin = has_margin.map(|(margin, has_line)| margin.is_some() || has_line);
    let free = sides.iter().zip(sheet.margins).zip(has_margin);
    let free = free.filter(|(_, is_set)| *is_set);
    let free = free.map(|((side, margin), _)| format!("margin-{side}: {margin}mm !important"));
    let rules: Vec<String> = size.into_iter().chain(free).collect();
    (!rules.is_empty()).then(|| format!("@page {{ {} }}", rules.join("; ")))
}

/// A line as the browser takes it: HTML of its own, which it prints into the margin, 4 mm from the edge of the paper. Text is escaped, so that nothing in it is
/// markup; the browser itself writes numbers and address into elements of these classes, as text.
fn line(text: &MarginText, facts: &Facts, sheet: &Sheet) -> String {
    let [_, right, _, left] = sheet.margins;
    let pieces = text.pieces().into_iter();
    let html: String = pieces.map(|piece| html(piece, facts)).collect();
    format!(
        "<div style=\"box-sizing: border-box; width: 100%; padding: 0 {right}mm 0 {left}mm; \
         font: 8pt/1.2 'Open Sans', 'Noto Sans', 'DejaVu Sans', sans-serif; color: #444; text-align: center; \
         white-space: pre; overflow: hidden; text-overflow: ellipsis\">{html}</div>"
    )
}

fn html(piece: MarginPiece<'_>, facts: &Facts) -> String {
    let filled = |class: &str| format!("<span class=\"{class}\"></span>");
    match piece {
        MarginPiece::Text(text) => escaped(text),
        MarginPiece::Placeholder(Placeholder::Page) => filled("pageNumber"),
        MarginPiece::Placeholder(Placeholder::Pages) => filled("totalPages"),
        MarginPiece::Placeholder(Placeholder::Title) => escaped(&facts.title),
        MarginPiece::Placeholder(Placeholder::Date) => facts.date.clone(),
        MarginPiece::Placeholder(Placeholder::Url) if facts.from_web => filled("url"),
        MarginPiece::Placeholder(Placeholder::Url) => String::new(),
    }
}

fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use domain::format::Format;
    use domain::operation::{Margin, Paper};

    use super::*;

    #[test]
    fn only_what_is_asked_for_overrules_the_document() {
        let mut asked = ConvertOptions::to(Format::Pdf);
        let rules = |asked: &ConvertOptions| rules(asked, &Sheet::of(asked));
        assert_eq!(rules(&asked), None);
        asked.margin_left = Margin::try_from(12.5).ok();
        assert_eq!(
            rules(&asked).unwrap(),
            "@page { margin-left: 12.5mm !important }"
        );
        asked.paper = Some(Paper::A5);
        asked.landscape = Some(true);
        assert_eq!(
            rules(&asked).unwrap(),
            "@page { size: 210mm 148mm !important; margin-left: 12.5mm !important }"
        );
        let mut lined = ConvertOptions::to(Format::Pdf);
        lined.header = MarginText::try_from("above".to_owned()).ok();
        lined.footer = MarginText::try_from("below".to_owned()).ok();
        lined.margin_bottom = Margin::try_from(8.0).ok();
        assert_eq!(
            rules(&lined).unwrap(),
            "@page { margin-top: 10mm !important; margin-bottom: 8mm !important }"
        );
    }

    #[test]
    fn a_line_holds_no_markup_but_its_own() {
        let facts = Facts {
            title: "</title><script>".to_owned(),
            date: day(Timestamp(1_795_219_200_000)),
            from_web: false,
        };
        let text = "<img src=x onerror=\"a('&')\"> {title} {date} {page}{url}".to_owned();
        let text = MarginText::try_from(text).unwrap();
        let sheet = Sheet::of(&ConvertOptions::to(Format::Pdf));
        let line = line(&text, &facts, &sheet);
        let (_, inner) = line.split_once('>').unwrap();
        assert_eq!(
            inner,
            "&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt; &lt;/title&gt;&lt;script&gt; 2026-11-21 \
             <span class=\"pageNumber\"></span></div>"
        );
    }
}
