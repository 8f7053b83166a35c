//! Reads the text and pictures of the visible slides of a PPTX [ECMA-376 part 1, 19].

use std::path::Path;

use super::graphics;
use super::hidden_shape::HiddenShape;
use super::item::{Item, Place, Take, Unreadable};
use super::package::{Package, Relationships};
use super::picture::PictureReader;
use super::scope::Scope;
use super::tables::Tables;
use super::xml::{Element, Node, walk};

const PRESENTATION: &str = "ppt/presentation.xml";

/// Calls `take` with the items of each slide that is not hidden.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let mut package = Package::open(path)?;
    let (slides, size) = slides(&mut package)?;
    for (number, name) in (1..).zip(slides) {
        let Some(part) = package.part(&name)? else {
            continue;
        };
        let relationships = package.relationships(&name)?;
        let mut reader = SlideReader::new(&relationships, size);
        let place = Place { number, cell: None };
        walk(part.as_slice(), |node, depth| {
            reader.node(&node, depth, &mut |item| take(item, place));
        })?;
        if !reader.is_hidden {
            take(Item::Part, place);
        }
        if !reader.is_hidden && !scope.tables_only {
            graphics::read(&mut package, &name, scope, &mut |item| take(item, place))?;
        }
    }
    Ok(())
}

/// Width and height of slides, in EMU.
type Size = Option<(i64, i64)>;

/// Names of the slides in order, and their size.
fn slides(package: &mut Package) -> Result<(Vec<String>, Size), Unreadable> {
    let presentation = package.required(PRESENTATION)?;
    let relationships = package.relationships(PRESENTATION)?;
    let (mut slides, mut size) = (Vec::new(), None);
    walk(presentation.as_slice(), |node, _| {
        let Node::Start(element) = node else { return };
        match element.name() {
            "sldId" => {
                let id = element.relationship();
                slides.extend(id.and_then(|id| relationships.get(&id).cloned()));
            }
            "sldSz" => size = pair(&element, ["cx", "cy"]),
            _ => {}
        }
    })?;
    Ok((slides, size))
}

/// Two numbers of an element.
fn pair(element: &Element<'_>, names: [&str; 2]) -> Size {
    let [one, other] = names.map(|name| element.attribute(name)?.parse().ok());
    one.zip(other)
}

/// Elements that are a shape.
const SHAPES: [&str; 5] = ["sp", "pic", "graphicFrame", "cxnSp", "grpSp"];

struct SlideReader<'a> {
    relationships: &'a Relationships,
    size: Size,
    /// The position of the open shape, if it is in no group.
    position: Size,
    is_hidden: bool,
    /// Depth of the element whose content is skipped.
    skipped: Option<usize>,
    /// The open shape that is hidden or beyond the edges.
    hidden: Option<HiddenShape>,
    /// Depths of the open shapes.
    shapes: Vec<usize>,
    picture: PictureReader,
    /// Number of images of the open shape, whose place comes after them.
    images: usize,
    tables: Tables,
    is_text: bool,
}

impl<'a> SlideReader<'a> {
    fn new(relationships: &'a Relationships, size: Size) -> Self {
        Self {
            relationships,
            size,
            position: None,
            is_hidden: false,
            skipped: None,
            hidden: None,
            shapes: Vec::new(),
            picture: PictureReader::default(),
            images: 0,
            tables: Tables::default(),
            is_text: false,
        }
    }

