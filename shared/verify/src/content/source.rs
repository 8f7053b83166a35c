//! The source of a conversion: which reader reads it, and what of it must be in the result.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use domain::format::{Category, Format};
use domain::operation::{ConvertOptions, ImageHandling};
use imaging::glyphs::DrawnCharacters;
use task::expected_text::{left_out_text, read_source_text};
use task::options::keeps_pictures;
use task::{DroppedContent, Places, Product, Task, Unverified, Warning};

use super::comparison::{Difference, HiddenShapes, Measured, Rules, compare};
use super::item::{Item, Place, Take, Unreadable};
use super::package::Package;
use super::scope::Scope;
use super::words::Figures;
use super::xlsx::cell_name;
use super::{
    MAX_PLACES, doc, docx, epub, html, mail, markdown, msg, odf, pdf, ppt, pptx, result, rtf, text,
    xls, xlsb, xlsx,
};

/// A result is reordered if a passage of at least this many of the words that are compared is elsewhere. Cells of a table have few
/// words.
const MOVED_WORDS: u64 = 3;
const MOVED_CELLS: u64 = 1;
/// Folders of embedded fonts in packages.
const FONT_FOLDERS: [&str; 4] = ["word/fonts/", "ppt/fonts/", "xl/fonts/", "Fonts/"];

/// A source with text.
pub(super) struct Source<'t> {
    task: &'t Task,
    scope: Scope,
    /// Whether the result is a part that only the converter knows.
    selected: Option<Unverified>,
    rules: Rules,
    /// Names of the sheets, once it was read.
    sheets: RefCell<Vec<String>>,
    /// The characters of the result.
    drawn: RefCell<DrawnCharacters>,
}

impl<'t> Source<'t> {
    /// `None` if the source or the result has no text.
    pub(super) fn open(task: &'t Task, options: &ConvertOptions) -> Option<Self> {
        if !is_text_bearing(task.from) || !result::is_text_bearing(task.to) {
            return None;
        }
        let selected = match options.pages.is_some() && task.from != Format::Pdf {
            true => Some(Unverified::Pages),
            false => options.table.map(|_| Unverified::Table),
        };
        let scope = Scope::of(task.from, task.to);
        // The text of a PDF is not divided into tables.
        let tables_of_pdf = scope.tables_only && task.from == Format::Pdf;
        let is_workbook = |format: Format| matches!(format, Format::Xlsx | Format::Ods);
        let has_typed_cells =
            task.from.spec().category == Category::Spreadsheet && !task.from.is_delimited_text();
        let embeds_images = keeps_pictures(options);
        let drops_images = options.images == Some(ImageHandling::Drop);
        let keeps_images = matches!(
            task.to,
            Format::Pdf
                | Format::Docx
                | Format::Odt
                | Format::Rtf
                | Format::Xlsx
                | Format::Ods
                | Format::Pptx
                | Format::Odp
                | Format::Html
                | Format::Json
        ) && !scope.tables_only
            || (task.to == Format::Markdown && embeds_images);
        // A page is printed with its drawings as paths.
        let draws_images = task.from == Format::Markdown && task.to == Format::Pdf;
        // The readers of books and mails count no images.
        let is_page_of_parts = matches!(task.from, Format::Epub | Format::Eml | Format::Msg);
        Some(Self {
            task,
            scope,
            selected,
            rules: Rules {
                texts_become_numbers: is_workbook(task.to) && !has_typed_cells && !tables_of_pdf,
                figures: match tables_of_pdf && task.to == Format::Xlsx {
                    true => Figures::Values,
                    false if has_typed_cells => Figures::Joined,
                    false => Figures::Split,
                },
                images: keeps_images && !drops_images && !draws_images && !is_page_of_parts,
                tables: has_tables(task.from) && keeps_tables(task.to),
                parts: match task.from.spec().category {
                    Category::Presentation => {
                        matches!(task.to, Format::Pdf | Format::Pptx | Format::Odp)
                    }
                    Category::Spreadsheet => is_workbook(task.to),
                    _ => false,
                },
                hidden_shapes: match task.to {
                    Format::Pdf => HiddenShapes::Counted,
                    Format::Pptx | Format::Odp => HiddenShapes::Wanted,
                    _ => HiddenShapes::Ignored,
                },
                numbers: !tables_of_pdf,
                values: has_typed_cells && is_workbook(task.to),
                divides_words: task.to == Format::Pdf,
                approximate: task.from == Format::Pdf,
            },
            sheets: RefCell::default(),
            drawn: RefCell::default(),
        })
    }

