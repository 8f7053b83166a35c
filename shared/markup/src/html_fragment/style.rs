//! Inline styles that are kept in a fragment.

/// Maximum number of declarations that are read from an element.
const DECLARATIONS: usize = 64;

/// Properties that are kept. None of them moves an element out of the fragment or makes its text invisible.
const KEPT: [&str; 14] = [
    "color",
    "direction",
    "text-align",
    "text-decoration",
    "text-decoration-line",
    "text-transform",
    "vertical-align",
    "white-space",
    "list-style-type",
    "line-height",
    "letter-spacing",
    "width",
    "max-width",
    "background-color",
];
/// Starts of names of properties that are kept.
const KEPT_STARTS: [&str; 4] = ["font", "border", "padding", "margin"];

/// Returns the declarations of an inline style that are kept, and whether one was left out because it loads a resource.
pub(super) fn kept(style: &str) -> (String, bool) {
    let mut declarations = String::new();
    let mut blocks = false;
    for declaration in style.split(';').take(DECLARATIONS) {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        let lower = value.to_ascii_lowercase();
        blocks |= lower.contains("url(");
        // Escapes and functions could name a resource in other ways.
        let is_plain = !value.contains(['\\', '{', '}', '@', '<']) && is_color_only(&lower);
        // `background` is kept as its color.
        let name = match name.as_str() {
            "background" if !lower.contains([' ', ',']) => "background-color",
            name => name,
        };
        let is_kept =
            KEPT.contains(&name) || KEPT_STARTS.iter().any(|start| name.starts_with(start));
        let is_negative = (name.starts_with("margin") || name == "letter-spacing")
            && lower.split_whitespace().any(|part| part.starts_with('-'));
        if is_kept && is_plain && !is_negative {
            declarations.push_str(&format!("{name}:{value};"));
        }
    }
    (declarations, blocks)
}

/// Whether the only functions in a value are those of colors.
fn is_color_only(value: &str) -> bool {
    let mut before = value.split('(');
    before.next_back();
    before.all(|before| before.ends_with("rgb") || before.ends_with("rgba"))
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn appearance_is_kept_and_resources_and_positions_are_not() {
        let style = "COLOR: rgb(1, 2, 3); position:fixed; top:0; font-family: 'A B', serif; margin-left:-9px; background:#fff";
        let expected = "color:rgb(1, 2, 3);font-family:'A B', serif;background-color:#fff;";
        assert_eq!(kept(style), (expected.to_owned(), false));
        let (declarations, blocks) = kept("background: URL(https://a.example/b.png); color: red");
        assert_eq!((declarations.as_str(), blocks), ("color:red;", true));
        for hostile in [
            "color: r\\65 d",
            "width: expression(a())",
            "color: image-set('a' 1x)",
            "font: 1px </style>",
        ] {
            assert_eq!(kept(hostile).0, "", "{hostile}");
        }
    }
}
