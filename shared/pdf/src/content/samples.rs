//! Pages of handwritten PDFs for unit tests, read with PDFium.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use layout::PageContent;
use tempfile::NamedTempFile;

use super::content_pages::ContentPages;
use super::figures::Figures;
use super::store::PictureStore;
use super::{Source, pdfium};

/// Held by the test that uses PDFium, which has no locks of its own.
static PDFIUM: Mutex<()> = Mutex::new(());

/// Path of the PDFium library.
fn library() -> PathBuf {
    let named = std::env::var_os("PDFIUM_LIBRARY").map(PathBuf::from);
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    named.unwrap_or_else(|| checkout.join(".octavo/lib/libpdfium.so"))
}

/// Returns the pages of a PDF of these objects, of which the first is the catalog.
pub(super) fn pages(
    objects: &[&str],
    figures: Option<(&PictureStore, Figures<'_>)>,
) -> Vec<PageContent> {
    let mut file = "%PDF-1.7\n".to_owned();
    for (number, object) in (1..).zip(objects) {
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    // PDFium finds the objects without a table.
    file += &format!("trailer<</Size {}/Root 1 0 R>>\n", objects.len() + 1);
    let written = NamedTempFile::new().unwrap();
    std::fs::write(written.path(), file).unwrap();
    // A test that failed meanwhile does not matter.
    let _turn = PDFIUM.lock().unwrap_or_else(PoisonError::into_inner);
    let library = library();
    let _library = pdfium::load_from(&library).unwrap();
    let source = Source::all_pages(&library, written.path());
    let kept = match figures {
        Some((store, figures)) => (Some(store), Some(figures)),
        None => (None, None),
    };
    let pages = ContentPages::of(source, kept, false).unwrap();
    pages.map(Result::unwrap).collect()
}

/// A stream.
pub(super) fn stream(content: &str) -> String {
    format!("<</Length {}>>stream\n{content}\nendstream", content.len())
}
