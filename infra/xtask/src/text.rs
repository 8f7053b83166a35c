//! Words and numbers as generated files write them.

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let apart = |(index, digit): (usize, char)| {
        let first = index > 0 && (digits.len() - index).is_multiple_of(3);
        first.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(apart).collect()
}

/// `Jobs` of `jobs`.
pub(crate) fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
