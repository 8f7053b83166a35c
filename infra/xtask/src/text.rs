//! Formatting of names and numbers in generated files.

/// A number with thousands separators.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let with_separator = |(index, digit): (usize, char)| {
        let first = index > 0 && (digits.len() - index).is_multiple_of(3);
        first.then_some(',').into_iter().chain([digit])
    };
    digits
        .chars()
        .enumerate()
        .flat_map(with_separator)
        .collect()
}

/// Converts kebab case to Pascal case: `dead-letter` becomes `DeadLetter`.
pub(crate) fn pascal_case(name: &str) -> String {
    name.split('-').map(capitalized).collect()
}

/// Converts Pascal case to kebab case: `DeadLetter` becomes `dead-letter`.
pub(crate) fn kebab_case(name: &str) -> String {
    let mut converted = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !converted.is_empty() {
            converted.push('-');
        }
        converted.extend(letter.to_lowercase());
    }
    converted
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
