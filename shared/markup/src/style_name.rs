//! Well-known style names that imply quotations or code.

/// Returns the quotation depth that a style name implies.
pub(crate) fn quotation(name: &str) -> Option<u8> {
    let name = name.trim().to_lowercase();
    if let Some(depth) = name.strip_prefix("quote ") {
        return depth.parse().ok().filter(|depth| (1..=9).contains(depth));
    }
    let names = [
        "quote",
        "intense quote",
        "quotations",
        "block text",
        "block quotation",
    ];
    names.contains(&name.as_str()).then_some(1)
}

/// Whether a style name implies code.
pub(crate) fn is_code(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    ["html preformatted", "preformatted text", "source code"].contains(&name.as_str())
}
