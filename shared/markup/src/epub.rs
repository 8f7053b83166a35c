//! Reads EPUB books [EPUB 3.3]: the chapters of the spine become one HTML page, in which links between chapters lead to places and
//! images are `data:` URLs. Scripts, style sheets and remote resources are left out.

mod chapter;
mod publication;

use std::collections::HashMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::format::{Category, Format};

use self::chapter::Chapter;
use self::publication::Publication;
use crate::error::{MarkupError, Result};
use crate::limits::{Budget, Options};
use crate::package::Package;
use crate::source::{LoadedDocument, Metadata};
use crate::warning::{Loss, Losses, Warning};
use crate::{html, xml};

/// A book as HTML.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Title and language.
    pub metadata: Metadata,
    /// The content of the `body` element: a `section` for each chapter.
    pub body: String,
    /// Dropped content.
    pub warnings: Vec<Warning>,
}

/// Reads a book.
pub(crate) fn read(mut package: Package, options: &Options) -> Result<Book> {
    let publication = Publication::read(&mut package)?;
    let places = publication.chapters.iter().zip(1..);
    let places: HashMap<&str, usize> = places
        .map(|(part, number)| (part.as_str(), number))
        .collect();
    let mut book = Book {
        metadata: publication.metadata.clone(),
        ..Book::default()
    };
    let mut losses = Losses::default();
    let mut images = Images {
        package: &package,
        urls: HashMap::new(),
    };
    for (part, number) in publication.chapters.iter().zip(1..) {
        let Some(bytes) = package.part(part)? else {
            losses.add(Loss::Damaged);
            continue;
        };
        let chapter = Chapter {
            number,
            part,
            places: &places,
            depth: options.limits.depth,
        };
        let text = xml::decode(&bytes);
        let content = chapter.rewritten(&text, &mut |part| images.url(part), &mut losses)?;
        // Writing to a string cannot fail.
        write!(
            book.body,
            "<section id=\"c{number}\" style=\"break-before: page\">\n{content}\n</section>\n"
        )
        .ok();
        if book.body.len() as u64 > options.limits.page_bytes {
            return Err(MarkupError::TooLarge(
                "the chapters and images of the book are too large",
            ));
        }
    }
    book.warnings = losses.all();
    Ok(book)
}

/// Opens a book as one page.
pub(crate) fn open(package: Package, options: &Options) -> Result<LoadedDocument> {
    let book = read(package, options)?;
    let mut page = html::read(&book.body, Budget::new(options.limits), false)?;
    page.metadata = book.metadata;
    page.warnings.extend(book.warnings);
    Ok(page)
}

/// The images of a book.
struct Images<'a> {
    package: &'a Package,
    urls: HashMap<String, Option<String>>,
}

impl Images<'_> {
    /// Returns the `data:` URL of an image; `None` if the book does not contain it.
    fn url(&mut self, part: &str) -> Result<Option<String>> {
        if let Some(known) = self.urls.get(part) {
            return Ok(known.clone());
        }
        let extension = part.rsplit_once('.').map(|(_, extension)| extension);
        let format = extension.and_then(Format::from_extension);
        let format = format.filter(|format| format.spec().category == Category::Image);
        // Readers detect raster formats by their content.
        let mime_type = format.unwrap_or(Format::Png).mime_type();
        let bytes = self.package.part(part)?;
        let url = bytes.map(|bytes| format!("data:{mime_type};base64,{}", STANDARD.encode(bytes)));
        self.urls.insert(part.to_owned(), url.clone());
        Ok(url)
    }
}
