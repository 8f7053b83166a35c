//! What the names of styles tell that every program knows.

/// How many quotations the paragraphs of a style of this name stand in.
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

/// Whether the paragraphs of a style of this name are lines of code.
pub(crate) fn is_code(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    ["html preformatted", "preformatted text", "source code"].contains(&name.as_str())
}
