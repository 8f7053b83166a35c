//! Numbers as texts write them, with signs for thousands and for decimals.

use super::styles;

/// Most digits of a number that spreadsheets keep.
const DIGITS: usize = 15;

/// A number as it is written.
#[derive(PartialEq)]
pub(super) struct Number {
    is_negative: bool,
    whole: String,
    pub(super) decimals: String,
    pub(super) is_grouped: bool,
}

impl Number {
    /// As `1,234.5`.
    pub(super) fn with_point(text: &str) -> Option<Self> {
        Self::written(text, '.', &[','])
    }

    /// As `1.234,5` or `1 234,5`.
    pub(super) fn with_comma(text: &str) -> Option<Self> {
        Self::written(text, ',', &['.', ' ', '\u{a0}', '\u{202f}'])
    }

    /// Whether nothing but digits and a sign are written.
    pub(super) fn is_bare(&self) -> bool {
        self.decimals.is_empty() && !self.is_grouped
    }

    fn written(text: &str, point: char, separators: &[char]) -> Option<Self> {
        let body = text.strip_prefix(['-', '\u{2212}']);
        let (is_negative, body) = (body.is_some(), body.unwrap_or(text));
        let (whole, decimals) = match body.split_once(point) {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (body, ""),
        };
        let groups = groups(whole, separators);
        let number = Self {
            is_negative,
            whole: groups.concat(),
            decimals: decimals.to_owned(),
            is_grouped: groups.len() > 1,
        };
        let is_sure = are_groups(&groups) && !is_address(body);
        (is_sure && number.is_one()).then_some(number)
    }

    fn is_one(&self) -> bool {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_named = self.whole.len() > 1 && self.whole.starts_with('0');
        let length = self.whole.len() + self.decimals.len();
        digits(&self.whole)
            && digits(&self.decimals)
            && !self.whole.is_empty()
            && !is_named
            && length <= DIGITS
            && self.decimals.len() <= styles::DECIMALS
    }

    /// As the format writes numbers.
    pub(super) fn text(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        let point = if self.decimals.is_empty() { "" } else { "." };
        format!("{sign}{}{point}{}", self.whole, self.decimals)
    }
}

/// A text without the sign of a percentage, and whether it had one.
pub(super) fn without_percent(text: &str) -> (&str, bool) {
    match text.strip_suffix('%') {
        Some(body) => (body.trim_end(), true),
        None => (text, false),
    }
}

fn groups<'a>(whole: &'a str, separators: &[char]) -> Vec<&'a str> {
    match separators.iter().find(|sign| whole.contains(**sign)) {
        Some(separator) => whole.split(*separator).collect(),
        None => vec![whole],
    }
}

/// Whether a text may be the address of a machine, as 192.168.100.200 is.
fn is_address(text: &str) -> bool {
    let is_byte = |part: &str| part.parse::<u8>().is_ok();
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// Whether digits stand in threes, save for the first ones.
fn are_groups(groups: &[&str]) -> bool {
    match groups {
        [_] => true,
        [first, rest @ ..] => {
            (1..=3).contains(&first.len())
                && !first.starts_with('0')
                && rest.iter().all(|group| group.len() == 3)
        }
        [] => false,
    }
}
