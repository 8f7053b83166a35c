//! Checks PDFs written by libqpdf, with pdfium: every expected page exists, has the right size and rotation, is not blank
//! unless its source page is, and looks like it unless the operation changes the look.

use std::fs::File;
use std::io::{BufReader, Read as _};

use domain::operation::Operation;
use image::GrayImage;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfRenderConfig, Pdfium};
use task::page_selection::{SourcePage, output_files};
use task::password::saslprep;
use task::{Product, Task, TaskError, TaskResult, Verified};
use zip::ZipArchive;

/// Side of a rendered page for comparison, in pixels.
const THUMBNAIL: i32 = 160;
/// How much larger a page is rendered that looks different as a thumbnail.
const FINE: u8 = 8;
/// Number of pages of a document that are rendered.
const MAX_RENDERED: usize = 5;
/// Maximum difference of lengths, in points.
const TOLERANCE: f32 = 1.0;
/// Maximum mean difference of gray levels between two renderings of a page, of 255.
const MAX_DIFFERENCE: f64 = 6.0;

/// Checks a result that contains all or some pages of its sources.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn documents(task: &Task, product: &Product) -> TaskResult<Verified> {
    let library = pdfium::load(task)?;
    let sources = Sources::open(&library, task)?;
    let files = output_files(&task.operation, &sources.counts())?;
    let pages = files.iter().map(Vec::len).sum::<usize>();
    let pages = u32::try_from(pages).unwrap_or(u32::MAX);
    match files.as_slice() {
        _ if product.unchanged => {}
        [file] => sources.check(&open(&library, task)?, file)?,
        files => check_archive(&library, &sources, task, (product, files))?,
    }
    Ok(Verified::complete(pages))
}

fn invalid(reason: &str) -> TaskError {
    TaskError::output_invalid(reason)
}

/// Opens a result with its password; an encrypted one must not open without.
fn open<'a>(library: &'a Pdfium, task: &Task) -> TaskResult<PdfDocument<'a>> {
    let password = match &task.operation {
        Operation::Encrypt(options) => options.user_password.as_ref(),
        _ => None,
    };
    let password = password.map(|password| saslprep(password.reveal()));
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
    (product, files): (&Product, &[Vec<SourcePage>]),
) -> TaskResult<()> {
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
        let document = library.load_pdf_from_byte_vec(bytes, None);
        sources.check(
            &document.map_err(|_| invalid("a file does not open"))?,
            file,
        )?;
    }
    Ok(())
}

/// The source documents of a result.
struct Sources<'a> {
    documents: Vec<PdfDocument<'a>>,
    operation: &'a Operation,
}