    fn node(&mut self, node: &Node<'_>, depth: usize, emit: &mut impl FnMut(Item<'_>)) {
        match node {
            Node::Start(element) if self.skipped.is_none() => self.start(element, depth, emit),
            Node::Start(_) => {}
            Node::End(name) => {
                if self.skipped == Some(depth) {
                    self.skipped = None;
                }
                if self.picture.end(name, self.relationships) {
                    self.images += 1;
                }
                if self.shapes.last() == Some(&depth) {
                    self.shapes.pop();
                    for _ in 0..std::mem::take(&mut self.images) {
                        self.emit(Item::Image, emit);
                    }
                }
                match *name {
                    "p" => self.emit(Item::Break, emit),
                    "t" => self.is_text = false,
                    "tbl" if self.skipped.is_none() => self.tables.end(),
                    _ => {}
                }
                if let Some(shape) = self.hidden.take_if(|shape| shape.depth == depth) {
                    emit(shape.item());
                }
            }
            Node::Text(text) if self.skipped.is_none() && self.is_text => {
                if self.tables.add_text(text) {
                    self.emit(Item::Table, emit);
                }
                self.emit(Item::Text(text), emit);
            }
            Node::Text(_) => {}
        }
    }

    /// Passes on an item; those of a hidden shape at its end.
    fn emit(&mut self, item: Item<'_>, emit: &mut impl FnMut(Item<'_>)) {
        match &mut self.hidden {
            Some(shape) => shape.add(item),
            None => emit(item),
        }
    }

    fn start(&mut self, element: &Element<'_>, depth: usize, emit: &mut impl FnMut(Item<'_>)) {
        let name = element.name();
        if SHAPES.contains(&name) {
            self.shapes.push(depth);
            self.tables.begin_paragraph();
        }
        match name {
            "sld" if element.has("show", "0") => {
                self.is_hidden = true;
                self.skipped = Some(depth);
            }
            "Fallback" | "oMath" => self.skipped = Some(depth),
            "cNvPr" if element.has("hidden", "1") || element.has("hidden", "true") => {
                self.hide_shape();
            }
            "fld"
                if element
                    .attribute("type")
                    .is_some_and(|kind| is_recalculated(&kind)) =>
            {
                self.skipped = Some(depth);
            }
            "pic" | "blip" | "svgBlip" => self.picture.start(element),
            "tbl" => self.tables.begin(),
            "tc" => self.tables.begin_cell(),
            "t" => self.is_text = true,
            "br" => self.emit(Item::Break, emit),
            "off" if self.shapes.len() == 1 => self.position = pair(element, ["x", "y"]),
            "ext" if self.shapes.len() == 1 => {
                if let Some(size) = pair(element, ["cx", "cy"])
                    && self.is_outside(size)
                {
                    self.hide_shape();
                }
            }
            _ => {}
        }
    }

    /// Hides the open shape, unless one around it is hidden.
    fn hide_shape(&mut self) {
        let shape = self.shapes.last().copied().map(HiddenShape::at);
        self.hidden = self.hidden.take().or(shape);
    }

    /// Whether a shape of this size is completely outside of the slide.
    fn is_outside(&mut self, (width, height): (i64, i64)) -> bool {
        let Some(((x, y), (across, down))) = self.position.take().zip(self.size) else {
            return false;
        };
        let is_beyond = |at: i64, length: i64, end| at >= end || at.saturating_add(length) < 0;
        is_beyond(x, width, across) || is_beyond(y, height, down)
    }
}

/// Whether the application that opens the document calculates the text of a field.
fn is_recalculated(kind: &str) -> bool {
    kind == "slidenum" || kind.starts_with("datetime")
}

#[cfg(test)]
mod tests {
    use domain::format::Format;

    use super::*;
    use crate::content::test_files::{items, package};

    #[test]
    fn texts_of_hidden_shapes_are_apart_and_tables_are_counted() {
        let presentation = "<presentation><sldSz cx='90' cy='50'/><sldIdLst><sldId r:id='a'/></sldIdLst></presentation>";
        let related =
            "<Relationships><Relationship Id='a' Target='slides/slide1.xml'/></Relationships>";
        let image = "<Relationships><Relationship Id='i' Target='../media/i.png'/></Relationships>";
        let slide = "<sld><spTree><nvGrpSpPr><cNvPr/></nvGrpSpPr>
            <sp><nvSpPr><cNvPr hidden='1'/></nvSpPr><p><r><t>hid</t></r><r><t>den</t></r></p><p><r><t>words</t></r></p></sp>
            <pic><nvPicPr><cNvPr/></nvPicPr><blipFill><blip r:embed='i'/></blipFill><spPr><xfrm><off x='99' y='0'/><ext cx='5' cy='5'/></xfrm></spPr></pic>
            <sp><nvSpPr><cNvPr/></nvSpPr><p><r><t>shown</t></r></p></sp>
            <graphicFrame><tbl><tr><tc><p><r><t>one</t></r></p></tc><tc><p><r><t>two</t></r></p></tc></tr></tbl></graphicFrame>
            </spTree></sld>";
        let file = package(&[
            (PRESENTATION, presentation.as_bytes()),
            ("ppt/_rels/presentation.xml.rels", related.as_bytes()),
            ("ppt/slides/slide1.xml", slide.as_bytes()),
            ("ppt/slides/_rels/slide1.xml.rels", image.as_bytes()),
        ]);
        let scope = Scope::of(Format::Pptx, Format::Pdf);
        let items = items(&file, |path, take| read(path, scope, take)).unwrap();
        assert_eq!(items, "{hidden words }[1]{*}shown|one|&two|");
    }
}
