//! Counts the words of the text in a drawing.

use resvg::usvg::{Group, ImageKind, Node, Text};

/// Returns the number of words in a group.
pub(in super::super) fn words(group: &Group) -> u32 {
    let nodes = group.children().iter();
    let counts = nodes.map(|node| match node {
        Node::Group(group) => words(group),
        Node::Text(text) => words_of(text),
        Node::Image(image) => match image.kind() {
            ImageKind::SVG(tree) => words(tree.root()),
            _ => 0,
        },
        Node::Path(_) => 0,
    });
    counts.fold(0, u32::saturating_add)
}

/// Returns the number of words of a text: runs of characters without spaces that have a letter or digit.
pub(super) fn words_of(text: &Text) -> u32 {
    let chunks = text.chunks().iter();
    let words = chunks.flat_map(|chunk| chunk.text().split_whitespace());
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    u32::try_from(words.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use resvg::usvg::{Options, Tree};

    use super::words;

    #[test]
    fn words_of_nested_groups_are_counted() {
        let mut options = Options {
            font_family: "Liberation Serif".to_owned(),
            ..Options::default()
        };
        options.fontdb_mut().load_system_fonts();
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><text>one <tspan>two</tspan> -</text>\
            <g><g opacity='.5'><text>three</text></g></g><rect width='9' height='9'/></svg>";
        let tree = Tree::from_str(drawing, &options).unwrap();
        assert_eq!(words(tree.root()), 3);
    }
}
