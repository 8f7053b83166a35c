//! Print layout of a web page from the request's options.

use std::time::{Instant, SystemTime};

use domain::operation::{
    ConvertOptions, MarginText, MarginTextPart, PageSetup, Placeholder, PrintScale, margins,
};
use domain::timestamp::Timestamp;
use task::{DroppedContent, TaskResult, Unverified, Warning};

use browser::{Page, Paper, PrintOptions, READABLE_SCALE, SourceText};

/// Maximum length of the title in a header or footer, in characters.
const MAX_TITLE: usize = 200;

/// Returns the layout. Options that the page's own style sheet might override are also set by an injected style sheet.
/// `from_web` is set if the page has a URL.
pub(super) fn of(
    options: &ConvertOptions,
    from_web: bool,
    page: &mut Page,
    until: Instant,
) -> TaskResult<PrintOptions> {
    let page_setup = PageSetup::of(options);
    if let Some(rules) = rules(options, &page_setup) {
        page.add_style_sheet(&rules, until)?;
    }
    let has_lines = options.header.is_some() || options.footer.is_some();
    let title = match has_lines {
        true => page.title(until)?,
        false => String::new(),
    };
    let values = PlaceholderValues {
        title: title.chars().take(MAX_TITLE).collect(),
        date: day(Timestamp::from(SystemTime::now())),
        from_web,
    };
    let line =
        |text: &Option<MarginText>| text.as_ref().map(|text| line(text, &values, &page_setup));
    Ok(PrintOptions {
        scale: options.scale.map_or(1.0, PrintScale::value),
        background: options.background.unwrap_or(true),
        header: line(&options.header),
        footer: line(&options.footer),
        page_setup,
    })
}

/// The smallest scale that the browser prints with.
const MIN_SCALE: f64 = 0.1;

/// Scales are rounded down, so content at the smallest readable scale may have a slightly smaller one.
const SCALE_TOLERANCE: f64 = 0.005;

/// Fits the page to the layout: may reduce the scale, and turn the paper to landscape if the request leaves that open. Returns
/// the text of the page, empty if it is unknown, and warnings about what a reader of the result may miss.
pub(super) fn fit(
    options: &ConvertOptions,
    layout: &mut PrintOptions,
    page: &mut Page,
    until: Instant,
) -> TaskResult<(String, Vec<Warning>)> {
    let page_setup = &mut layout.page_setup;
    let paper = Paper {
        page_setup: *page_setup,
        overrides_size: overrides_size(options),
        overrides_margins: (
            options.margin_right.is_some(),
            options.margin_left.is_some(),
        ),
        scale: layout.scale,
        may_turn: options.landscape.is_none()
            && options.paper_width.is_none()
            && page_setup.width < page_setup.height,
    };
    let fitted = page.fit(&paper, until)?;
    layout.scale = (layout.scale * fitted.scale).max(MIN_SCALE);
    // The browser may print at a larger scale than the page needs.
    let smallest = layout.scale * (fitted.smallest_scale / fitted.scale);
    let is_shrunk = fitted.smallest_scale < 1.0 && smallest < READABLE_SCALE - SCALE_TOLERANCE;
    let SourceText { text, hidden } = fitted.text;
    // Verification names the reason itself if pages are selected.
    let is_unverified = text.is_none() && options.pages.is_none();
    let warnings = [
        is_shrunk.then(|| Warning::ContentShrunk(percent(smallest))),
        (hidden > 0).then_some(Warning::Dropped(DroppedContent::Hidden, hidden)),
        is_unverified.then_some(Warning::ContentNotVerified(Unverified::Unreadable)),
    ];
    if fitted.is_turned {
        std::mem::swap(&mut page_setup.width, &mut page_setup.height);
        if let Some(rules) = rules(options, page_setup) {
            page.add_style_sheet(&rules, until)?;
        }
    }
    let warnings = warnings.into_iter().flatten().collect();
    Ok((text.unwrap_or_default(), warnings))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a scale is between 0 and 1"
)]
fn percent(scale: f64) -> u8 {
    (scale * 100.0).round() as u8
}

/// Whether the requested paper overrides the document's own.
fn overrides_size(options: &ConvertOptions) -> bool {
    options.paper.is_some() || options.paper_width.is_some() || options.landscape.is_some()
}

/// Values of the placeholders in a header or footer.
struct PlaceholderValues {
    title: String,
    date: String,
    from_web: bool,
}

