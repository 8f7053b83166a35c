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
/// How links and fields name their targets.
const REFERENCES: [Reference; 5] = [
    Reference::link("href=\"", "\""),
    Reference::link("Target=\"", "\""),
    Reference::link("HYPERLINK \"", "\""),
    Reference::link("HYPERLINK &quot;", "&quot;"),
    // The name is customary for fields that only show a text. The text of a document may have these words as well, so names of
    // macros, which are not in the result, are kept.
    Reference {
        prefix: "MACROBUTTON ",
        end: " ",
        replacement: "NoMacro",
    },
];
/// The schemes of links that run macros and commands.
const SCHEMES: [&str; 4] = [
    "macro:",
    "vnd.sun.star.script:",
    "vnd.libreoffice.command:",
    ".uno:",
];

/// The reference to a target, which is between `prefix` and `end`.
struct Reference {
    prefix: &'static str,
    end: &'static str,
    /// The target that replaces macros.
    replacement: &'static str,
}

impl Reference {
    const fn link(prefix: &'static str, end: &'static str) -> Self {
        Self {
            prefix,
            end,
            replacement: "#",
        }
    }

    /// The text with other targets instead of macros; `None` if it refers to none.
    fn replaced(&self, text: &str) -> Option<String> {
        let mut parts = text.split(self.prefix);
        let mut kept = parts.next().unwrap_or_default().to_owned();
        let mut is_changed = false;
        for part in parts {
            let end = part.find(self.end).unwrap_or(part.len());
            let (target, rest) = part.split_at(end);
            let is_macro = has_macro_scheme(target);
            is_changed |= is_macro;
            let target = if is_macro { self.replacement } else { target };
            kept.extend([self.prefix, target, rest]);
        }
        is_changed.then_some(kept)
    }
}

fn has_macro_scheme(target: &str) -> bool {
    SCHEMES.iter().any(|scheme| {
        let start = target.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

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
    for reference in REFERENCES {
        let from = changed.as_deref().unwrap_or(text);
        changed = reference.replaced(from).or(changed);
    }
    changed
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
        for (text, expected) in [
            (
                r#"<text:a xlink:href="macro:///Standard.Module1.Main()" xlink:type="simple">"#,
                r##"<text:a xlink:href="#" xlink:type="simple">"##,
            ),
            (
                r#"HYPERLINK "VND.LibreOffice.Command:a" HYPERLINK "https://a""#,
                r##"HYPERLINK "#" HYPERLINK "https://a""##,
            ),
            ("HYPERLINK &quot;.uno:a&quot;", "HYPERLINK &quot;#&quot;"),
            (
                "MACROBUTTON vnd.sun.star.script:Main?language=Basic four MACROBUTTON Main five",
                "MACROBUTTON NoMacro four MACROBUTTON Main five",
            ),
        ] {
            assert_eq!(removed(text).as_deref(), Some(expected));
        }
        assert_eq!(removed("href=\"a\" MACROBUTTON NoMacro four"), None);
    }

    #[test]
    fn only_parts_in_directories_of_macros_are_macros() {
        assert!(is_macro("Basic/Standard/Module1.xml"));
        assert!(!is_macro("content.xml"));
    }
}
