//! Links of cells: by a formula, and to places in the workbook.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use crate::link;
use crate::warning::{Loss, Losses};
use crate::xlsx::reference;

/// The page of each shown sheet of a workbook, by its name in lower case.
#[derive(Debug, Default)]
pub(crate) struct SheetPages(HashMap<String, usize>);

impl SheetPages {
    /// The pages of the shown sheets, which are in order.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        Self(names.map(str::to_lowercase).zip(1..).collect())
    }

    /// Returns the page of a place such as `'My sheet'!A1`; one without a sheet is on the page `own`. Defined names have none.
    pub(crate) fn page(&self, place: &str, own: u32) -> Option<usize> {
        let place = percent_decode_str(place).decode_utf8_lossy();
        let Some((sheet, _)) = place.rsplit_once('!') else {
            return reference::range(&place).map(|_| own as usize);
        };
        let name = sheet.trim_matches('\'').replace("''", "'");
        self.0.get(&name.to_lowercase()).copied()
    }
}

/// Whether a formula is a call of `HYPERLINK`, such as `of:=HYPERLINK("https://a.example/";"web")`.
pub(crate) fn is_call(formula: &str) -> bool {
    arguments(formula).is_some()
}

/// Returns the link of a formula that is a call of `HYPERLINK`. A calculated or refused target is counted as dropped content.
pub(crate) fn by_formula(formula: &str, losses: &mut Losses) -> Option<String> {
    let target = literal(arguments(formula)?);
    if target.is_none() {
        losses.add(Loss::Link);
    }
    link::kept(&target?, losses)
}

fn arguments(formula: &str) -> Option<&str> {
    let formula = formula.trim();
    let is_before_sign = |c: char| c.is_ascii_alphabetic() || c == ':';
    let call = formula.trim_start_matches(is_before_sign).strip_prefix('=');
    let call = call.unwrap_or(formula).trim_start();
    let (name, arguments) = call.split_once('(')?;
    name.eq_ignore_ascii_case("HYPERLINK").then_some(arguments)
}

/// The first argument, if it is a text.
fn literal(arguments: &str) -> Option<String> {
    let mut rest = arguments.trim_start().strip_prefix('"')?;
    let mut text = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        text.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                text.push('"');
                rest = after;
            }
            None => {
                return after
                    .trim_start()
                    .starts_with([',', ';', ')'])
                    .then_some(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_targets_of_formulas_are_links() {
        let mut losses = Losses::default();
        for (formula, expected) in [
            (
                r#"HYPERLINK("https://a.example/","web")"#,
                Some("https://a.example/"),
            ),
            (
                r#"of:=HYPERLINK("https://a.example/";"web")"#,
                Some("https://a.example/"),
            ),
            (
                r#"=Hyperlink("https://a.example/?""q""")"#,
                Some(r#"https://a.example/?"q""#),
            ),
            (r##"HYPERLINK("#Two!A1")"##, Some("#Two!A1")),
            (r#"SUM(A1,"HYPERLINK(")"#, None),
        ] {
            let link = by_formula(formula, &mut losses);
            assert_eq!(link.as_deref(), expected, "{formula}");
        }
        assert!(losses.all().is_empty());
        for formula in [
            "HYPERLINK(A1)",
            r#"HYPERLINK("https://a.example/"&A1)"#,
            r#"HYPERLINK("file:///a")"#,
        ] {
            assert_eq!(by_formula(formula, &mut losses), None, "{formula}");
        }
        assert_eq!(losses.all().iter().map(|one| one.count).sum::<u32>(), 3);
    }

    #[test]
    fn places_are_on_the_page_of_their_sheet() {
        let pages = SheetPages::of(["One", "It's two"].into_iter());
        for (place, page) in [
            ("one!A1", Some(1)),
            ("'It''s two'!A1:B2", Some(2)),
            ("'It''s%20two'!A1", Some(2)),
            ("$B$2", Some(7)),
            ("None!A1", None),
            ("Name", None),
        ] {
            assert_eq!(pages.page(place, 7), page, "{place}");
        }
    }
}
