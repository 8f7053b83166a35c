//! Reads EPUB books [EPUB 3.3]: the chapters of the spine become one HTML page, in which links between chapters lead to places and
//! images are `data:` URLs. Scripts, style sheets and remote resources are left out.

mod publication;

use std::collections::HashMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::format::{Category, Format};

use self::publication::Publication;
use crate::error::{MarkupError, Result};
use crate::html_fragment::{Resolver, Rules, rewritten};
use crate::html_page::HtmlPage;
use crate::limits::Options;
use crate::package::Package;
use crate::warning::{Loss, Losses};
use crate::xml;

/// Reads a book as a page with a `section` for each chapter.
pub(crate) fn read(mut package: Package, options: &Options) -> Result<HtmlPage> {
    let publication = Publication::read(&mut package)?;
    let places = publication.chapters.iter().zip(1..);
    let places: HashMap<&str, usize> = places
        .map(|(part, number)| (part.as_str(), number))
        .collect();
    let mut book = HtmlPage {
        metadata: publication.metadata.clone(),
        ..HtmlPage::default()
    };
    let rules = Rules {
        depth: options.limits.depth,
        keeps_styles: false,
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
        let mut chapter = Chapter {
            number,
            part,
            places: &places,
            images: &mut images,
        };
        let content = rewritten(&xml::decode(&bytes), rules, &mut chapter, &mut losses)?;
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

/// A chapter and where its links lead.
struct Chapter<'a, 'p> {
    /// Its number in the spine, from 1.
    number: usize,
    /// Its part name.
    part: &'a str,
    /// The number of each chapter, by part name.
    places: &'a HashMap<&'a str, usize>,
    images: &'a mut Images<'p>,
}

impl Chapter<'_, '_> {
    fn folder(&self) -> &str {
        self.part.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

impl Resolver for Chapter<'_, '_> {
    fn place(&self, place: &str) -> String {
        name(self.number, place)
    }

    fn target(&self, link: &str) -> Option<String> {
        let number = self.places.get(&*publication::part(self.folder(), link))?;
        let place = link.split_once('#').map_or("", |(_, place)| place);
        Some(format!("#{}", name(*number, place)))
    }

    fn image(&mut self, source: &str) -> Result<Option<String>> {
        let part = publication::part(self.folder(), source);
        self.images.url(&part)
    }
}

/// The name in the page of a place in a chapter.
fn name(number: usize, place: &str) -> String {
    match place {
        "" => format!("c{number}"),
        place => format!("c{number}-{place}"),
    }
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
