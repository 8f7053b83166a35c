//! Checks PDF that libqpdf wrote, with pdfium: every page of the sources that has to be there is, as large and turned as it
//! must be, and not blank where it was not.

use std::fs::File;
use std::io::{BufReader, Read as _};

use domain::operation::Operation;
use image::GrayImage;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfRenderConfig, Pdfium};
use task::arrangement::{Placed, arrangement};
use task::password::prepared;
use task::{Fault, Outcome, Product, Task, Verified};
use zip::ZipArchive;

/// Longest side of the picture that a page is drawn into to compare it, in pixels.
const THUMBNAIL: i32 = 160;
/// How many pages of a document are drawn.
const DRAWN: usize = 5;
/// Difference of lengths that is none, in points.
const TOLERANCE: f32 = 1.0;
/// Mean difference of the shades of two pictures of a page that is none, of 255.
const ALIKE: f64 = 6.0;

/// A result that holds all pages of its sources, or some of them.
pub fn documents(task: &Task, product: &Product) -> Outcome<Verified> {
    let library = pdfium::load(task)?;
    let sources = Sources::open(&library, task)?;
    let files = arrangement(&task.operation, &sources.counts())?;
    let pages = files.iter().map(Vec::len).sum::<usize>();
    let pages = u32::try_from(pages).unwrap_or(u32::MAX);
    match files.as_slice() {
        _ if product.unchanged => {}
        [file] => sources.check(&open(&library, task)?, file)?,
        files => check_archive(&library, &sources, task, (product, files))?,
    }
    Ok(Verified { pages })
}

fn invalid(reason: &str) -> Fault {
    Fault::output_invalid(reason)
}

/// Opens a result as its reader would; one under a password must not open without it.
fn open<'a>(library: &'a Pdfium, task: &Task) -> Outcome<PdfDocument<'a>> {
    let password = match &task.operation {
        Operation::Encrypt(options) => options.user_password.as_ref(),
        _ => None,
    };
    let password = password.map(|password| prepared(password.reveal()));
    let password = password.as_deref();
    if password.is_some() && library.load_pdf_from_file(&task.output(), None).is_ok() {
        return Err(invalid("it opens without the password"));
    }
    let opened = library.load_pdf_from_file(&task.output(), password);
    opened.map_err(|_| invalid("it does not open"))
}

fn check_archive(
    library: &Pdfium,
    sources: &Sources<'_>,
    task: &Task,
    (product, files): (&Product, &[Vec<Placed>]),
) -> Outcome<()> {
    let unreadable = |_| invalid("the archive does not open");
    let output = BufReader::new(File::open(task.output())?);
    let mut archive = ZipArchive::new(output).map_err(unreadable)?;
    if archive.len() != files.len() || product.entries.len() != files.len() {
        return Err(invalid("files are missing"));
    }
    for (index, (file, size)) in files.iter().zip(&product.entries).enumerate() {
        let name = task.entry_name(index + 1);
        let entry = archive.by_name(&name).map_err(unreadable)?;
        let mut bytes = Vec::new();
        let read = entry.take(size + 1).read_to_end(&mut bytes);
        read.map_err(|_| invalid("the archive is damaged"))?;
        if bytes.len() as u64 != *size {
            return Err(invalid("a file has another size"));
        }
        let piece = library.load_pdf_from_byte_vec(bytes, None);
        sources.check(&piece.map_err(|_| invalid("a file does not open"))?, file)?;
    }
    Ok(())
}

/// The documents that a result was made of.
struct Sources<'a> {
    documents: Vec<PdfDocument<'a>>,
    operation: &'a Operation,
}

impl<'a> Sources<'a> {
    fn open(library: &'a Pdfium, task: &'a Task) -> Outcome<Self> {
        let mut documents = vec![pdfium::open(library, task)?];
        if matches!(task.operation, Operation::Merge(_)) {
            for attached in task.attached() {
                documents.push(pdfium::open(library, &attached)?);
            }
        }
        Ok(Self {
            documents,
            operation: &task.operation,
        })
    }

    fn counts(&self) -> Vec<u32> {
        let counts = self.documents.iter();
        counts.map(|document| count(document)).collect()
    }

