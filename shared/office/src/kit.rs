//! LibreOffice in this process: documents are loaded from files and saved to files.

mod fonts;
mod interface;
mod password;
mod url;

use std::cell::Cell;
use std::convert::Infallible;
use std::ffi::{c_int, c_void};
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use thiserror::Error;

pub use self::fonts::FontUse;
use self::interface::{Loaded, Office, c_string};
use self::password::Question;
use self::url::file_url;

/// Language of what no document says: paper is A4 and numbers are British.
const LANGUAGE: &str = "Language=en-GB";
/// Calls of the main loop that say that there is something to do at once, before its word is doubted.
const BUSY_CALLS: u32 = 1_000;
/// How long it waits at once for something to do.
const TICK: Duration = Duration::from_millis(100);
/// After so much waiting with nothing done meanwhile, LibreOffice waits for the answer to a dialogue.
const PATIENCE: Duration = Duration::from_secs(2);
/// Processor time from which on something was done: more than the clocks and cursors of a dialogue take.
const DONE: Duration = Duration::from_millis(50);

/// Exit code of a process in which LibreOffice asked somebody what to do about a document, for one whether to mend it. Nobody
/// answers: what it asks about is broken.
pub const EXIT_UNANSWERED: i32 = 122;

/// LibreOffice, begun.
pub struct Kit {
    office: Office,
    question: Box<Question>,
    /// Whether LibreOffice was told [`LANGUAGE`]: it remembers it, and takes long to look at it.
    knows_language: Cell<bool>,
}

/// How a document is to be read.
#[derive(Clone, Copy, Default)]
pub struct Reading<'a> {
    /// Options of the import filter; a filter that has any would open a dialogue for them otherwise.
    pub filter: Option<&'a str>,
    /// Opens the document if it asks for one.
    pub password: Option<&'a str>,
    /// Whether nothing is asked, not even for a password: for what is saved with a loss that LibreOffice would want confirmed.
    pub quiet: bool,
}

/// Why a document is not loaded.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// It asks for a password.
    #[error("the document asks for a password")]
    PasswordRequired,
    /// The password does not open it.
    #[error("the password does not open the document")]
    PasswordIncorrect,
    /// LibreOffice cannot read it.
    #[error("the document cannot be read")]
    Unreadable,
}

/// LibreOffice did not save a document.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the document is not saved: {0}")]
pub struct SaveError(String);

impl Kit {
    /// Begins the LibreOffice of an installation (its directory of programs) with a profile.
    pub(crate) fn begin(installation: &Path, profile: &Path) -> Result<Self, String> {
        let office = Office::begin(installation, &file_url(profile)?)?;
        Ok(Self {
            office,
            question: Box::default(),
            knows_language: Cell::new(false),
        })
    }

    /// Begins the main loop, and calls `serve` in it once nothing is left to do: there, and nowhere else, no lock of
    /// LibreOffice is held, so that a fork finds none held by a thread that it does not have.
    pub(crate) fn run_loop(&self, serve: &mut dyn FnMut() -> Infallible) -> String {
        let context = Loop {
            serve: Cell::new(Some(serve)),
            calls: Cell::new(0),
            waited: Cell::new(Duration::ZERO),
            worked: Cell::new(Duration::ZERO),
        };
        let context = std::ptr::from_ref(&context).cast_mut();
        match self.office.run_loop(poll, wake, context.cast()) {
            Some(()) => "the main loop of LibreOffice has ended".to_owned(),
            None => "LibreOfficeKit has no main loop".to_owned(),
        }
    }

    /// Ends LibreOffice's threads but the one that calls this, for the time being.
    pub(crate) fn join_threads(&self) -> bool {
        self.office.join_threads()
    }

    /// To be called first in a fork.
    pub(crate) fn in_fork(&self) {
        self.office.set_forked_child();
    }

