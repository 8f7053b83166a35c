//! What locales write differently: signs, names, and the codes of built-in formats.
//!
//! `conventions.tsv` has a line for each locale of [`domain::operation::LOCALES`]: its tag, its Windows code [MS-LCID], the decimal
//! sign, the thousands separator, the digits of each group before the last one, the date separator, the texts of AM and PM, the codes of [`BUILT_IN`], then the months, the
//! short months, both as written after the day of the month, the weekdays and the short weekdays. They are what LibreOffice
//! 25.2 shows, so that all results of a workbook agree.

use std::sync::LazyLock;

use domain::operation::Locale;

/// The built-in formats that differ between locales, and the numbers of their codes: those of the long date (`[$-F800]`) and
/// of the long time (`[$-F400]`) are [`LONG_DATE`] and [`LONG_TIME`].
const BUILT_IN: [u32; 19] = [
    5, 7, 37, 39, 41, 42, 43, 44, 14, 15, 16, 17, 18, 19, 20, 21, 22, LONG_DATE, LONG_TIME,
];
/// The built-in format of amounts with a currency and two decimals.
const AMOUNT: u32 = 7;
pub(crate) const LONG_DATE: u32 = 0xF800;
pub(super) const LONG_TIME: u32 = 0xF400;

/// The conventions of a locale.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Conventions {
    tag: &'static str,
    code: Option<u32>,
    pub(super) decimal_sign: &'static str,
    pub(super) thousands_separator: &'static str,
    /// Whether the groups before the last one have two digits instead of three, as in India.
    pub(super) groups_of_two: bool,
    pub(super) date_separator: &'static str,
    /// AM and PM.
    pub(super) noon: Vec<&'static str>,
    built_in: Vec<&'static str>,
    months: Vec<&'static str>,
    short_months: Vec<&'static str>,
    months_after_day: Vec<&'static str>,
    short_months_after_day: Vec<&'static str>,
    weekdays: Vec<&'static str>,
    short_weekdays: Vec<&'static str>,
}

static TABLE: LazyLock<Vec<Conventions>> = LazyLock::new(|| {
    let lines = include_str!("conventions.tsv").lines();
    lines.map(Conventions::parse).collect()
});
static NONE: LazyLock<Conventions> = LazyLock::new(Conventions::default);

impl Conventions {
    /// The conventions of a locale.
    pub(crate) fn of(locale: Locale) -> &'static Self {
        let row = TABLE.iter().find(|row| row.tag == locale.tag());
        row.unwrap_or(&NONE)
    }

    /// The conventions that a format code names by a tag or a hexadecimal Windows code, whose low 16 bits are the locale.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        let code = u32::from_str_radix(name, 16).ok().map(|code| code & 0xFFFF);
        let mut rows = TABLE.iter();
        rows.find(|row| match code {
            Some(code) => row.code == Some(code),
            None => row.tag.eq_ignore_ascii_case(name),
        })
    }

    /// The code of a built-in format; `None` if it is the same in all locales.
    pub(crate) fn built_in(&self, number: u32) -> Option<&'static str> {
        let number = match number {
            6 | 8 | 38 | 40 => number - 1,
            27..=31 | 36 | 50..=54 | 57 | 58 => 14,
            _ => number,
        };
        let index = BUILT_IN.iter().position(|other| *other == number)?;
        self.built_in.get(index).copied()
    }

    /// The symbol of the locale's currency: the text of the format of amounts.
    pub(crate) fn currency_symbol(&self) -> Option<String> {
        let positive = self.built_in(AMOUNT)?.split(';').next()?;
        let quoted: String = positive.split('"').skip(1).step_by(2).collect();
        let symbol = match quoted.trim() {
            "" => positive.trim_matches(['#', '0', ',', '.', ' ']),
            quoted => quoted,
        };
        (!symbol.is_empty() && symbol != "General").then(|| symbol.to_owned())
    }

    /// The name of a month, from 1.
    pub(super) fn month(
        &self,
        month: usize,
        (is_short, follows_day): (bool, bool),
    ) -> &'static str {
        let names = match (is_short, follows_day) {
            (false, false) => &self.months,
            (true, false) => &self.short_months,
            (false, true) => &self.months_after_day,
            (true, true) => &self.short_months_after_day,
        };
        names.get(month - 1).copied().unwrap_or_default()
    }

    /// The name of a weekday, from 0 for Sunday.
    pub(super) fn weekday(&self, day: usize, is_short: bool) -> &'static str {
        let names = match is_short {
            true => &self.short_weekdays,
            false => &self.weekdays,
        };
        names.get(day).copied().unwrap_or_default()
    }

    fn parse(line: &'static str) -> Self {
        let mut columns = line.split('\t');
        let mut text = || columns.next().unwrap_or_default();
        let (tag, code) = (text(), text().parse().ok());
        let (decimal_sign, thousands_separator) = (text(), text());
        let (groups_of_two, date_separator) = (text() == "2", text());
        let mut list = || text().split('|').collect();
        Self {
            tag,
            code,
            decimal_sign,
            thousands_separator,
            groups_of_two,
            date_separator,
            noon: list(),
            built_in: list(),
            months: list(),
            short_months: list(),
            months_after_day: list(),
            short_months_after_day: list(),
            weekdays: list(),
            short_weekdays: list(),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::operation::LOCALES;

    use super::*;

    #[test]
    fn every_locale_has_complete_conventions() {
        let tags: Vec<&str> = TABLE.iter().map(|row| row.tag).collect();
        assert_eq!(tags, LOCALES);
        for row in TABLE.iter() {
            let lengths = [
                row.noon.len(),
                row.built_in.len(),
                row.months.len(),
                row.short_months.len(),
                row.months_after_day.len(),
                row.short_months_after_day.len(),
                row.weekdays.len(),
                row.short_weekdays.len(),
            ];
            assert_eq!(
                lengths,
                [2, BUILT_IN.len(), 12, 12, 12, 12, 7, 7],
                "{}",
                row.tag
            );
            assert!(!row.decimal_sign.is_empty() && !row.date_separator.is_empty());
        }
    }
}
