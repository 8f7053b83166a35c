//! Opens web pages, HTML and Markdown in a browser of its own for each, which may have been begun before.
//!
//! A document gets no network: the kernel grants its browser no socket, and what it asks for is refused before it is
//! looked for. A page reaches the web through the proxy that was opened for it.

mod markdown;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::limits::{MARKUP_BYTES, WEB_PAGE};
use domain::operation::{ConvertOptions, Operation};
use inspect::write_utf8;
use sandbox::Limits;
use task::{Fault, Inspection, Outcome, Printed, Product, Remark, Task, WebPage};

use crate::browser::{Document, Pace, Page, Way, launch};
use crate::installed::Installed;

/// What a browser may use instead: it takes far more address space than memory, and starts processes.
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

/// The options of a conversion.
pub(super) fn asked(task: &Task) -> Outcome<&ConvertOptions> {
    match &task.operation {
        Operation::Convert(options) => Ok(options),
        _ => Err(Fault::Installation("it is no conversion".to_owned())),
    }
}

/// What is done to a page that is there, until the moment given.
type Work<'a> = dyn Fn(&mut Page, Instant) -> Outcome<Product> + 'a;

/// The empty page of a browser that is begun with its home in `scratch`.
pub(crate) fn begin_browser(program: &Path, scratch: &Path, way: &Way<'_>) -> Outcome<Page> {
    let (_browser, connection) = launch(program, scratch, way)?;
    Ok(Page::open(connection, begun_by())?)
}

/// When a browser that is begun now has to be there.
fn begun_by() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

/// Loads the task's page or document and does `work` on it: in a browser that has been begun for it, or in one that is begun
/// now. `prepare` is done before anything is loaded.
pub(super) fn with_page(
    task: &Task,
    inspection: &Inspection,
    begun: Option<Page>,
    prepare: &(dyn Fn(&mut Page, Instant) -> Outcome<()> + '_),
    work: &Work<'_>,
) -> Outcome<Printed<Product>> {
    let mut page = match begun {
        Some(page) => page,
        None => begin_for(task)?,
    };
    prepare(&mut page, begun_by())?;
    match &task.page {
        Some(web_page) => with_web_page(&mut page, web_page, work),
        None => with_document(&mut page, document(task, inspection)?, work).map(Printed::Done),
    }
}

fn begin_for(task: &Task) -> Outcome<Page> {
    let missing = || Fault::Installation("the browser was not looked for".to_owned());
    let program = task.browser.as_deref().ok_or_else(missing)?;
    let way = match &task.page {
        None => Way::None,
        Some(page) => Way::Proxy(page.proxy, page.trusted_key.as_deref()),
    };
    begin_browser(program, &task.scratch, &way)
}

fn with_web_page(
    page: &mut Page,
    web_page: &WebPage,
    work: &Work<'_>,
) -> Outcome<Printed<Product>> {
    let pace = Pace::begin(11, 3, 5, Duration::from_millis(500));
    match page.load_url(&web_page.url, &pace)? {
        Ok(()) => {
            page.stay(pace.print)?;
            work(page, pace.print).map(Printed::Done)
        }
        Err(unreached) => Ok(Printed::Unreached {
            url: unreached.url,
            status: unreached.status,
        }),
    }
}

fn with_document(page: &mut Page, document: Document, work: &Work<'_>) -> Outcome<Product> {
    let pace = Pace::begin(15, 5, 20, Duration::from_millis(50));
    page.load_document(document, &pace)?;
    let mut product = work(page, pace.print)?;
    let remark = page.asked_for_more().then_some(Remark::ExternalLinkBlocked);
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

/// A document that names its own encoding is believed. Of any other a browser without a server's word would think that
/// it is Western European.
fn html(task: &Task, inspection: &Inspection) -> Outcome<Document> {
    let bytes = read(&task.source)?;
    let found = inspection.text.as_ref().filter(|_| !names_encoding(&bytes));
    let content_type = found.map_or("text/html".to_owned(), |found| {
        format!("text/html; charset={}", found.encoding)
    });
    Ok(Document {
        bytes,
        content_type,
        scripts: true,
    })
}

/// Whether a document says in the first kilobyte, where browsers look, which encoding it is in.
fn names_encoding(bytes: &[u8]) -> bool {
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