/// The date, as the first ten characters of RFC 3339.
fn day(now: Timestamp) -> String {
    now.to_string().chars().take(10).collect()
}

/// The injected style sheet, which overrides the document's own for requested options. A header or footer without a
/// requested margin gets the default margin. `None` if nothing is requested.
fn rules(options: &ConvertOptions, page_setup: &PageSetup) -> Option<String> {
    let size = overrides_size(options).then(|| {
        format!(
            "size: {}mm {}mm !important",
            page_setup.width, page_setup.height
        )
    });
    let sides = ["top", "right", "bottom", "left"];
    let lines = [
        options.header.is_some(),
        false,
        options.footer.is_some(),
        false,
    ];
    let has_margin = margins(options).into_iter().zip(lines);
    let has_margin = has_margin.map(|(margin, has_line)| margin.is_some() || has_line);
    let margins_set = sides.iter().zip(page_setup.margins).zip(has_margin);
    let margins_set = margins_set.filter(|(_, is_set)| *is_set);
    let margins_set =
        margins_set.map(|((side, margin), _)| format!("margin-{side}: {margin}mm !important"));
    let rules: Vec<String> = size.into_iter().chain(margins_set).collect();
    (!rules.is_empty()).then(|| format!("@page {{ {} }}", rules.join("; ")))
}

/// Template of a header or footer for the browser, which prints it into the margin, 4 mm from the paper edge. Text is
/// escaped, so that it adds no markup; the browser fills in numbers and the URL as text in elements of these classes.
fn line(text: &MarginText, values: &PlaceholderValues, page_setup: &PageSetup) -> String {
    let [_, right, _, left] = page_setup.margins;
    let parts = text.parts().into_iter();
    let html: String = parts.map(|part| html(part, values)).collect();
    format!(
        "<div style=\"box-sizing: border-box; width: 100%; padding: 0 {right}mm 0 {left}mm; \
         font: 8pt/1.2 'Open Sans', 'Noto Sans', 'DejaVu Sans', sans-serif; color: #444; text-align: center; \
         white-space: pre; overflow: hidden; text-overflow: ellipsis\">{html}</div>"
    )
}

fn html(part: MarginTextPart<'_>, values: &PlaceholderValues) -> String {
    let filled = |class: &str| format!("<span class=\"{class}\"></span>");
    match part {
        MarginTextPart::Text(text) => escaped(text),
        MarginTextPart::Placeholder(Placeholder::Page) => filled("pageNumber"),
        MarginTextPart::Placeholder(Placeholder::Pages) => filled("totalPages"),
        MarginTextPart::Placeholder(Placeholder::Title) => escaped(&values.title),
        MarginTextPart::Placeholder(Placeholder::Date) => values.date.clone(),
        MarginTextPart::Placeholder(Placeholder::Url) if values.from_web => filled("url"),
        MarginTextPart::Placeholder(Placeholder::Url) => String::new(),
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
    use domain::operation::{Margin, PaperSize};

    use super::*;

    #[test]
    fn only_requested_options_override_the_document() {
        let mut options = ConvertOptions::to(Format::Pdf);
        let rules = |options: &ConvertOptions| rules(options, &PageSetup::of(options));
        assert_eq!(rules(&options), None);
        options.margin_left = Margin::try_from(12.5).ok();
        assert_eq!(
            rules(&options).unwrap(),
            "@page { margin-left: 12.5mm !important }"
        );
        options.paper = Some(PaperSize::A5);
        options.landscape = Some(true);
        assert_eq!(
            rules(&options).unwrap(),
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
    fn header_and_footer_text_is_escaped() {
        let values = PlaceholderValues {
            title: "</title><script>".to_owned(),
            date: day(Timestamp(1_795_219_200_000)),
            from_web: false,
        };
        let text = "<img src=x onerror=\"a('&')\"> {title} {date} {page}{url}".to_owned();
        let text = MarginText::try_from(text).unwrap();
        let page_setup = PageSetup::of(&ConvertOptions::to(Format::Pdf));
        let line = line(&text, &values, &page_setup);
        let (_, inner) = line.split_once('>').unwrap();
        assert_eq!(
            inner,
            "&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt; &lt;/title&gt;&lt;script&gt; 2026-11-21 \
             <span class=\"pageNumber\"></span></div>"
        );
    }
}
