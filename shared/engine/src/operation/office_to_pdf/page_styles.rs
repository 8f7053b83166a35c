//! Changes the page styles of an OpenDocument file that LibreOffice saved.

/// Start of a page layout style [OpenDocument 1.3, 17.2].
const STYLE: &str = "<style:page-layout-properties";

/// Sets attributes of every page layout style. `attributes` begins with a space; all attributes whose name begins with one of
/// `replaced` are removed. Expects LibreOffice's serialization: one space before each attribute, no quotation marks in values.
pub(super) fn with_attributes(styles: &str, attributes: &str, replaced: &[&str]) -> String {
    let mut parts = styles.split(STYLE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (own, rest) = part.split_at(part.find('>').unwrap_or(part.len()));
        let own = replaced
            .iter()
            .fold(own.to_owned(), |own, name| without(&own, name));
        text.extend([STYLE, attributes, &own, rest]);
    }
    text
}

/// Removes the attributes whose name begins with `name`.
fn without(attributes: &str, name: &str) -> String {
    let name = format!(" {name}");
    let mut parts = attributes.split(&name);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.extend(part.splitn(3, '"').nth(2));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_every_page_style_are_replaced() {
        let styles = concat!(
            r#"<a><style:page-layout-properties style:num-format="1" style:scale-to="80%" style:print="x"/>"#,
            r#"<style:page-layout-properties style:scale-to-X="3" style:scale-to-Y="2"><b/></a>"#
        );
        let expected = concat!(
            r#"<a><style:page-layout-properties style:scale-to-X="1" style:num-format="1""#,
            r#" style:print="x"/>"#,
            r#"<style:page-layout-properties style:scale-to-X="1"><b/></a>"#
        );
        let attributes = r#" style:scale-to-X="1""#;
        let changed = with_attributes(styles, attributes, &["style:scale-to"]);
        assert_eq!(changed, expected);
    }
}