    /// Loads a document, whose format LibreOffice tells from its extension and its bytes.
    ///
    /// # Errors
    /// [`LoadError`]
    pub fn load(&self, file: &Path, reading: Reading<'_>) -> Result<Document<'_>, LoadError> {
        let options = load_options(reading, self.knows_language.replace(true));
        let (url, options) = file_url(file)
            .and_then(|url| Ok((url, c_string(options.as_bytes())?)))
            .map_err(|_| LoadError::Unreadable)?;
        self.question
            .answer_with(&self.office, &url, reading.password);
        match self.office.load(&url, &options) {
            Some(loaded) => Ok(Document { loaded, kit: self }),
            None => Err(self.question.outcome().unwrap_or(LoadError::Unreadable)),
        }
    }
}

impl Kit {
    /// Notes from now on which fonts are asked for and used, until [`Kit::font_uses`]; whether it can.
    #[must_use]
    pub fn note_fonts(&self) -> bool {
        fonts::track(&self.office.library)
    }

    /// What was noted since [`Kit::note_fonts`] said that it can.
    #[must_use]
    pub fn font_uses(&self) -> Vec<FontUse> {
        fonts::tracked(&self.office.library)
    }
}

fn load_options(reading: Reading<'_>, knows_language: bool) -> String {
    let language = (!knows_language).then_some(LANGUAGE);
    // `Batch` keeps dialogues from being opened, which nobody would answer, and the question for a password from being asked.
    let quiet = reading.quiet || reading.filter.is_some();
    let batch = quiet.then_some("Batch=true");
    let options = reading.filter.into_iter().chain(language).chain(batch);
    options.collect::<Vec<_>>().join(",")
}

/// A document that is loaded.
pub struct Document<'a> {
    loaded: Loaded,
    kit: &'a Kit,
}

impl Document<'_> {
    /// Saves it; `format` is an extension, `options` those of the export filter. What LibreOffice leaves is no proof of a
    /// result: it has to be looked at.
    ///
    /// # Errors
    /// [`SaveError`] with what LibreOffice says, which may quote the document.
    pub fn save(&self, file: &Path, format: &str, options: &str) -> Result<(), SaveError> {
        let url = file_url(file).map_err(SaveError)?;
        let format = c_string(format.as_bytes()).map_err(SaveError)?;
        let options = c_string(options.as_bytes()).map_err(SaveError)?;
        match self.loaded.save(&url, &format, &options) && file.is_file() {
            true => Ok(()),
            false => Err(SaveError(self.kit.office.error())),
        }
    }

    /// Frees its memory. A fork that ends needs not: closing takes time, and defects lie there.
    pub(crate) fn close(self) {
        self.loaded.close();
    }
}

/// What the main loop calls.
struct Loop<'a> {
    /// Gone once it has been called.
    serve: Cell<Option<&'a mut dyn FnMut() -> Infallible>>,
    calls: Cell<u32>,
    /// Since something was done.
    waited: Cell<Duration>,
    /// The processor time at that moment.
    worked: Cell<Duration>,
}

impl Loop<'_> {
    /// There is no way back from a dialogue but an answer to it, so the process ends.
    fn wait(&self, microseconds: c_int) {
        let asked = u64::try_from(microseconds).map_or(TICK, Duration::from_micros);
        let worked = processor_time();
        if worked.saturating_sub(self.worked.get()) > DONE {
            self.worked.set(worked);
            self.waited.set(Duration::ZERO);
        }
        let waited = self.waited.get() + asked.min(TICK);
        if waited >= PATIENCE {
            sandbox::end(EXIT_UNANSWERED);
        }
        self.waited.set(waited);
        std::thread::sleep(asked.min(TICK));
    }
}

/// What this process has taken so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Waits for events, up to a time in microseconds: 0 is a look in passing, since there is something to do. What is served
/// comes back here itself, from imports that let others have a turn, as the loading of sheets does.
#[expect(unsafe_code, reason = "C code calls it")]
unsafe extern "C" fn poll(context: *mut c_void, microseconds: c_int) -> c_int {
    // SAFETY: the main loop hands over what it was given, which lives until it ends, and calls from one thread.
    let context = unsafe { &*context.cast::<Loop<'_>>() };
    context.calls.set(context.calls.get().saturating_add(1));
    if microseconds == 0 && context.calls.get() < BUSY_CALLS {
        return 0;
    }
    let Some(serve) = context.serve.take() else {
        context.wait(microseconds);
        return 0;
    };
    #[expect(unreachable_code, reason = "it does not come back")]
    match serve() {}
}

/// Nobody waits.
#[expect(unsafe_code, reason = "C code calls it")]
unsafe extern "C" fn wake(_: *mut c_void) {}
