//! Links of cells: by a formula, and to places in the workbook.

use std::collections::HashMap;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use crate::cell_reference;
use crate::link;
use crate::warning::{Loss, Losses};

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
        // The name of a sheet may contain a percent sign.
        self.known(place, own).or_else(|| {
            let decoded = percent_decode_str(place).decode_utf8_lossy();
            self.known(&decoded, own)
        })
    }

    fn known(&self, place: &str, own: u32) -> Option<usize> {
        let Some((sheet, _)) = place.rsplit_once('!') else {
            return cell_reference::range(place).map(|_| own as usize);
        };
        let name = sheet.trim_matches('\'').replace("''", "'");
        self.0.get(&name.to_lowercase()).copied()
    }
}

/// The target of a formula with a call of `HYPERLINK`.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// That of a formula such as `of:=HYPERLINK("https://a.example/";"web")`. Cells with a shared formula have it in common.
    Literal(Arc<str>),
    Calculated,
}

impl Target {
    /// Returns the target of a formula; `None` if it does not call `HYPERLINK`.
    pub(crate) fn of(formula: &str) -> Option<Self> {
        let is_call = |code: &str| code.to_ascii_uppercase().contains("HYPERLINK(");
        // Every other part is a text.
        formula.split('"').step_by(2).find(|code| is_call(code))?;
        let literal = arguments(formula).and_then(literal);
        Some(literal.map_or(Self::Calculated, |text| Self::Literal(text.into())))
    }

    /// Returns the link. A calculated or refused target is counted as dropped content.
    pub(crate) fn kept(&self, losses: &mut Losses) -> Option<String> {
        match self {
            Self::Literal(target) => link::kept(target, losses),
            Self::Calculated => {
                losses.add(Loss::Link);
                None
            }
        }
    }
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
        let mut by_formula = |formula| Target::of(formula)?.kept(&mut losses);
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
            let link = by_formula(formula);
            assert_eq!(link.as_deref(), expected, "{formula}");
        }
        for formula in [
            "HYPERLINK(A1)",
            r#"=+HYPERLINK("https://a.example/")"#,
            r#"IF(A1="","",hyperlink("https://a.example/"))"#,
            r#"HYPERLINK("https://a.example/"&A1)"#,
            r#"HYPERLINK("file:///a")"#,
        ] {
            assert_eq!(by_formula(formula), None, "{formula}");
        }
        assert_eq!(losses.all().iter().map(|one| one.count).sum::<u32>(), 5);
    }

    #[test]
    fn places_are_on_the_page_of_their_sheet() {
        let pages = SheetPages::of(["One", "It's two", "50%25"].into_iter());
        for (place, page) in [
            ("one!A1", Some(1)),
            ("'It''s two'!A1:B2", Some(2)),
            ("'It''s%20two'!A1", Some(2)),
            ("50%25!A1", Some(3)),
            ("50%2525!A1", Some(3)),
            ("$B$2", Some(7)),
            ("None!A1", None),
            ("Name", None),
        ] {
            assert_eq!(pages.page(place, 7), page, "{place}");
        }
    }
}
