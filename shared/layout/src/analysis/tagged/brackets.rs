//! Brackets in right-to-left text: documents that declare the text of characters name the meant bracket, which PDF readers
//! mirror as if it were the drawn one.

use crate::analysis::bidi;
use crate::model::block::{Block, Content};
use crate::model::text::{Run, plain};

/// Mirrors the brackets of right-to-left text if they form pairs only then.
pub(super) fn turn_round(blocks: &mut [Block]) {
    for block in blocks {
        match &mut block.content {
            Content::Heading { runs, .. }
            | Content::Paragraph { runs, .. }
            | Content::Footnote { runs, .. } => of_runs(runs),
            Content::List { items } => items.iter_mut().for_each(|item| of_runs(&mut item.runs)),
            Content::Table(table) => {
                let cells = table.cells.iter_mut();
                cells.for_each(|cell| turn_round(&mut cell.blocks));
            }
            Content::Image { .. } | Content::Rule => {}
        }
    }
}

fn of_runs(runs: &mut [Run]) {
    let text: Vec<char> = plain(runs).chars().collect();
    if !bidi::is_mostly_from_right(text.iter().copied()) || are_pairs(&text) {
        return;
    }
    let Some(places) = turned(&text) else { return };
    let mut place = 0;
    for run in runs {
        let characters = run.text.chars().map(|character| {
            place += 1;
            match places.binary_search(&(place - 1)).is_ok() {
                true => other(character).unwrap_or(character),
                false => character,
            }
        });
        run.text = characters.collect();
    }
}

/// Returns the brackets to mirror; `None` if mirroring does not make pairs either.
fn turned(text: &[char]) -> Option<Vec<usize>> {
    let (mut places, mut open, mut is_turned) = (Vec::new(), Vec::new(), false);
    for (place, bracket) in text.iter().enumerate() {
        let Some(partner) = other(*bracket) else {
            continue;
        };
        if open.last() == Some(&partner) {
            open.pop();
        } else {
            if open.is_empty() {
                is_turned = !opens(*bracket);
            }
            open.push(*bracket);
        }
        if is_turned {
            places.push(place);
        }
    }
    open.is_empty().then_some(places)
}

fn are_pairs(text: &[char]) -> bool {
    turned(text).is_some_and(|places| places.is_empty())
}

fn opens(bracket: char) -> bool {
    matches!(bracket, '(' | '[' | '{')
}

fn other(bracket: char) -> Option<char> {
    Some(match bracket {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text::Style;

    #[test]
    fn brackets_make_pairs() {
        for (text, expected) in [
            ("ת )אב( ג", "ת (אב) ג"),
            ("א )ב( ג )ד( [ה]", "א (ב) ג (ד) [ה]"),
            ("א )ב [ג[ ד(", "א )ב [ג[ ד("),
            ("א )ב ]ג[ ד(", "א (ב [ג] ד)"),
            ("א (ב) ג", "א (ב) ג"),
            ("א) ב (ג)", "א) ב (ג)"),
            ("a )b( c", "a )b( c"),
        ] {
            let mut runs: Vec<Run> = text
                .split_inclusive(' ')
                .map(|text| Run {
                    text: text.to_owned(),
                    style: Style::default(),
                    link: None,
                })
                .collect();
            of_runs(&mut runs);
            assert_eq!(plain(&runs), expected);
        }
    }
}
