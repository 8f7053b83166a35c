//! Makes links relative again that LibreOffice has resolved against the directory of the document.

use std::path::{Path, PathBuf};

use office::kit::WORKING_DIRECTORY;

/// The URLs of the directory of a document and of those above it, which replace relative links.
pub(in super::super) struct LocalLinks {
    /// Each with the relative path that it stands for; those of inner directories first.
    directories: Vec<(String, String)>,
    /// Path of the document's directory, which fields show.
    path: String,
    /// The URL of the document itself, whose name customers do not know.
    document: Option<String>,
}

impl LocalLinks {
    /// The links of a document in `directory`, which is below the working directory. `base` is the relative path from which
    /// the target format resolves links to the directory of the document.
    pub(in super::super) fn of(directory: &Path, base: &str) -> Self {
        let working = std::env::current_dir().unwrap_or_default();
        let inside = directory.strip_prefix(working).unwrap_or(Path::new(""));
        // Joining an empty path would add a slash.
        let components = Path::new(WORKING_DIRECTORY).components();
        let directory: PathBuf = components.chain(inside.components()).collect();
        let below_root = directory.ancestors().filter(|path| path.parent().is_some());
        let directories = below_root.enumerate().map(|(level, path)| {
            (
                format!("file://{}/", path.display()),
                base.to_owned() + &"../".repeat(level),
            )
        });
        Self {
            directories: directories.collect(),
            path: format!("{}/", directory.display()),
            document: None,
        }
    }

    /// Makes links to the document itself, which is `file`, links to places in it.
    pub(in super::super) fn with_document(mut self, file: &Path) -> Self {
        let directory = self.directories.first();
        let name = file.file_name().map(|name| name.display());
        let url = directory
            .zip(name)
            .map(|((directory, _), name)| format!("{directory}{name}"));
        self.document = url;
        self
    }

    /// Whether a text may contain such a link.
    pub(in super::super) fn are_in(&self, text: &str) -> bool {
        text.contains(&self.path) || self.directories.iter().any(|(url, _)| text.contains(url))
    }

    /// Makes a URL relative, if it is below one of the directories.
    pub(in super::super) fn relative(&self, url: &str) -> Option<String> {
        if let Some(place) = self.place_in_document(url) {
            return Some(format!("#{place}"));
        }
        let mut relative = self.directories.iter().filter_map(|(directory, path)| {
            let rest = url.strip_prefix(directory.as_str())?;
            Some(format!("{path}{rest}"))
        });
        relative.next()
    }

    /// The place in the document itself to which a URL leads; empty for the whole.
    fn place_in_document<'u>(&self, url: &'u str) -> Option<&'u str> {
        match url.strip_prefix(self.document.as_deref()?)? {
            "" => Some(""),
            place => place.strip_prefix('#'),
        }
    }

    /// Replaces all such URLs and paths in a text. Those above the working directory are replaced only at the beginning of an
    /// attribute or argument, because text may name them.
    pub(in super::super) fn replaced(&self, text: &str) -> String {
        let urls = self.directories.iter();
        let replaced = urls.fold(text.to_owned(), |text, (url, path)| {
            match url.contains(WORKING_DIRECTORY) {
                true => text.replace(url, path),
                false => text.replace(&format!("\"{url}"), &format!("\"{path}")),
            }
        });
        replaced.replace(&self.path, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_below_the_working_directory_become_relative() {
        let directory = std::env::current_dir().unwrap().join("step-0");
        let links = LocalLinks::of(&directory, "").with_document(Path::new("/a/document.xlsx"));
        for (url, expected) in [
            (
                "file:///proc/self/cwd/step-0/a%20b.docx#c",
                Some("a%20b.docx#c"),
            ),
            ("file:///proc/self/cwd/up.docx", Some("../up.docx")),
            ("file:///proc/self/x", Some("../../x")),
            (
                "file:///proc/self/cwd/step-0/document.xlsx#Two.A1",
                Some("#Two.A1"),
            ),
            ("file:///proc/self/cwd/step-0/document.xlsx", Some("#")),
            (
                "file:///proc/self/cwd/step-0/document.xls",
                Some("document.xls"),
            ),
            (
                "file:///proc/self/cwd/document.xlsx",
                Some("../document.xlsx"),
            ),
            ("file:///C:/own.docx", None),
            ("https://example.com/proc/self/cwd/", None),
        ] {
            assert_eq!(links.relative(url).as_deref(), expected, "{url}");
        }
        let text = r#"<a href="file:///proc/self/cwd/up"/>/proc/self/cwd/step-0/document.docx"#;
        assert!(links.are_in(text));
        assert_eq!(links.replaced(text), r#"<a href="../up"/>document.docx"#);
        let packaged = LocalLinks::of(&directory, "../");
        assert_eq!(
            packaged.relative("file:///proc/self/cwd/step-0/a"),
            Some("../a".to_owned())
        );
    }
}
