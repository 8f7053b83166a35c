//! Web pages, HTML and Markdown to PDF, by a browser that is started for each.
//!
//! A document gets no network: the kernel grants its browser no socket, and what it asks for is refused before it is
//! looked for. A page reaches the web through the proxy that was opened for it.

mod dates;
mod markdown;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use sandbox::Limits;

use super::{Module, Run, converts, limits};
use crate::browser::{Document, Pace, Page, Way, launch, print};
use crate::fault::{Fault, Outcome};
use crate::inspect::write_utf8;
use crate::remark::Remark;
use crate::task::{Inspection, Product, Task};
use crate::verify;
use crate::web::{Printed, WebPage};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| converts(operation, from, &[Category::Web], &[Format::Pdf]),
    limits: limits(45, 512),
    a_page: Duration::ZERO,
    run: Run::Browser(run),
    verify: verify::pdf,
    fingerprint: |installed, _| {
        let browser = installed.browser.as_ref();
        browser.map_or_else(String::new, |browser| browser.fingerprint.clone())
    },
};

/// All that a page from the web has, from the start of the browser to the last byte of the result.
const PAGE: Duration = Duration::from_secs(20);
/// The longest text that is handed to a browser, in bytes.
const TEXT: u64 = 32 * 1024 * 1024;
/// What a browser may hold of the memory that a function has. Its processes share most of their pages, which count for
/// each of them.
const RESIDENT: u64 = 1640 * 1024 * 1024;

/// What a browser may use instead: it takes far more address space than memory, and starts processes.
pub(crate) fn for_browser(limits: Limits, page: bool) -> Limits {
    Limits {
        address_space: u64::MAX,
        resident: RESIDENT,
        open_files: 1024,
        wall: if page {
            limits.wall.min(PAGE)
        } else {
            limits.wall
        },
        ..limits
    }
}

fn run(task: &Task, inspection: &Inspection) -> Outcome<Printed<Product>> {
    let missing = || Fault::Installation("the browser was not looked for".to_owned());
    let program = task.browser.as_deref().ok_or_else(missing)?;
    let way = match &task.page {
        None => Way::None,
        Some(page) => Way::Proxy(page.proxy, page.trusted_key.as_deref()),
    };
    let started = Instant::now() + Duration::from_secs(10);
    let (_browser, connection) = launch(program, &task.scratch, &way)?;
    let mut page = Page::open(connection, started)?;
    match &task.page {
        Some(web_page) => print_page(task, &mut page, web_page),
        None => print_document(task, &mut page, inspection).map(Printed::Done),
    }
}

fn print_page(task: &Task, page: &mut Page, web_page: &WebPage) -> Outcome<Printed<Product>> {
    let pace = Pace::begin(11, 3, 5, Duration::from_millis(500));
    match page.load_url(&web_page.url, &pace)? {
        Ok(()) => {
            page.stay(pace.print)?;
            print_to_output(task, page, &pace)?;
            Ok(Printed::Done(Product::default()))
        }
        Err(unreached) => Ok(Printed::Unreached {
            url: unreached.url,
            status: unreached.status,
        }),
    }
}

fn print_document(task: &Task, page: &mut Page, inspection: &Inspection) -> Outcome<Product> {
    let pace = Pace::begin(15, 5, 20, Duration::from_millis(50));
    page.load_document(document(task, inspection)?, &pace)?;
    print_to_output(task, page, &pace)?;
    let remark = page.asked_for_more().then_some(Remark::ExternalLinkBlocked);
    Ok(Product {
        remarks: Vec::from_iter(remark),
        ..Product::default()
    })
}

fn print_to_output(task: &Task, page: &mut Page, pace: &Pace) -> Outcome<()> {
    let output = task.output();
    print(page, task.limits.pages, &output, pace.print)?;
    Ok(dates::fix(&output)?)
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
    File::open(path)?.take(TEXT + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > TEXT {
        true => Err(Fault::document(
            JobErrorCode::InputTooLarge,
            "A document of HTML or Markdown may take 32 MB.",
        )),
        false => Ok(bytes),
    }
}
