//! What elements are by their names.

/// Elements that are blocks wherever they stand.
const BLOCKS: [&str; 28] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "main",
    "nav",
    "p",
    "search",
    "section",
    "summary",
];

/// Whether a paragraph ends before such an element [HTML, 13.2.6.4.7].
pub(super) fn ends_paragraph(name: &str) -> bool {
    let others = [
        "dir",
        "hr",
        "listing",
        "menu",
        "ol",
        "plaintext",
        "pre",
        "table",
        "ul",
        "xmp",
    ];
    BLOCKS.contains(&name) || others.contains(&name)
}

/// Whether what such an element holds stands on its own, and no more is known of it.
pub(super) fn stands_alone(name: &str) -> bool {
    let others = ["body", "dd", "dt", "html", "legend", "optgroup", "tr"];
    BLOCKS.contains(&name) || others.contains(&name)
}