    /// Whether the words of the result are in another order than those of the source.
    pub(super) fn is_reordered(&self, words: Measured) -> bool {
        match (self.task.from.spec().category, self.task.to) {
            // Wide sheets are divided by columns, and text outside tables is compared after them.
            (Category::Spreadsheet | Category::Data, Format::Pdf) => false,
            (Category::Pdf, _) if self.scope.tables_only => false,
            (Category::Spreadsheet | Category::Data, _) => words.moved >= MOVED_CELLS,
            _ => words.moved >= MOVED_WORDS,
        }
    }

    /// Compares the source with the result.
    ///
    /// # Errors
    /// The reason why they cannot be compared.
    pub(super) fn compare(&self, product: &Product) -> Result<Difference, Unverified> {
        if let Some(selected) = self.selected {
            if self.draws_text() {
                self.read_result(&mut |_, _| {}).ok();
            }
            return Err(selected);
        }
        let changed = pages_with_other_text(&product.warnings);
        let without_images = pages_without_images(&product.warnings);
        let source = |take: Take<'_>| {
            self.read(&mut |item, place| {
                let is_named = item == Item::Image && without_images.contains(&place.number);
                if !changed.contains(&place.number) && !is_named {
                    self.add_drawn(item, None);
                    take(item, place);
                }
            })
        };
        let result = |take: Take<'_>| {
            self.read_result(take)?;
            // Other sources are read without the text outside tables.
            let left_out = left_out_text(self.task).filter(|_| self.rules.approximate);
            left_out.map_or(Ok(()), |path| text::read(&path, take))
        };
        // Of HTML, each image and drawing that is left out is counted, as its reader does; of other sources, different ones.
        let dropped = dropped_images(&product.warnings);
        let is_counted = matches!(self.task.from, Format::Html | Format::Markdown);
        let rules = Rules {
            images: self.rules.images && (dropped == 0 || is_counted),
            ..self.rules
        };
        let found = compare(&source, &result, rules);
        let mut found = found.map_err(|_| match self.task.password() {
            Some(_) => Unverified::Password,
            None => Unverified::Unreadable,
        })?;
        let missing = &mut found.images.missing;
        *missing = missing.saturating_sub(dropped);
        Ok(found)
    }

    fn read_result(&self, take: Take<'_>) -> Result<(), Unreadable> {
        result::read(self.task, &mut |item, place| {
            self.add_drawn(item, Some(place.number));
            take(item, place);
        })
    }

    /// Adds text of the result, and that of the source, because pdfium returns no text for some boxes.
    fn add_drawn(&self, item: Item<'_>, page: Option<u32>) {
        if let Item::Text(text) = item
            && self.draws_text()
        {
            self.drawn.borrow_mut().add(text, page);
        }
    }

    /// Whether the text of the result was drawn with installed fonts. That of web pages is known before it is drawn only.
    fn draws_text(&self) -> bool {
        self.task.to == Format::Pdf && self.task.from.spec().category != Category::Web
    }

    /// The warning about characters of the result, once it was read, that no font has. Embedded fonts may have any characters.
    pub(super) fn missing_glyphs(&self) -> Option<Warning> {
        let warning = self.drawn.take().warning()?;
        (!has_embedded_fonts(&self.task.readable())).then_some(warning)
    }

    fn read(&self, take: Take<'_>) -> Result<(), Unreadable> {
        let (path, scope) = (self.task.readable(), self.scope);
        // What the browser showed, after scripts and styles. Most Markdown has none: then it is compared itself.
        let shown = read_source_text(self.task).map_err(|_| Unreadable)?;
        let is_page = self.task.to == Format::Pdf
            && match self.task.from {
                // Printed without their style sheets.
                Format::Epub | Format::Eml | Format::Msg => false,
                Format::Markdown => markdown::has_styles(&path)?,
                _ => true,
            };
        if let Some(shown) = shown.filter(|_| is_page) {
            text::lines(&shown, take);
            return Ok(());
        }
        if self.task.page.is_some() {
            return Err(Unreadable);
        }
        match self.task.from {
            Format::Docx => docx::read(&path, scope, take),
            Format::Doc => doc::read(&path, scope, take),
            Format::Rtf => rtf::read(&path, scope, take),
            Format::Ppt => ppt::read(&path, take),
            Format::Xls => self.named(xls::read(&path, scope, take)?),
            Format::Xlsb => self.named(xlsb::read(&path, scope, take)?),
            Format::Pptx => pptx::read(&path, scope, take),
            Format::Xlsx => self.named(xlsx::read(&path, scope, take)?),
            Format::Odt | Format::Ods | Format::Odp => self.named(odf::read(&path, scope, take)?),
            Format::Html => html::read(&path, scope, take),
            Format::Markdown => markdown::read(&path, scope, take),
            Format::Epub => epub::read(&path, scope, take),
            Format::Eml => mail::read(&path, scope, take),
            Format::Msg => msg::read(&path, scope, take),
            Format::Pdf => pdf::read_source(self.task, take),
            Format::Csv | Format::Tsv => text::read_cells(&path, take),
            _ => text::read(&path, take),
        }
    }

    fn named(&self, sheets: Vec<String>) -> Result<(), Unreadable> {
        self.sheets.replace(sheets);
        Ok(())
    }

    /// The places as the warning names them.
    pub(super) fn places(&self, places: &[Place]) -> Places {
        let mut numbers: Vec<u32> = places.iter().map(|place| place.number).collect();
        numbers.dedup();
        numbers.truncate(MAX_PLACES);
        match self.task.from {
            Format::Pdf => Places::Pages(numbers),
            Format::Pptx | Format::Ppt | Format::Odp => Places::Slides(numbers),
            Format::Xlsx | Format::Ods | Format::Xls | Format::Xlsb => {
                let cells = places.iter().filter_map(|place| self.cell(place));
                Places::Cells(cells.take(MAX_PLACES).collect())
            }
            _ => Places::Unknown,
        }
    }

    fn cell(&self, place: &Place) -> Option<String> {
        let (row, column) = place.cell?;
        let index = usize::try_from(place.number).ok()?.checked_sub(1)?;
        let sheets = self.sheets.borrow();
        Some(format!("{}!{}", sheets.get(index)?, cell_name(row, column)))
    }
}

