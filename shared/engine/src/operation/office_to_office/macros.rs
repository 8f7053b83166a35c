//! Removes macros from OpenDocument packages, to which LibreOffice converts those of Microsoft's formats.

/// Directories of a package that contain macros and their dialogs.
const DIRECTORIES: [&str; 3] = ["Basic/", "Dialogs/", "Scripts/"];
/// Start and end of the elements that refer to macros: entries of the manifest, and listeners, as LibreOffice writes them.
const ELEMENTS: [(&str, &str); 4] = [
    (r#"<manifest:file-entry manifest:full-path="Basic/"#, "/>"),
    (r#"<manifest:file-entry manifest:full-path="Dialogs/"#, "/>"),
    (r#"<manifest:file-entry manifest:full-path="Scripts/"#, "/>"),
    ("<script:event-listener ", "/>"),
];
/// What precedes the targets of links, and the schemes of those that run macros.
const LINKS: [&str; 3] = ["href=\"", "Target=\"", "HYPERLINK \""];
const SCHEMES: [&str; 2] = ["macro:", "vnd.sun.star.script:"];

/// Whether a part is a macro.
pub(super) fn is_macro(part: &str) -> bool {
    DIRECTORIES
        .iter()
        .any(|directory| part.starts_with(directory))
}

/// The text of a part without references to macros, and with links that lead nowhere instead of those that run macros; `None` if
/// there are none.
pub(super) fn removed(text: &str) -> Option<String> {
    let mut changed = None;
    for (start, end) in ELEMENTS {
        let from = changed.as_deref().unwrap_or(text);
        if from.contains(start) {
            changed = Some(without(from, start, end));
        }
    }
    for (link, scheme) in LINKS
        .iter()
        .flat_map(|link| SCHEMES.map(|scheme| (link, scheme)))
    {
        let from = changed.as_deref().unwrap_or(text);
        let start = format!("{link}{scheme}");
        if from.contains(&start) {
            changed = Some(without_targets(from, link, &start));
        }
    }
    changed
}

/// Replaces the targets of links that begin with `start`.
fn without_targets(text: &str, link: &str, start: &str) -> String {
    let mut parts = text.split(start);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(link);
        kept.push('#');
        kept.push_str(
            part.find('"')
                .and_then(|end| part.get(end..))
                .unwrap_or(part),
        );
    }
    kept
}

fn without(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once(end).map_or("", |(_, rest)| rest));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_macros_are_removed() {
        let text = concat!(
            r#"<a><manifest:file-entry manifest:full-path="Basic/script-lc.xml" manifest:media-type="text/xml"/>"#,
            r#"<manifest:file-entry manifest:full-path="content.xml"/>"#,
            r#"<script:event-listener script:language="ooo:script" xlink:href="vnd.sun.star.script:A"/></a>"#
        );
        let expected = r#"<a><manifest:file-entry manifest:full-path="content.xml"/></a>"#;
        assert_eq!(removed(text).as_deref(), Some(expected));
        assert_eq!(removed(expected), None);
        let link = r#"<text:a xlink:href="macro:///Standard.Module1.Main()" xlink:type="simple">"#;
        let expected = r##"<text:a xlink:href="#" xlink:type="simple">"##;
        assert_eq!(removed(link).as_deref(), Some(expected));
    }

    #[test]
    fn only_parts_in_directories_of_macros_are_macros() {
        assert!(is_macro("Basic/Standard/Module1.xml"));
        assert!(!is_macro("content.xml"));
    }
}
