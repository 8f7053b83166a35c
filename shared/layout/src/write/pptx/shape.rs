//! What stands on a slide, a shape a block.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::table;
use super::text::{self, Look};
use crate::write::frame::{Frame, Place};
use crate::write::length;
use crate::write::package::Relations;
use crate::write::picture::{self, PictureFormat};
use crate::write::xml::Escaped;
use crate::write::{Outcome, PictureFacts, Pictures, plain};
use crate::{Alignment, Block, Content, Rect, Run, Script, Size, Style};

/// A slide that is being made.
pub(super) struct Slide<'a> {
    pub(super) xml: String,
    pub(super) relations: Relations,
    pub(super) used: BTreeMap<usize, PictureFacts>,
    pub(super) frame: Frame,
    pub(super) language: Option<&'a str>,
    pub(super) pictures: &'a dyn Pictures,
    page: Size,
    /// Where what was last placed ends, points of the page.
    bottom: f32,
    has_title: bool,
    /// The last number of a shape; the slide itself is 1.
    numbered: u32,
}

/// The name of a picture's part, from the folder of the presentation.
pub(super) fn part(image: usize, format: PictureFormat) -> String {
    format!(
        "media/image{}.{}",
        image.saturating_add(1),
        format.extension()
    )
}

impl<'a> Slide<'a> {
    pub(super) fn new(
        pictures: &'a dyn Pictures,
        frame: Frame,
        page: Size,
        language: Option<&'a str>,
    ) -> Self {
        Self {
            xml: String::new(),
            relations: Relations::default(),
            used: BTreeMap::new(),
            frame,
            language,
            pictures,
            page,
            bottom: 36.0,
            has_title: false,
            numbered: 1,
        }
    }

    pub(super) fn block(&mut self, block: &Block) -> Outcome {
        let bounds = self.bounds(block);
        match &block.content {
            Content::Heading {
                runs, alignment, ..
            } => {
                let is_title = !std::mem::replace(&mut self.has_title, true);
                let look = Look {
                    alignment: *alignment,
                    ..Look::default()
                };
                let body = text::paragraph(self, runs, &look);
                self.text(bounds, &body, is_title, runs_size(runs));
            }
            Content::Paragraph {
                runs, alignment, ..
            } => self.paragraph(bounds, runs, *alignment),
            Content::Footnote { label, runs } => {
                let style = Style {
                    script: Script::Super,
                    ..Style::default()
                };
                let label = Run {
                    text: format!("{label} "),
                    style,
                    link: None,
                };
                let runs: Vec<_> = std::iter::once(label).chain(runs.iter().cloned()).collect();
                self.paragraph(bounds, &runs, Alignment::Start);
            }
            Content::List { items } => {
                let body = text::list(self, items);
                self.text(bounds, &body, false, 0.0);
            }
            Content::Table(table) => table::frame(self, table, bounds),
            Content::Image { image, alternative } => {
                return self.image(bounds, *image, alternative.as_deref().unwrap_or_default());
            }
            Content::Rule => self.rule(bounds),
        }
        Ok(())
    }

    /// A number and a name for a shape.
    pub(super) fn named(&mut self, kind: &str, words: &str) -> String {
        self.numbered += 1;
        let number = self.numbered;
        let words = if words.is_empty() {
            String::new()
        } else {
            format!(" descr=\"{}\"", Escaped(words))
        };
        format!("<p:cNvPr id=\"{number}\" name=\"{kind} {number}\"{words}/>")
    }

    pub(super) fn place(&self, bounds: Rect) -> Place {
        self.frame.place(bounds)
    }

    /// Where a block stands; below the last one if nothing says where.
    fn bounds(&mut self, block: &Block) -> Rect {
        let below = Rect {
            left: 36.0,
            top: self.bottom,
            right: (self.page.width - 36.0).max(37.0),
            bottom: self.bottom + height(block),
        };
        let bounds = length::place(block.bounds).unwrap_or(below);
        self.bottom = bounds.bottom + 6.0;
        bounds
    }

