//! Parses numbers with thousands and decimal separators.

/// Maximum number of significant digits that spreadsheets keep.
const DIGITS: usize = 15;
/// Maximum number of decimals.
const DECIMALS: usize = 9;

/// A parsed number.
#[derive(PartialEq)]
pub(super) struct Number {
    pub(super) is_negative: bool,
    whole: String,
    pub(super) decimals: String,
    pub(super) is_grouped: bool,
}

impl Number {
    /// Parses a number such as `1,234.5` or `1'234.5`.
    pub(super) fn with_point(text: &str) -> Option<Self> {
        Self::parse(text, '.', &[',', '\'', '\u{2019}'])
    }

    /// Parses a number such as `1.234,5` or `1 234,5`.
    pub(super) fn with_comma(text: &str) -> Option<Self> {
        Self::parse(text, ',', &['.', ' ', '\u{a0}', '\u{202f}'])
    }

    /// Whether it has neither thousands separators nor decimals.
    pub(super) fn is_bare(&self) -> bool {
        self.decimals.is_empty() && !self.is_grouped
    }

    fn parse(text: &str, point: char, separators: &[char]) -> Option<Self> {
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
        let is_unambiguous = are_groups(&groups) && !is_address(body);
        (is_unambiguous && number.is_valid()).then_some(number)
    }

    fn is_valid(&self) -> bool {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let has_leading_zero = self.whole.len() > 1 && self.whole.starts_with('0');
        let length = self.whole.len() + self.decimals.len();
        digits(&self.whole)
            && digits(&self.decimals)
            && !self.whole.is_empty()
            && !has_leading_zero
            && length <= DIGITS
            && self.decimals.len() <= DECIMALS
    }

    /// Returns the number in the notation of the file format.
    pub(super) fn text(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        let point = if self.decimals.is_empty() { "" } else { "." };
        format!("{sign}{}{point}{}", self.whole, self.decimals)
    }
}

fn groups<'a>(whole: &'a str, separators: &[char]) -> Vec<&'a str> {
    match separators.iter().find(|sign| whole.contains(**sign)) {
        Some(separator) => whole.split(*separator).collect(),
        None => vec![whole],
    }
}

/// Whether a text may be an IPv4 address, such as 192.168.100.200.
fn is_address(text: &str) -> bool {
    let is_byte = |part: &str| part.parse::<u8>().is_ok();
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// Whether all groups but the first have three digits.
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
