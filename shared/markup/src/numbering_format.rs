//! Number formats of list numbering.

/// The number format of a list level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NumberingFormat {
    #[default]
    Decimal,
    /// With a leading zero: 01, 02.
    Padded,
    UpperRoman,
    LowerRoman,
    UpperLetter,
    LowerLetter,
    /// 1st, 2nd.
    Ordinal,
    /// Circled digits: ①.
    Circled,
    /// Chinese numerals.
    Chinese,
    /// Hebrew letters.
    Hebrew,
    /// Arabic letters in abjad order.
    Abjad,
    /// Greek letters.
    Greek,
    /// Cyrillic letters.
    Cyrillic,
}

impl NumberingFormat {
    /// Formats a number, from 1.
    pub(crate) fn format(self, number: u32) -> String {
        match self {
            Self::Decimal => number.to_string(),
            Self::Padded => format!("{number:02}"),
            Self::UpperRoman => roman(number),
            Self::LowerRoman => roman(number).to_lowercase(),
            Self::UpperLetter => repeated(number, ('A'..='Z').collect()),
            Self::LowerLetter => repeated(number, ('a'..='z').collect()),
            Self::Ordinal => ordinal(number),
            Self::Circled => circled(number),
            Self::Chinese => chinese(number),
            Self::Hebrew => repeated(number, "אבגדהוזחטיכלמנסעפצקרשת".chars().collect()),
            Self::Abjad => repeated(number, "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ".chars().collect()),
            Self::Greek => repeated(number, "αβγδεζηθικλμνξοπρστυφχψω".chars().collect()),
            Self::Cyrillic => repeated(number, "абвгдежзиклмнопрстуфхцчшщэюя".chars().collect()),
        }
    }
}

/// Formats with letters; after the last letter they are doubled (aa, bb), as in Word.
fn repeated(number: u32, letters: Vec<char>) -> String {
    let Some(index) = number.checked_sub(1) else {
        return "0".to_owned();
    };
    let count = letters.len() as u32;
    let letter = letters.get((index % count) as usize);
    // Longer than any genuine list; keeps a hostile number from becoming a very long marker.
    let times = (index / count + 1).min(10);
    letter
        .map(|letter| String::from_iter((0..times).map(|_| *letter)))
        .unwrap_or_default()
}

fn roman(number: u32) -> String {
    const DIGITS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if number == 0 || number > 9_999 {
        return number.to_string();
    }
    let (mut left, mut text) = (number, String::new());
    for (value, digit) in DIGITS {
        while left >= value {
            text.push_str(digit);
            left -= value;
        }
    }
    text
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn circled(number: u32) -> String {
    match number {
        1..=20 => char::from_u32(0x245f + number)
            .map(String::from)
            .unwrap_or_default(),
        _ => number.to_string(),
    }
}

fn chinese(number: u32) -> String {
    const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let digit = |number: u32| DIGITS.get(number as usize).copied().unwrap_or_default();
    match number {
        0 => "〇".to_owned(),
        1..=9 => digit(number).to_owned(),
        10..=19 => format!("十{}", digit(number - 10)),
        20..=99 => format!("{}十{}", digit(number / 10), digit(number % 10)),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_by_list_number_format() {
        for (numbering, number, shown) in [
            (NumberingFormat::Decimal, 12, "12"),
            (NumberingFormat::Padded, 7, "07"),
            (NumberingFormat::UpperRoman, 1994, "MCMXCIV"),
            (NumberingFormat::LowerRoman, 4, "iv"),
            (NumberingFormat::UpperLetter, 26, "Z"),
            (NumberingFormat::LowerLetter, 28, "bb"),
            (NumberingFormat::Ordinal, 22, "22nd"),
            (NumberingFormat::Ordinal, 12, "12th"),
            (NumberingFormat::Circled, 3, "③"),
            (NumberingFormat::Chinese, 21, "二十一"),
            (NumberingFormat::Hebrew, 2, "ב"),
            (NumberingFormat::LowerLetter, 0, "0"),
            (NumberingFormat::UpperRoman, u32::MAX, "4294967295"),
        ] {
            assert_eq!(numbering.format(number), shown, "{numbering:?}");
        }
        assert_eq!(NumberingFormat::LowerLetter.format(u32::MAX).len(), 10);
    }
}
