//! Lowercase Roman numerals of list markers.

/// Maximum length of a numeral in letters.
const LETTERS: usize = 8;

/// Parses a numeral; `None` if it is not in canonical form.
pub(crate) fn value(text: &str) -> Option<u32> {
    let values: Option<Vec<u32>> = text.chars().map(digit).collect();
    let values = values.filter(|values| (1..=LETTERS).contains(&values.len()))?;
    let next = values.iter().skip(1).chain([&0]);
    let (mut sum, mut less) = (0_u32, 0_u32);
    for (value, next) in values.iter().zip(next) {
        *(if value < next { &mut less } else { &mut sum }) += value;
    }
    let sum = sum.checked_sub(less)?;
    (written(sum) == text).then_some(sum)
}

fn digit(letter: char) -> Option<u32> {
    Some(match letter {
        'i' => 1,
        'v' => 5,
        'x' => 10,
        'l' => 50,
        'c' => 100,
        _ => return None,
    })
}

fn written(mut value: u32) -> String {
    const STEPS: [(u32, &str); 9] = [
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut text = String::new();
    for (step, letters) in STEPS {
        while value >= step {
            text.push_str(letters);
            value -= step;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numerals_are_parsed() {
        for count in (1..=100).filter(|count| written(*count).len() <= LETTERS) {
            assert_eq!(value(&written(count)), Some(count));
        }
        for text in ["", "iiii", "ic", "vx", "iix", "d", "lxxxviiii"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
