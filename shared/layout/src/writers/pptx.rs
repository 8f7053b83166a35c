//! Writes PresentationML [ECMA-376], a slide per page.
//!
//! Slides have the size of the first page; other pages are scaled to it and centered. Each block keeps its position: text and
//! lists in boxes, tables as tables, pictures as pictures. The first heading of a page is the slide title. Blocks without
//! bounds follow below the previous one. Links to pages and nested tables become text; pictures in cells are dropped, since the
//! format does not support them.

pub(super) mod fixed;
mod parts;
mod shape;
mod slide;
mod table;
pub(super) mod text;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Seek, Write};

use self::slide::Slide;
use super::legible;
use super::length;
use super::ooxml::package::{Package, Relations};
use super::page_transform::PageTransform;
use super::text::tables;
use super::{Metadata, PictureInfo, Pictures, Result, WriteReport, Writer, picture};
use crate::{Page, Size};

/// Creates a pptx writer.
///
/// # Errors
/// If the output cannot be written.
pub fn pptx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer + 'a>> {
    Ok(Box::new(empty(output, metadata, pictures)?))
}

fn empty<'a, W: Write + Seek>(
    output: W,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Presentation<'a, W>> {
    Ok(Presentation {
        package: Package::begin(output, "ppt/presentation.xml")?,
        metadata: metadata.clone(),
        pictures,
        used: BTreeMap::new(),
        size: None,
        written: WriteReport::default(),
    })
}

struct Presentation<'a, W: Write + Seek> {
    package: Package<W>,
    metadata: Metadata,
    pictures: &'a dyn Pictures,
    used: BTreeMap<usize, PictureInfo>,
    /// Size of the slides.
    size: Option<Size>,
    written: WriteReport,
}

impl<W: Write + Seek> Writer for Presentation<'_, W> {
    fn page(&mut self, mut page: Page) -> Result {
        legible::on_paper(&mut page);
        self.written.tables += tables(&page);
        self.slide(page.size, |slide| {
            let mut blocks = page.header.iter().chain(&page.blocks).chain(&page.footer);
            blocks.try_for_each(|block| slide.block(block))
        })
    }

    fn finish(self: Box<Self>) -> Result<WriteReport> {
        self.end()
    }
}

impl<W: Write + Seek> Presentation<'_, W> {
    /// Writes a slide for a page of this size.
    fn slide(&mut self, page: Size, show: impl FnOnce(&mut Slide<'_>) -> Result) -> Result {
        self.written.pages += 1;
        let size = *self.size.get_or_insert_with(|| allowed(page));
        let own = length::size(page, 1.0, length::MAX_DISTANCE);
        let frame = PageTransform::between(own, size);
        let mut slide = Slide::new(self.pictures, frame, own, self.metadata.language_tag());
        let layout = "../slideLayouts/slideLayout1.xml";
        slide.relations.part("slideLayout", layout);
        show(&mut slide)?;
        let name = slide_part(self.written.pages);
        let content = parts::slide(&slide.xml);
        self.package
            .write_whole(&name, &parts::content_type("slide"), &content)?;
        self.package.relations(&name, &slide.relations)?;
        self.used.append(&mut slide.used);
        Ok(())
    }

    fn end(mut self) -> Result<WriteReport> {
        self.masters()?;
        self.presentation()?;
        for (image, info) in std::mem::take(&mut self.used) {
            let name = format!("ppt/{}", picture::part(image, info.format));
            self.package.picture(&name, self.pictures, image)?;
        }
        self.package.finish(&self.metadata)?;
        Ok(self.written)
    }

    fn presentation(&mut self) -> Result {
        let (mut relations, mut slides) = (Relations::default(), String::new());
        let master = relations.part("slideMaster", "slideMasters/slideMaster1.xml");
        relations.part("theme", "theme/theme1.xml");
        for number in 1..=self.written.pages {
            let relation = relations.part("slide", &format!("slides/slide{number}.xml"));
            write!(
                slides,
                "<p:sldId id=\"{}\" r:id=\"{relation}\"/>",
                255 + number
            )
            .ok();
        }
        let size = self.size.unwrap_or(Size {
            width: 960.0,
            height: 540.0,
        });
        let content = parts::presentation(&master, &slides, size);
        self.package.write_whole(
            "ppt/presentation.xml",
            &parts::content_type("presentation.main"),
            &content,
        )?;
        self.package.relations("ppt/presentation.xml", &relations)
    }

    fn masters(&mut self) -> Result {
        let (mut master, mut layout) = (Relations::default(), Relations::default());
        let to_layout = master.part("slideLayout", "../slideLayouts/slideLayout1.xml");
        master.part("theme", "../theme/theme1.xml");
        layout.part("slideMaster", "../slideMasters/slideMaster1.xml");
        let (of_master, of_layout) = (
            "ppt/slideMasters/slideMaster1.xml",
            "ppt/slideLayouts/slideLayout1.xml",
        );
        let size = self.size.unwrap_or(Size {
            width: 960.0,
            height: 540.0,
        });
        self.package.write_whole(
            of_master,
            &parts::content_type("slideMaster"),
            &parts::master(&to_layout, size),
        )?;
        self.package.relations(of_master, &master)?;
        self.package.write_whole(
            of_layout,
            &parts::content_type("slideLayout"),
            &parts::layout(),
        )?;
        self.package.relations(of_layout, &layout)?;
        self.package.write_whole(
            "ppt/theme/theme1.xml",
            parts::THEME_CONTENT_TYPE,
            parts::THEME,
        )
    }
}

/// Minimum and maximum side of a slide, points: 1 and 56 inches.
const SIDES: (f32, f32) = (72.0, 4_032.0);

/// Returns the nearest size that a slide may have.
fn allowed(size: Size) -> Size {
    let (least, most) = SIDES;
    length::size(size, least, most)
}

fn slide_part(number: u32) -> String {
    format!("ppt/slides/slide{number}.xml")
}
