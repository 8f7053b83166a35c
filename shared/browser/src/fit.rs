//! Fits a page to its paper: opens what is closed, shows what only scrolling reaches, and wraps, zooms and splits what is
//! too wide.
//!
//! The scripts of the page are suspended meanwhile, and the driver's run in an isolated world with limits on elements and
//! time, so that a page can neither change nor delay them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use chromiumoxide_cdp::cdp::browser_protocol::emulation::{
    ClearDeviceMetricsOverrideParams, SetDeviceMetricsOverrideParams, SetEmulatedMediaParams,
    SetScriptExecutionDisabledParams,
};
use domain::operation::PageSetup;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::page::none_if_not_executed;
use crate::{BrowserError, Page};

/// The smallest scale at which text of the usual size is readable: 16 px become 7.2 pt. Content that would need a smaller
/// one turns the page, and splits tables.
pub const READABLE_SCALE: f64 = 0.6;

/// Maximum length of the text of a page in UTF-16 units, so that the response never exceeds the maximum message length.
pub(crate) const MAX_TEXT: usize = 8 * 1024 * 1024;
/// Passes over all elements that share the remaining time.
const PASSES: u32 = 16;
/// Maximum time of a pass.
const MAX_PASS: Duration = Duration::from_secs(1);
/// Maximum time to load the fonts of content that was closed.
const MAX_FONTS: Duration = Duration::from_secs(2);
/// CSS pixels per millimeter.
const PIXELS: f64 = 96.0 / 25.4;
/// Minimum width of a page in CSS pixels.
const MIN_WIDTH: f64 = 16.0;

/// The functions that fit a page. They share the time of a pass, `maxPassTime`, in milliseconds.
const FUNCTIONS: &str = concat!(
    include_str!("fit/elements.js"),
    include_str!("fit/expand.js"),
    include_str!("fit/wrap.js"),
    include_str!("fit/tables.js"),
    include_str!("fit/fit.js"),
    include_str!("fit/source_text.js"),
);
const PAGE_RULES: &str = include_str!("fit/page_rules.js");

/// The paper that a page is printed on.
pub struct Paper {
    /// Size and margins, unless the document declares its own.
    pub page_setup: PageSetup,
    /// Whether the size overrides the document's own.
    pub overrides_size: bool,
    /// Whether the right and the left margin override the document's own.
    pub overrides_margins: (bool, bool),
    /// The requested scale of the content.
    pub scale: f64,
    /// Whether the page may be turned to landscape.
    pub may_turn: bool,
}

/// How a page fits its paper.
#[derive(Debug)]
pub struct Fitted {
    /// The text of the page.
    pub text: SourceText,
    /// The factor to print with, besides the requested scale.
    pub scale: f64,
    /// The smallest factor of any content, besides the requested scale: tables may be smaller than the rest.
    pub smallest_scale: f64,
    /// Whether width and height of the paper are to be swapped.
    pub is_turned: bool,
}

/// The text of a page.
#[derive(Debug, Default, Deserialize)]
pub struct SourceText {
    /// The text that a reader sees, in the order in which it is printed. `None` if the page could not be examined completely.
    pub text: Option<String>,
    /// Number of words found that boxes cut off, on the screen as well.
    pub hidden: u32,
}

/// The result of the script that fits the width.
#[derive(Deserialize)]
struct FittedWidth {
    scale: f64,
    smallest: f64,
    turns: bool,
    splits: bool,
}

/// What the document declares for its pages, in CSS pixels.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageRules {
    /// Whether pages have names: the document is laid out for paper of its own sizes.
    #[serde(default)]
    has_named_pages: bool,
    size: Option<(f64, f64)>,
    landscape: Option<bool>,
    left: Option<f64>,
    right: Option<f64>,
}

impl Page {
    /// Fits the loaded document to its paper.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects a command or does not respond before `until`.
    pub fn fit(&mut self, paper: &Paper, until: Instant) -> Result<Fitted, BrowserError> {
        self.run(&SetScriptExecutionDisabledParams::new(true), until)?;
        let now = Instant::now();
        let pass = until.saturating_duration_since(now) / PASSES;
        let pass = pass.min(MAX_PASS).as_millis();
        let functions = format!(
            "((maxPassTime) => {{ {FUNCTIONS} globalThis.octavo = {{fit, sourceText}}; return prepare(); }})({pass})"
        );
        let opened = self.evaluate(&functions, until);
        if none_if_not_executed(opened)?.and_then(|opened| opened.as_bool()) == Some(true) {
            let until = until.min(Instant::now() + MAX_FONTS);
            none_if_not_executed(self.evaluate("document.fonts.ready.then(() => true)", until))?;
        }
        self.emulate_media("print", until)?;
        let mut fitted = Fitted::default();
        let fits = match self.fit_in_print(&mut fitted, paper, until) {
            // What was found before a script failed is valid.
            Err(BrowserError::Rejected { .. }) => Ok(()),
            fits => fits,
        };
        self.emulate_media("", until)?;
        self.run(&ClearDeviceMetricsOverrideParams {}, until)?;
        if self.runs_scripts {
            self.run(&SetScriptExecutionDisabledParams::new(false), until)?;
        }
        fits.map(|()| fitted)
    }

