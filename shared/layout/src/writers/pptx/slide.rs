//! A slide: XML output and shapes shared by both kinds of pages.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::writers::ooxml::package::Relations;
use crate::writers::page_transform::{EmuRect, PageTransform};
use crate::writers::xml::Escaped;
use crate::writers::{PictureInfo, Pictures, picture};
use crate::{Rect, Size};

/// A slide that is being written.
pub(super) struct Slide<'a> {
    pub(super) xml: String,
    pub(super) relations: Relations,
    pub(super) used: BTreeMap<usize, PictureInfo>,
    pub(super) frame: PageTransform,
    pub(super) language: Option<&'a str>,
    pub(super) pictures: &'a dyn Pictures,
    pub(super) page: Size,
    /// Lower edge of the last block, in page coordinates, points.
    pub(super) bottom: f32,
    pub(super) has_title: bool,
    /// Last shape id; the shape tree has id 1.
    numbered: u32,
}

impl<'a> Slide<'a> {
    pub(super) fn new(
        pictures: &'a dyn Pictures,
        frame: PageTransform,
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

    /// Returns the id and name attributes of a new shape.
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

    pub(super) fn place(&self, bounds: Rect) -> EmuRect {
        self.frame.place(bounds)
    }

    /// Writes a text box; `place` is its transform.
    pub(super) fn text_box(&mut self, place: &str, paragraphs: &str, is_title: bool, wrap: &str) {
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

    /// Writes a picture; `cropping` is the cropping element, or empty.
    pub(super) fn picture(
        &mut self,
        (image, info): (usize, PictureInfo),
        bounds: Rect,
        words: &str,
        cropping: &str,
    ) {
        self.used.insert(image, info);
        let relation = self.relations.part(
            "image",
            &format!("../{}", picture::part(image, info.format)),
        );
        let name = self.named("Picture", words);
        let place = self.place(bounds).xml("a:xfrm");
        write!(
            self.xml,
            "<p:pic><p:nvPicPr>{name}<p:cNvPicPr/><p:nvPr/></p:nvPicPr>\
<p:blipFill><a:blip r:embed=\"{relation}\"/>{cropping}<a:stretch><a:fillRect/></a:stretch></p:blipFill>\
<p:spPr>{place}<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr></p:pic>"
        )
        .ok();
    }
}