    fn paragraph(&mut self, bounds: Rect, runs: &[Run], alignment: Alignment) {
        let body = text::paragraph(
            self,
            runs,
            &Look {
                alignment,
                ..Look::default()
            },
        );
        self.text(bounds, &body, false, runs_size(runs));
    }

    /// A box of text. A single line is not broken, whatever font shows it.
    fn text(&mut self, bounds: Rect, paragraphs: &str, is_title: bool, size: f32) {
        let is_line = size > 0.0 && bounds.height() < size * 1.8;
        let wrap = if is_line { "none" } else { "square" };
        let place = self.place(bounds).xml("a:xfrm");
        self.boxed(&place, paragraphs, is_title, wrap);
    }

    /// A box of text in its place, as XML.
    pub(super) fn boxed(&mut self, place: &str, paragraphs: &str, is_title: bool, wrap: &str) {
        let name = self.named(if is_title { "Title" } else { "Text" }, "");
        let (kind, title) = match is_title {
            true => ("", "<p:ph type=\"title\"/>"),
            false => (" txBox=\"1\"", ""),
        };
        write!(
            self.xml,
            "<p:sp><p:nvSpPr>{name}<p:cNvSpPr{kind}/><p:nvPr>{title}</p:nvPr></p:nvSpPr>\
<p:spPr>{place}<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></p:spPr>\
<p:txBody><a:bodyPr wrap=\"{wrap}\" lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\" anchor=\"t\"><a:noAutofit/></a:bodyPr><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"
        )
        .ok();
    }

    fn image(&mut self, bounds: Rect, image: usize, words: &str) -> Outcome {
        let Some(facts) = picture::facts(self.pictures, image)? else {
            if !words.is_empty() {
                let run = Run {
                    text: words.to_owned(),
                    style: Style::default(),
                    link: None,
                };
                self.paragraph(bounds, &[run], Alignment::Start);
            }
            return Ok(());
        };
        self.picture((image, facts), bounds, words, "");
        Ok(())
    }

    /// A picture, of which is cut off what an element says, or nothing.
    pub(super) fn picture(
        &mut self,
        (image, facts): (usize, PictureFacts),
        bounds: Rect,
        words: &str,
        cut: &str,
    ) {
        self.used.insert(image, facts);
        let relation = self
            .relations
            .part("image", &format!("../{}", part(image, facts.format)));
        let name = self.named("Picture", words);
        let place = self.place(bounds).xml("a:xfrm");
        write!(
            self.xml,
            "<p:pic><p:nvPicPr>{name}<p:cNvPicPr/><p:nvPr/></p:nvPicPr>\
<p:blipFill><a:blip r:embed=\"{relation}\"/>{cut}<a:stretch><a:fillRect/></a:stretch></p:blipFill>\
<p:spPr>{place}<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr></p:pic>"
        )
        .ok();
    }

    fn rule(&mut self, bounds: Rect) {
        let name = self.named("Line", "");
        let place = self
            .place(Rect {
                bottom: bounds.top,
                ..bounds
            })
            .xml("a:xfrm");
        write!(
            self.xml,
            "<p:cxnSp><p:nvCxnSpPr>{name}<p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>\
<p:spPr>{place}<a:prstGeom prst=\"line\"><a:avLst/></a:prstGeom><a:ln w=\"9525\"><a:solidFill><a:srgbClr val=\"000000\"/></a:solidFill></a:ln></p:spPr></p:cxnSp>"
        )
        .ok();
    }
}

/// The size of the letters of runs, where it is known.
fn runs_size(runs: &[Run]) -> f32 {
    runs.iter().map(|run| run.style.size).fold(0.0, f32::max)
}

/// About how much room a block takes, points.
fn height(block: &Block) -> f32 {
    let lines = match &block.content {
        Content::Image { .. } => 8,
        Content::Rule => 1,
        Content::Table(table) => table.rows.max(1),
        _ => plain::of_block(block)
            .lines()
            .map(|line| 1 + line.chars().count() / 90)
            .sum::<usize>()
            .max(1),
    };
    let lines = u16::try_from(lines).unwrap_or(u16::MAX);
    f32::from(lines) * 16.0
}