    /// A file of the result has these pages.
    fn check(&self, file: &PdfDocument<'_>, pages: &[Placed]) -> Outcome<()> {
        if count(file) as usize != pages.len() {
            return Err(invalid("it has another number of pages than expected"));
        }
        for (index, placed) in pages.iter().enumerate() {
            let expected = self.sides(*placed)?;
            let found = sides(file, index)?;
            let differs = |a: f32, b: f32| (a - b).abs() > TOLERANCE;
            if differs(expected.0, found.0) || differs(expected.1, found.1) {
                return Err(invalid("a page has other sides than expected"));
            }
        }
        let every = pages.len().div_ceil(DRAWN).max(1);
        for (index, placed) in pages.iter().enumerate().step_by(every) {
            self.check_picture(&page(file, index)?, *placed)?;
        }
        Ok(())
    }

    fn sides(&self, placed: Placed) -> Outcome<(f32, f32)> {
        let (width, height) = sides(self.document(placed)?, placed.page as usize - 1)?;
        match placed.turned % 180 {
            0 => Ok((width, height)),
            _ => Ok((height, width)),
        }
    }

    fn document(&self, placed: Placed) -> Outcome<&PdfDocument<'a>> {
        let document = self.documents.get(placed.document);
        document.ok_or_else(|| Fault::Installation("a page of no document".to_owned()))
    }

    /// A page of the result looks like the page that it comes from, or at least shows something where that does.
    fn check_picture(&self, found: &PdfPage<'_>, placed: Placed) -> Outcome<()> {
        let source = page(self.document(placed)?, placed.page as usize - 1)?;
        // What could not be drawn before says nothing of the result.
        let Ok(source) = picture(&source, self.shows_fields()) else {
            return Ok(());
        };
        let found = picture(found, self.shows_fields())?;
        if is_blank(&found) && !is_blank(&source) {
            return Err(invalid("a page is blank"));
        }
        if self.must_look_alike() && difference(&source, &found) > ALIKE {
            return Err(invalid("a page looks different"));
        }
        Ok(())
    }

    /// Whether fields are seen as they are to be filled in, with what opens lists of choices: that goes with them.
    fn shows_fields(&self) -> bool {
        !matches!(self.operation, Operation::Flatten(_))
    }

    fn must_look_alike(&self) -> bool {
        use Operation::{Flatten, PageNumbers, Repair, Rotate, Watermark};
        !matches!(
            self.operation,
            Rotate(_) | Watermark(_) | PageNumbers(_) | Flatten(_) | Repair(_)
        )
    }
}

fn count(document: &PdfDocument<'_>) -> u32 {
    u32::try_from(document.pages().len()).unwrap_or(0)
}

fn page<'a>(document: &PdfDocument<'a>, index: usize) -> Outcome<PdfPage<'a>> {
    let index = i32::try_from(index).unwrap_or(i32::MAX);
    let page = document.pages().get(index);
    page.map_err(|_| invalid("a page cannot be loaded"))
}

/// Width and height of a page as it is shown, in points.
fn sides(document: &PdfDocument<'_>, index: usize) -> Outcome<(f32, f32)> {
    let index = i32::try_from(index).unwrap_or(i32::MAX);
    let size = document.pages().page_size(index);
    let size = size.map_err(|_| invalid("a page cannot be loaded"))?;
    Ok((size.width().value, size.height().value))
}

fn picture(page: &PdfPage<'_>, shows_fields: bool) -> Outcome<GrayImage> {
    let config = PdfRenderConfig::new()
        .set_fixed_size(THUMBNAIL, THUMBNAIL)
        .render_form_data(shows_fields);
    let drawn = page.render_with_config(&config);
    let picture = drawn.and_then(|drawn| drawn.as_image());
    let picture = picture.map_err(|_| invalid("a page cannot be drawn"))?;
    Ok(picture.into_luma8())
}

/// Whether all of it has one shade.
fn is_blank(picture: &GrayImage) -> bool {
    let mut shades = picture.iter();
    let first = shades.next();
    shades.all(|shade| Some(shade) == first)
}

fn difference(one: &GrayImage, other: &GrayImage) -> f64 {
    let sum: u64 = one
        .iter()
        .zip(other.iter())
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "a few thousand pixels")]
    let mean = sum as f64 / one.len().max(1) as f64;
    mean
}
