//! Brackets of lines with right-to-left text: PDF readers and writers mirror some of them and not others.

/// Brackets that are mirrored, in pairs.
const PAIRS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('{', '}'), ('«', '»'), ('‹', '›')];

/// Returns the other bracket of its pair; `None` if it is not a bracket.
pub(in crate::analysis) fn other(bracket: char) -> Option<char> {
    PAIRS.into_iter().find_map(|(open, close)| match bracket {
        _ if bracket == open => Some(close),
        _ if bracket == close => Some(open),
        _ => None,
    })
}

/// Replaces brackets by those that are seen, given the characters from left to right: either all of them are mirrored, or
/// the space next to each shows whether it opens.
pub(in crate::analysis) fn restore(seen: &mut [char]) {
    let turned = || seen.iter().map(|text| other(*text).unwrap_or(*text));
    if are_paired(seen.iter().copied()) {
        return;
    }
    if are_paired(turned()) {
        let turned: Vec<char> = turned().collect();
        seen.copy_from_slice(&turned);
        return;
    }
    let ends = |place: Option<usize>| {
        let neighbors = place.and_then(|place| seen.get(place)).copied();
        neighbors.is_none_or(|text| text.is_whitespace() || ".,;:!?،؛؟".contains(text))
    };
    let mut open: Vec<char> = Vec::new();
    let shapes: Vec<char> = seen
        .iter()
        .enumerate()
        .map(|(place, text)| {
            let pair = PAIRS.iter().find(|pair| [pair.0, pair.1].contains(text));
            let Some((opening, closing)) = pair.copied() else {
                return *text;
            };
            let opens = match (ends(place.checked_sub(1)), ends(Some(place + 1))) {
                (true, false) => true,
                (false, true) => false,
                _ => open.last() != Some(&opening),
            };
            match opens {
                true => open.push(opening),
                false => drop(open.pop_if(|last| *last == opening)),
            }
            if opens { opening } else { closing }
        })
        .collect();
    seen.copy_from_slice(&shapes);
}

fn are_paired(text: impl Iterator<Item = char>) -> bool {
    let mut open = Vec::new();
    for bracket in text {
        match PAIRS
            .iter()
            .find(|pair| [pair.0, pair.1].contains(&bracket))
        {
            Some((opening, closing)) if bracket == *opening => open.push(*closing),
            Some(_) if open.pop() != Some(bracket) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_restored_by_pairs_and_by_the_space_beside_them() {
        for (seen, expected) in [
            ("a (b [c] d)", "a (b [c] d)"),
            ("a )b ]c[ d(", "a (b [c] d)"),
            ("a )PDF) ,(b)", "a (PDF) ,(b)"),
            ("a )b )c (d", "a (b (c (d"),
            ("f)x) »g»", "f(x) «g»"),
        ] {
            let mut text: Vec<char> = seen.chars().collect();
            restore(&mut text);
            assert_eq!(text.into_iter().collect::<String>(), expected);
        }
    }
}