/// Whether the reader of a source finds its tables.
fn has_tables(from: Format) -> bool {
    matches!(
        from,
        Format::Docx
            | Format::Odt
            | Format::Rtf
            | Format::Html
            | Format::Markdown
            | Format::Pptx
            | Format::Odp
    )
}

/// Whether results of a format have the tables of text documents and slides, and the reader of results finds them.
fn keeps_tables(to: Format) -> bool {
    matches!(
        to,
        Format::Docx
            | Format::Odt
            | Format::Html
            | Format::Markdown
            | Format::Json
            | Format::Pptx
            | Format::Odp
    )
}

/// Whether a package has fonts.
fn has_embedded_fonts(path: &Path) -> bool {
    let is_font = |name: &String| FONT_FOLDERS.iter().any(|folder| name.starts_with(folder));
    Package::open(path).is_ok_and(|package| package.names().iter().any(is_font))
}

/// The number of images that a warning of its own names.
fn dropped_images(warnings: &[Warning]) -> u64 {
    let counts = warnings.iter().filter_map(|warning| match warning {
        Warning::Dropped(DroppedContent::Pictures, count) => Some(u64::from(*count)),
        _ => None,
    });
    counts.sum()
}

/// Pages of a PDF whose text is not in the result, for a reason that a warning names. Pages of which a part was recognized keep
/// their text.
fn pages_with_other_text(warnings: &[Warning]) -> HashSet<u32> {
    let pages = warnings.iter().filter_map(|warning| match warning {
        Warning::TextRecognized { pages, .. }
        | Warning::CharactersUnknown(pages)
        | Warning::ContentDropped(pages) => Some(pages),
        _ => None,
    });
    pages.flatten().copied().collect()
}

/// Pages of a PDF whose images are not in the result, or were read as text, for a reason that a warning names.
fn pages_without_images(warnings: &[Warning]) -> HashSet<u32> {
    let pages = warnings.iter().filter_map(|warning| match warning {
        Warning::DrawingsDropped(pages)
        | Warning::ImageNotRendered(pages)
        | Warning::TextRecognizedInPart(pages)
        | Warning::TextNotRecognized(pages)
        | Warning::TextNotRecognizedWithoutOcr(pages) => Some(pages),
        _ => None,
    });
    pages.flatten().copied().collect()
}

fn is_text_bearing(from: Format) -> bool {
    matches!(
        from,
        Format::Docx
            | Format::Doc
            | Format::Odt
            | Format::Rtf
            | Format::Txt
            | Format::Xlsx
            | Format::Xls
            | Format::Xlsb
            | Format::Ppt
            | Format::Ods
            | Format::Csv
            | Format::Tsv
            | Format::Pptx
            | Format::Odp
            | Format::Html
            | Format::Markdown
            | Format::Epub
            | Format::Eml
            | Format::Msg
            | Format::Pdf
    )
}
