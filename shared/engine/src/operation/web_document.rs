//! Loads web pages, HTML, Markdown, books and mails in a browser. Each gets its own browser, which may be prewarmed.
//!
//! A document has no network: seccomp denies sockets to its browser, and its requests are blocked before they are sent. A
//! web page reaches the network through its own proxy.

mod markdown;
pub(super) mod missing_glyphs;
mod page_template;

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
use task::{Inspection, PrintReport, Product, Task, TaskError, TaskResult, Warning, WebPage};

use super::document_to_document::{task_error, warnings};
use crate::installed::Installed;
use browser::{Deadlines, Document, NetworkAccess, Page, launch};

/// Maximum time in which a prewarmed browser must respond to a readiness check.
const RESPONDS_WITHIN: Duration = Duration::from_secs(2);

/// Adapts limits to a browser, which reserves far more address space than it uses and starts processes.
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
    browser.map_or_else(String::new, |browser| {
        browser.fingerprint.as_str().to_owned()
    })
}

/// Work on a loaded page, with a deadline.
type Work<'a> = dyn Fn(&mut Page, Instant) -> TaskResult<Product> + 'a;

/// A prewarmed browser and the task that claims it.
pub(crate) struct Claimed {
    /// The browser's empty page.
    pub(crate) page: Page,
    /// The task.
    pub(crate) task: Value,
}

/// Starts a browser without a network before its document arrives; `program` is the path of its executable. Returns when a
/// task claims it, or `None` if none does.
pub(crate) fn prewarm(program: Value) -> Option<Claimed> {
    let program: PathBuf = serde_json::from_value(program).ok()?;
    let home = std::env::current_dir().ok()?;
    let mut page = launch(&program, &home, &NetworkAccess::None, start_deadline()).ok()?;
    let task = sandbox::await_work(&mut || page.responds(Instant::now() + RESPONDS_WITHIN))?;
    Some(Claimed { page, task })
}

/// Deadline for the first response of a browser started now.
fn start_deadline() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

