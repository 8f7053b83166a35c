//! LibreOfficeKit: loads and saves documents with LibreOffice in this process.

mod fonts;
mod hidden_parts;
mod interface;
mod location;
mod main_loop;
pub(crate) mod measured;
mod missing_fonts;
mod mode;
mod password;
pub mod sheets;
mod url;

use std::cell::RefCell;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use self::fonts::FontUsage;
use self::interface::{Loaded, Office, c_string};
pub use self::main_loop::EXIT_DIALOG;
use self::measured::is_measured;
use self::password::PasswordPrompt;
use self::url::file_url;

/// The locale that LibreOffice is warmed up with.
const LOCALE: &str = "en-US";

/// An initialized LibreOffice.
pub struct LibreOfficeKit {
    office: Office,
    password_prompt: Box<PasswordPrompt>,
    version: String,
    /// The locale that was passed last. LibreOffice keeps it, and parsing it is slow.
    locale: RefCell<String>,
}

/// Options for loading a document.
#[derive(Clone, Copy)]
pub struct LoadOptions<'a> {
    /// BCP 47 tag of the locale of number formats, dates and paper that the document does not fix.
    pub locale: &'a str,
    /// Options of the import filter. Without them, a filter with options would open a dialog.
    pub filter: Option<&'a str>,
    /// The password for an encrypted document.
    pub password: Option<&'a str>,
    /// Suppresses all dialogs, including the password prompt (`Batch=true`): for lossy exports, which LibreOffice would ask
    /// to confirm.
    pub batch: bool,
}

impl Default for LoadOptions<'_> {
    fn default() -> Self {
        Self {
            locale: LOCALE,
            filter: None,
            password: None,
            batch: false,
        }
    }
}

/// Why a document was not loaded.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// The document requires a password.
    #[error("the document requires a password")]
    PasswordRequired,
    /// The password is wrong.
    #[error("the password of the document is wrong")]
    PasswordIncorrect,
    /// LibreOffice cannot read the document.
    #[error("the document cannot be read")]
    Unreadable,
}

/// LibreOffice failed to save a document.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the document was not saved: {0}")]
pub struct SaveError(String);

impl LibreOfficeKit {
    /// Initializes LibreOffice from its program directory with a user profile.
    pub(crate) fn init(installation: &Path, profile: &Path) -> Result<Self, String> {
        let office = Office::init(installation, &file_url(profile)?)?;
        Ok(Self {
            version: version(&office.version_info()).unwrap_or_default(),
            office,
            password_prompt: Box::default(),
            locale: RefCell::default(),
        })
    }

    /// Runs the main loop and calls `serve` in it once it is idle. Only there no lock of LibreOffice is held, so that a fork
    /// does not inherit a lock held by a thread that does not exist in it.
    pub(crate) fn run_loop(&self, serve: &mut dyn FnMut() -> Infallible) -> String {
        main_loop::run(&self.office, serve)
    }

    /// The version of LibreOffice, such as `25.2.3.2`; empty if it is unknown.
    pub(crate) fn version(&self) -> String {
        self.version.clone()
    }

    /// Temporarily ends LibreOffice's threads except the calling one. Returns whether it succeeded.
    pub(crate) fn join_threads(&self) -> bool {
        self.office.join_threads()
    }

    /// Marks this process as a fork. Must be called first in a fork.
    pub(crate) fn set_forked_child(&self) {
        self.office.set_forked_child();
    }

