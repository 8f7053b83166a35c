//! Loads web pages, HTML and Markdown in a browser, one for each, which may be prewarmed.
//!
//! A document has no network: the kernel refuses its browser every socket, and its requests are refused before they are
//! sent. A page reaches the web through a proxy of its own.

mod markdown;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::limits::{MARKUP_BYTES, WEB_PAGE};
use inspect::write_utf8;
use sandbox::Limits;
use serde_json::Value;
use task::{Fault, Inspection, Outcome, Printed, Product, Remark, Task, WebPage};

use crate::installed::Installed;
use browser::{Deadlines, Document, NetworkAccess, Page, launch};

/// How long a prewarmed browser may take to respond.
const RESPONDS_WITHIN: Duration = Duration::from_secs(2);

/// The limits of a browser: it takes far more address space than memory, and starts processes.
pub(crate) fn for_browser(limits: Limits, page: bool) -> Limits {
    Limits {
        address_space: u64::MAX,
        open_files: 1024,
        wall: if page {
            limits.wall.min(WEB_PAGE)
        } else {
            limits.wall
        },
        ..limits
    }
}

/// The browser and its version.
pub(super) fn fingerprint(installed: &Installed, _: Format) -> String {
    let browser = installed.browser.as_ref();
    browser.map_or_else(String::new, |browser| browser.fingerprint.clone())
}

/// What is done with a loaded page, with a deadline.
type Work<'a> = dyn Fn(&mut Page, Instant) -> Outcome<Product> + 'a;

/// A prewarmed browser, and the task that claims it.
pub(crate) struct Claimed {
    /// The browser's page, which is empty.
    pub(crate) page: Page,
    /// The task.
    pub(crate) task: Value,
}

/// Starts a browser without a network before its document arrives; `program` is the path of its executable. Returns when a
/// task claims it; `None` if none does.
pub(crate) fn prewarm(program: Value) -> Option<Claimed> {
    let program: PathBuf = serde_json::from_value(program).ok()?;
    let home = std::env::current_dir().ok()?;
    let mut page = launch(&program, &home, &NetworkAccess::Nothing, start_deadline()).ok()?;
    let task = sandbox::await_work(&mut || page.responds(Instant::now() + RESPONDS_WITHIN))?;
    Some(Claimed { page, task })
}

/// When a browser that is started now has to respond.
fn start_deadline() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

/// Loads the task's page or document and does `work` on it, in the prewarmed browser or in a new one. `prepare` is done
/// before the page or document is loaded.
pub(super) fn with_page(
    task: &Task,
    inspection: &Inspection,
    prewarmed: Option<Page>,
    prepare: &(dyn Fn(&mut Page, Instant) -> Outcome<()> + '_),
    work: &Work<'_>,
) -> Outcome<Printed<Product>> {
    let mut page = match prewarmed {
        Some(page) => page,
        None => start_for(task)?,
    };
    prepare(&mut page, start_deadline())?;
    match &task.page {
        Some(web_page) => with_web_page(&mut page, web_page, work),
        None => with_document(&mut page, document(task, inspection)?, work).map(Printed::Done),
    }
}

fn start_for(task: &Task) -> Outcome<Page> {
    let missing = || Fault::Installation("the browser was not looked for".to_owned());
    let program = task.browser.as_deref().ok_or_else(missing)?;
    let access = match &task.page {
        None => NetworkAccess::Nothing,
        Some(page) => NetworkAccess::Proxy {
            port: page.proxy,
            trusted_key: page.trusted_key.as_deref(),
        },
    };
    launch(program, &task.scratch, &access, start_deadline())
}

fn with_web_page(
    page: &mut Page,
    web_page: &WebPage,
    work: &Work<'_>,
) -> Outcome<Printed<Product>> {
    let deadlines = Deadlines::new(11, 3, 5, Duration::from_millis(500));
    match page.load_url(&web_page.url, &deadlines)? {
        Ok(()) => {
            page.block_navigation(deadlines.print)?;
            work(page, deadlines.print).map(Printed::Done)
        }
        Err(failure) => Ok(Printed::Unreached {
            url: failure.url,
            status: failure.status,
        }),
    }
}

fn with_document(page: &mut Page, document: Document, work: &Work<'_>) -> Outcome<Product> {
    let deadlines = Deadlines::new(15, 5, 20, Duration::from_millis(50));
    page.load_document(document, &deadlines)?;
    let mut product = work(page, deadlines.print)?;
    let remark = page
        .refused_requests()
        .then_some(Remark::ExternalLinkBlocked);
    product.remarks.extend(remark);
    Ok(product)
}

fn document(task: &Task, inspection: &Inspection) -> Outcome<Document> {
    match task.from {
        Format::Markdown => markdown(task, inspection),
        _ => html(task, inspection),
    }
}

fn markdown(task: &Task, inspection: &Inspection) -> Outcome<Document> {
    let text = String::from_utf8(read(&as_utf8(task, inspection)?)?);
    let text = text.map_err(|_| Fault::corrupt())?;
    Ok(Document {
        bytes: markdown::page(&text).into_bytes(),
        content_type: "text/html; charset=utf-8".to_owned(),
        scripts: false,
    })
}

/// A document may declare its encoding. For any other the detected one is passed on, as the browser's default is Western
/// European.
fn html(task: &Task, inspection: &Inspection) -> Outcome<Document> {
    let bytes = read(&task.source)?;
    let found = inspection
        .text
        .as_ref()
        .filter(|_| !declares_encoding(&bytes));
    let content_type = found.map_or("text/html".to_owned(), |found| {
        format!("text/html; charset={}", found.encoding)
    });
    Ok(Document {
        bytes,
        content_type,
        scripts: true,
    })
}

/// Whether a document declares its encoding in the first kilobyte, where browsers look for it.
fn declares_encoding(bytes: &[u8]) -> bool {
    let head = bytes.get(..1024).unwrap_or(bytes);
    head.windows(7)
        .any(|word| word.eq_ignore_ascii_case(b"charset"))
}

fn as_utf8(task: &Task, inspection: &Inspection) -> Outcome<PathBuf> {
    let missing = || Fault::Installation("a text was not looked into".to_owned());
    let text = task.scratch.join("text");
    write_utf8(
        &task.source,
        inspection.text.as_ref().ok_or_else(missing)?,
        &text,
    )?;
    Ok(text)
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MARKUP_BYTES + 1)
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MARKUP_BYTES {
        true => Err(Fault::document(
            JobErrorCode::InputTooLarge,
            "A document of HTML or Markdown may take 32 MB.",
        )),
        false => Ok(bytes),
    }
}