/// Loads the task's web page or document in the prewarmed browser or a new one, and calls `work` on it. Calls `prepare`
/// before loading.
pub(super) fn with_page(
    task: &Task,
    inspection: &Inspection,
    prewarmed: Option<Page>,
    prepare: &(dyn Fn(&mut Page, Instant) -> TaskResult<()> + '_),
    work: &Work<'_>,
) -> TaskResult<PrintReport<Product>> {
    let mut page = match prewarmed {
        Some(page) => page,
        None => start_for(task)?,
    };
    prepare(&mut page, start_deadline())?;
    match &task.page {
        Some(web_page) => with_web_page(&mut page, web_page, work),
        None => {
            let (document, losses) = document(task, inspection)?;
            let mut product = with_document(&mut page, document, work)?;
            Warning::merge(&mut product.warnings, losses);
            Ok(PrintReport::Done(product))
        }
    }
}

fn start_for(task: &Task) -> TaskResult<Page> {
    let missing = || TaskError::Installation("the browser was not discovered".to_owned());
    let program = task.browser.as_deref().ok_or_else(missing)?;
    let access = match &task.page {
        None => NetworkAccess::None,
        Some(page) => NetworkAccess::Proxy {
            port: page.proxy,
            interception_key_hash: page.interception_key_hash.as_deref(),
        },
    };
    launch(program, &task.scratch, &access, start_deadline())
}

fn with_web_page(
    page: &mut Page,
    web_page: &WebPage,
    work: &Work<'_>,
) -> TaskResult<PrintReport<Product>> {
    let deadlines = Deadlines::new(11, 3, 5, Duration::from_millis(500));
    match page.load_url(&web_page.url, &deadlines)? {
        Ok(()) => {
            page.block_navigation(deadlines.print)?;
            let product = work(page, deadlines.print);
            unless_replaced(page.was_replaced(), product).map(PrintReport::Done)
        }
        Err(failure) => Ok(PrintReport::Unreachable {
            url: failure.url,
            status: failure.status,
        }),
    }
}

fn with_document(page: &mut Page, document: Document, work: &Work<'_>) -> TaskResult<Product> {
    let deadlines = Deadlines::new(15, 5, 20, Duration::from_millis(50));
    page.load_document(document, &deadlines)?;
    let product = work(page, deadlines.print);
    let mut product = unless_replaced(page.was_replaced(), product)?;
    let warning = page
        .refused_requests()
        .then_some(Warning::ExternalResourcesBlocked);
    product.warnings.extend(warning);
    Ok(product)
}

/// Rejects a page that navigated away from the requested document. Internal failures are retried nevertheless.
fn unless_replaced(was_replaced: bool, product: TaskResult<Product>) -> TaskResult<Product> {
    match product {
        Ok(_) | Err(TaskError::Document(_)) if was_replaced => Err(TaskError::document(
            JobErrorCode::OutputInvalid,
            "The page navigated to another page, by a script or a refresh, while it was converted.",
        )),
        product => product,
    }
}

/// The document for the browser, and warnings about what it lacks of the source.
fn document(task: &Task, inspection: &Inspection) -> TaskResult<(Document, Vec<Warning>)> {
    match task.from {
        Format::Markdown => Ok((markdown(task, inspection)?, Vec::new())),
        Format::Epub | Format::Eml | Format::Msg => as_html(task),
        _ => Ok((html(task, inspection)?, Vec::new())),
    }
}

fn markdown(task: &Task, inspection: &Inspection) -> TaskResult<Document> {
    let text = String::from_utf8(read(&as_utf8(task, inspection)?)?);
    let text = text.map_err(|_| TaskError::input_corrupt())?;
    Ok(Document {
        bytes: markdown::page(&text).into_bytes(),
        content_type: "text/html; charset=utf-8".to_owned(),
        scripts: false,
    })
}

fn as_html(task: &Task) -> TaskResult<(Document, Vec<Warning>)> {
    let page = markup::read_as_html(&task.source, task.from, &markup::Options::default());
    let page = page.map_err(task_error)?;
    let title = page.metadata.title.as_deref();
    let document = Document {
        bytes: page_template::page(title, &page.body).into_bytes(),
        content_type: "text/html; charset=utf-8".to_owned(),
        scripts: false,
    };
    Ok((document, warnings(&page.warnings, 0, 0)))
}

/// Passes the detected encoding to the browser if the document does not declare one, as the browser's default is
/// Windows-1252.
fn html(task: &Task, inspection: &Inspection) -> TaskResult<Document> {
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

/// Whether a document declares its encoding in the first 1,024 bytes, which browsers search.
fn declares_encoding(bytes: &[u8]) -> bool {
    let head = bytes.get(..1024).unwrap_or(bytes);
    head.windows(7)
        .any(|word| word.eq_ignore_ascii_case(b"charset"))
}

fn as_utf8(task: &Task, inspection: &Inspection) -> TaskResult<PathBuf> {
    let missing = || TaskError::Installation("the text was not inspected".to_owned());
    let text = task.scratch.join("text");
    write_utf8(
        &task.source,
        inspection.text.as_ref().ok_or_else(missing)?,
        &text,
    )?;
    Ok(text)
}

fn read(path: &Path) -> TaskResult<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MARKUP_BYTES + 1)
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MARKUP_BYTES {
        true => Err(TaskError::document(
            JobErrorCode::InputTooLarge,
            "The HTML or Markdown document exceeds 32 MB.",
        )),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_page_is_rejected_unless_an_internal_failure_is_to_be_retried() {
        let replaced = |product| unless_replaced(true, product);
        let code = |product| match replaced(product) {
            Err(TaskError::Document(error)) => error.code,
            other => panic!("{other:?}"),
        };
        let timed_out = TaskError::document(JobErrorCode::EngineTimeout, "m");
        assert_eq!(code(Ok(Product::default())), JobErrorCode::OutputInvalid);
        assert_eq!(code(Err(timed_out)), JobErrorCode::OutputInvalid);
        let failed = TaskError::Io(std::io::ErrorKind::StorageFull.into());
        assert!(matches!(replaced(Err(failed)), Err(TaskError::Io(_))));
        let missing = TaskError::Installation("m".to_owned());
        let missing = replaced(Err(missing));
        assert!(matches!(missing, Err(TaskError::Installation(_))));
        assert!(unless_replaced(false, Ok(Product::default())).is_ok());
    }
}
