//! Scans that another program has read before: their text is taken as it is, and photographs and lines are looked for, as on
//! those that are read here.

use std::path::Path;

use domain::operation::OcrMode;
use layout::Stroke;
use pdf::content::Read;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfPage};
use task::progress::Teller;
use task::{Outcome, Task};

use super::fate::{Fate, fitting, page_sides};
use super::recognise::Reading;
use super::sheets::Found;
use super::shown::Leaf;
use super::{READING, document};

/// Most pixels of all pages that are looked through, those of some hundred pages; further pages come without photographs.
const PIXELS: u64 = 4_000_000_000;
/// The steepest fall of lines, in parts of their length, that still go with text that stays as it is.
const LEVEL: f64 = 0.002;

impl Found {
    /// Looks through these pages, by their numbers, whose text is laid over their pictures: these are left out, but for
    /// photographs that are cut from them.
    pub fn look_through(&mut self, task: &Task, file: &Path, pages: &[u32]) -> Outcome<()> {
        if pages.is_empty() {
            return Ok(());
        }
        let library = pdfium::load(task)?;
        let document = library.load_pdf_from_file(file, None);
        let document = document.map_err(pdfium::fault)?;
        let mut teller = Teller::part(&task.scratch, READING);
        let mut left = PIXELS;
        for (index, number) in pages.iter().enumerate() {
            self.look_at(task, &document, *number, &mut left)?;
            teller.tell(index + 1, pages.len());
        }
        Ok(())
    }

    fn look_at(
        &mut self,
        task: &Task,
        document: &PdfDocument<'_>,
        number: u32,
        left: &mut u64,
    ) -> Outcome<()> {
        let page = document::page(document, (number as usize).saturating_sub(1))?;
        let fate = Fate::of(&page, OcrMode::Redo, false)?;
        let Fate::Read { sides, .. } = fate else {
            return Ok(());
        };
        *left = left.saturating_sub(fate.pixels().unwrap_or(PIXELS));
        // Further pages keep their pictures, as nothing is looked for in them.
        if *left == 0 {
            return Ok(());
        }
        let leaf = leaf(&page, number, sides)?;
        self.searchable.push(number);
        let read = Read {
            strokes: Some(strokes(&leaf)),
            keeps_text: true,
            ..Read::default()
        };
        self.recognised.0.insert(number, read);
        if leaf.shows_photographs() {
            let (_, shown) = document::draw_in_colour(&page, fitting(sides))?;
            self.cut(task, &leaf, shown)?;
        }
        Ok(())
    }
}

/// A page with its own words in place of what would be read.
fn leaf(page: &PdfPage<'_>, number: u32, sides: (u32, u32)) -> Outcome<Leaf> {
    let picture = document::draw(page, sides, true)?;
    let reading = Reading::known(document::words(page, sides)?);
    Ok(Leaf {
        number,
        points: page_sides(page),
        sides,
        is_scan: true,
        is_upright: false,
        is_all: false,
        reading: reading.looked_through(&picture).parted(true),
    })
}

/// The lines that a page shows, if they are as level as its text.
fn strokes(leaf: &Leaf) -> Vec<Stroke> {
    let ruled = leaf.reading.ruled.as_ref();
    let ruled = ruled.filter(|(straight, _)| straight.slope.abs() <= LEVEL);
    let rules = ruled.into_iter().flat_map(|(_, rules)| rules);
    let strokes = rules.map(|rule| Stroke {
        bounds: leaf.bounds(*rule),
    });
    strokes.collect()
}