    fn fit_in_print(
        &mut self,
        fitted: &mut Fitted,
        paper: &Paper,
        until: Instant,
    ) -> Result<(), BrowserError> {
        let rules: PageRules = self.evaluate_as(PAGE_RULES, until)?;
        let readable = (READABLE_SCALE / paper.scale).min(1.0);
        let may_turn = paper.may_turn && (paper.overrides_size || rules.is_free());
        let (width, height) = rules.area(paper, false);
        self.lay_out(width, height, until)?;
        fitted.text = self.source_text(until)?;
        if rules.has_named_pages {
            return Ok(());
        }
        let script = |width: f64, may_turn| format!("octavo.fit({width}, {readable}, {may_turn})");
        let mut by_width: FittedWidth = self.evaluate_as(&script(width, may_turn), until)?;
        let is_turned = may_turn && by_width.turns;
        if is_turned {
            let (width, height) = rules.area(paper, true);
            self.lay_out(width, height, until)?;
            by_width = self.evaluate_as(&script(width, false), until)?;
        }
        fitted.scale = by_width.scale;
        fitted.smallest_scale = by_width.smallest;
        fitted.is_turned = is_turned;
        if by_width.splits {
            // The parts of a table have its words in another order. Words that splitting lost are expected as well.
            let printed = self.source_text(until)?.text;
            let text = fitted.text.text.take();
            fitted.text.text = text
                .zip(printed)
                .map(|(text, printed)| with_missing_words(printed, &text));
        }
        Ok(())
    }

    fn source_text(&mut self, until: Instant) -> Result<SourceText, BrowserError> {
        self.evaluate_as(&format!("octavo.sourceText({MAX_TEXT})"), until)
    }

    fn evaluate_as<T: DeserializeOwned>(
        &mut self,
        script: &str,
        until: Instant,
    ) -> Result<T, BrowserError> {
        let value = self.evaluate(script, until)?;
        serde_json::from_value(value)
            .map_err(|error| BrowserError::malformed("result of a script", error))
    }

    fn emulate_media(&mut self, media: &str, until: Instant) -> Result<(), BrowserError> {
        let emulate = SetEmulatedMediaParams {
            media: Some(media.to_owned()),
            features: None,
        };
        self.run(&emulate, until)
    }

    #[expect(clippy::cast_possible_truncation, reason = "sizes of paper are small")]
    fn lay_out(&mut self, width: f64, height: f64, until: Instant) -> Result<(), BrowserError> {
        let (width, height) = (width as i64, height as i64);
        let metrics = SetDeviceMetricsOverrideParams::new(width, height, 1.0, false);
        self.run(&metrics, until)
    }
}

impl Default for Fitted {
    /// A page that is unchanged and whose text is unknown.
    fn default() -> Self {
        Self {
            text: SourceText::default(),
            scale: 1.0,
            smallest_scale: 1.0,
            is_turned: false,
        }
    }
}

/// A text with the words of another that it has less often, at its end.
fn with_missing_words(mut text: String, other: &str) -> String {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    let mut missing = String::new();
    for word in other.split_whitespace() {
        match counts.get_mut(word) {
            Some(count) if *count > 0 => *count -= 1,
            _ => missing.extend(["\n", word]),
        }
    }
    text.push_str(&missing);
    text
}

impl PageRules {
    /// Whether the document declares neither size nor orientation.
    fn is_free(&self) -> bool {
        self.size.is_none() && self.landscape.is_none()
    }

    /// Width and height between the margins in whole CSS pixels of the content.
    fn area(&self, paper: &Paper, is_turned: bool) -> (f64, f64) {
        let setup = &paper.page_setup;
        let (width, height) = (setup.width * PIXELS, setup.height * PIXELS);
        let (mut width, mut height) = match self.size {
            Some(size) if !paper.overrides_size => size,
            _ => (width, height),
        };
        let landscape = self
            .landscape
            .filter(|_| !paper.overrides_size && self.size.is_none());
        if is_turned || landscape.is_some_and(|landscape| landscape != (width > height)) {
            (width, height) = (height, width);
        }
        let [top, right, bottom, left] = setup.margins.map(|margin| margin * PIXELS);
        let (overrides_right, overrides_left) = paper.overrides_margins;
        let right = self.right.filter(|_| !overrides_right).unwrap_or(right);
        let left = self.left.filter(|_| !overrides_left).unwrap_or(left);
        let pixels = |side: f64| (side / paper.scale).floor().max(MIN_WIDTH);
        (pixels(width - left - right), pixels(height - top - bottom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_text_misses_are_added() {
        let text = with_missing_words("a b\ta\nc".to_owned(), "a c c d");
        assert_eq!(text, "a b\ta\nc\nc\nd");
    }

    #[test]
    fn the_area_follows_request_and_document() {
        let mut paper = Paper {
            page_setup: PageSetup {
                width: 210.0,
                height: 297.0,
                margins: [10.0; 4],
            },
            overrides_size: false,
            overrides_margins: (false, true),
            scale: 1.0,
            may_turn: true,
        };
        let free = PageRules::default();
        assert_eq!(free.area(&paper, false), (718.0, 1046.0));
        assert_eq!(free.area(&paper, true), (1046.0, 718.0));
        let own = PageRules {
            size: Some((500.0, 400.0)),
            right: Some(100.0),
            left: Some(100.0),
            ..PageRules::default()
        };
        assert_eq!(own.area(&paper, false).0, 362.0);
        paper.overrides_size = true;
        paper.scale = 0.5;
        assert_eq!(own.area(&paper, false).0, 1311.0);
        let landscape = PageRules {
            landscape: Some(true),
            ..PageRules::default()
        };
        assert_eq!(landscape.area(&paper, false).0, 1436.0);
        paper.overrides_size = false;
        assert_eq!(landscape.area(&paper, false).0, 2093.0);
    }
}