impl<'a> Sources<'a> {
    fn open(library: &'a Pdfium, task: &'a Task) -> TaskResult<Self> {
        let mut documents = vec![pdfium::open(library, task)?];
        if matches!(task.operation, Operation::Merge(_)) {
            for attached in task.attachment_tasks() {
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

    /// Checks that a file of the result has these pages.
    fn check(&self, file: &PdfDocument<'_>, pages: &[SourcePage]) -> TaskResult<()> {
        if count(file) as usize != pages.len() {
            return Err(invalid("it has an unexpected number of pages"));
        }
        for (index, source_page) in pages.iter().enumerate() {
            let expected = self.sides(*source_page)?;
            let found = sides(file, index)?;
            let differs = |a: f32, b: f32| (a - b).abs() > TOLERANCE;
            if differs(expected.0, found.0) || differs(expected.1, found.1) {
                return Err(invalid("a page has unexpected dimensions"));
            }
        }
        let every = pages.len().div_ceil(MAX_RENDERED).max(1);
        for (index, source_page) in pages.iter().enumerate().step_by(every) {
            self.check_rendering(&page(file, index)?, *source_page)?;
        }
        Ok(())
    }

    fn sides(&self, source_page: SourcePage) -> TaskResult<(f32, f32)> {
        let (width, height) = sides(self.document(source_page)?, source_page.page as usize - 1)?;
        match source_page.rotation % 180 {
            0 => Ok((width, height)),
            _ => Ok((height, width)),
        }
    }

    fn document(&self, source_page: SourcePage) -> TaskResult<&PdfDocument<'a>> {
        let document = self.documents.get(source_page.document);
        document.ok_or_else(|| {
            TaskError::Installation("a page refers to a missing document".to_owned())
        })
    }

    /// Checks that a page of the result is not blank unless its source page is, and looks like it unless the operation
    /// changes the look.
    fn check_rendering(&self, found: &PdfPage<'_>, source_page: SourcePage) -> TaskResult<()> {
        let expected = page(self.document(source_page)?, source_page.page as usize - 1)?;
        let render = |page: &PdfPage<'_>, scale| render(page, self.shows_fields(), scale);
        // If pdfium cannot render the source page, the result cannot be compared with it.
        let Ok(source) = render(&expected, 1) else {
            return Ok(());
        };
        let result = render(found, 1)?;
        if is_blank(&result) && !is_blank(&source) {
            return Err(invalid("a page is blank"));
        }
        let differ = |one: &GrayImage, other: &GrayImage| difference(one, other) > MAX_DIFFERENCE;
        // Thin strokes of large images depend on how pdfium scales these.
        if self.must_look_alike()
            && differ(&source, &result)
            && differ(&render(&expected, FINE)?, &render(found, FINE)?)
        {
            return Err(invalid("a page looks different"));
        }
        Ok(())
    }

    /// Whether form fields are rendered interactively (with drop-down buttons), which flattening removes.
    fn shows_fields(&self) -> bool {
        !matches!(self.operation, Operation::Flatten(_))
    }

    fn must_look_alike(&self) -> bool {
        use Operation::{Fill, Flatten, PageNumbers, Repair, Rotate, Watermark};
        !matches!(
            self.operation,
            Rotate(_) | Fill(_) | Watermark(_) | PageNumbers(_) | Flatten(_) | Repair(_)
        )
    }
}

fn count(document: &PdfDocument<'_>) -> u32 {
    u32::try_from(document.pages().len()).unwrap_or(0)
}

fn page<'a>(document: &PdfDocument<'a>, index: usize) -> TaskResult<PdfPage<'a>> {
    let index = i32::try_from(index).unwrap_or(i32::MAX);
    let page = document.pages().get(index);
    page.map_err(|_| invalid("a page cannot be loaded"))
}

/// Returns the displayed width and height of a page in points.
fn sides(document: &PdfDocument<'_>, index: usize) -> TaskResult<(f32, f32)> {
    let index = i32::try_from(index).unwrap_or(i32::MAX);
    let size = document.pages().page_size(index);
    let size = size.map_err(|_| invalid("a page cannot be loaded"))?;
    Ok((size.width().value, size.height().value))
}

/// Renders a page in the size of a thumbnail, larger by `scale` before it is scaled down.
fn render(page: &PdfPage<'_>, shows_fields: bool, scale: u8) -> TaskResult<GrayImage> {
    let side = THUMBNAIL * i32::from(scale);
    let config = PdfRenderConfig::new()
        .set_fixed_size(side, side)
        .render_form_data(shows_fields);
    let rendered = page.render_with_config(&config);
    let image = rendered.and_then(|rendered| rendered.as_image());
    let image = image.map_err(|_| invalid("a page cannot be rendered"))?;
    let image = image.into_luma8();
    let scale = u32::from(scale);
    let (width, height) = (image.width() / scale, image.height() / scale);
    Ok(match scale {
        1 => image,
        _ => image::imageops::thumbnail(&image, width, height),
    })
}

/// Returns whether all pixels are equal.
fn is_blank(image: &GrayImage) -> bool {
    let mut shades = image.iter();
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