    /// Loads a document. LibreOffice detects its format by extension and content.
    ///
    /// # Errors
    /// [`LoadError`]
    pub fn load(&self, file: &Path, options: LoadOptions<'_>) -> Result<Document<'_>, LoadError> {
        let is_new = self.locale.replace(options.locale.to_owned()) != options.locale;
        let filter_options = load_options(options, is_new);
        let (url, filter_options) = file_url(&without_location(file))
            .and_then(|url| Ok((url, c_string(filter_options.as_bytes())?)))
            .map_err(|_| LoadError::Unreadable)?;
        self.password_prompt
            .prepare(&self.office, &url, options.password);
        match self.office.load(&url, &filter_options) {
            Some(loaded) => {
                let hidden = location::hide(&self.office.library, &self.version, file, &url);
                if hidden.is_none() && is_measured(&self.version) {
                    tracing::warn!(
                        "the working directory was not hidden from fields of a document"
                    );
                }
                Ok(Document { loaded, kit: self })
            }
            None => Err(self
                .password_prompt
                .outcome()
                .unwrap_or(LoadError::Unreadable)),
        }
    }
}

impl LibreOfficeKit {
    /// Starts recording requested and used fonts, until [`LibreOfficeKit::font_usage`]. Returns `false` if this version of
    /// LibreOffice does not support it, or was not measured.
    #[must_use]
    pub fn record_fonts(&self) -> bool {
        fonts::start_tracking(&self.office.library, &self.version)
    }

    /// Ends the recording and returns it. Call it only if [`LibreOfficeKit::record_fonts`] returned `true`.
    #[must_use]
    pub fn font_usage(&self) -> Vec<FontUsage> {
        fonts::finish_tracking(&self.office.library)
    }
}

/// The working directory as LibreOffice sees it: documents are loaded and saved under this name, because it appears in results as
/// the base of relative links and in fields with the path of the document.
pub const WORKING_DIRECTORY: &str = "/proc/self/cwd";

/// The path of a file through [`WORKING_DIRECTORY`], if it is inside.
fn without_location(file: &Path) -> PathBuf {
    let directory = std::env::current_dir().ok();
    let inside =
        directory.and_then(|directory| file.strip_prefix(directory).ok().map(Path::to_owned));
    inside.map_or_else(
        || file.to_owned(),
        |inside| Path::new(WORKING_DIRECTORY).join(inside),
    )
}

/// The version in the JSON text of `getVersionInfo`: `ProductVersion` has its first two numbers, `ProductExtension` the rest.
fn version(info: &str) -> Option<String> {
    let info: serde_json::Value = serde_json::from_str(info).ok()?;
    let text = |name: &str| info.get(name)?.as_str();
    Some([text("ProductVersion")?, text("ProductExtension")?].concat())
}

fn load_options(options: LoadOptions<'_>, is_new_locale: bool) -> String {
    let language = is_new_locale.then(|| format!("Language={}", options.locale));
    // `Batch` suppresses dialogs and the password prompt.
    let batch = options.batch || options.filter.is_some();
    let batch = batch.then_some("Batch=true");
    let options = options.filter.into_iter();
    let options = options.chain(language.as_deref()).chain(batch);
    options.collect::<Vec<_>>().join(",")
}

/// A loaded document.
pub struct Document<'a> {
    loaded: Loaded,
    kit: &'a LibreOfficeKit,
}

impl Document<'_> {
    /// Saves the document; `format` is a file extension, `options` are those of the export filter. The existence of the file
    /// does not prove success: the caller checks its content.
    ///
    /// # Errors
    /// [`SaveError`] with LibreOffice's error message, which may quote the document.
    pub fn save(&self, file: &Path, format: &str, options: &str) -> Result<(), SaveError> {
        let url = file_url(&without_location(file)).map_err(SaveError)?;
        let filter = c_string(format.as_bytes()).map_err(SaveError)?;
        let options = c_string(options.as_bytes()).map_err(SaveError)?;
        let save = || self.loaded.save(&url, &filter, &options);
        let saved = match format {
            "pdf" => mode::outside(&self.kit.office.library, &self.kit.version, save),
            _ => save(),
        };
        match saved && file.is_file() {
            true => Ok(()),
            false => Err(SaveError(self.kit.office.error())),
        }
    }

    /// Closes the document and frees its memory. Unnecessary in a fork that exits: closing takes time and may crash.
    pub(crate) fn close(self) {
        self.loaded.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_product_version_and_extension() {
        let info = r#"{"ProductName":"LibreOffice","ProductVersion":"25.2","ProductExtension":".3.2","BuildId":"520(Build:2)"}"#;
        assert_eq!(version(info).as_deref(), Some("25.2.3.2"));
        for other in ["", "{}", r#"{"ProductVersion":25.2,"ProductExtension":""}"#] {
            assert_eq!(version(other), None, "{other}");
        }
    }
}
