//! Reads the text of a DOCX [ECMA-376 part 1, 17]: body, notes, text boxes and the header and footer that every page has.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use super::fields::Fields;
use super::graphics;
use super::html;
use super::item::{Item, Place, Take, Unreadable};
use super::package::{Package, Relationships, is_raster_image};
use super::picture::PictureReader;
use super::scope::Scope;
use super::tables::Tables;
use super::xml::{Element, Node, walk};

const DOCUMENT: &str = "word/document.xml";

/// Calls `take` with the items of a document.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let mut package = Package::open(path)?;
    let name = document_name(&package);
    let relationships = package.relationships(&name)?;
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let styles = package.part(&format!("{folder}/styles.xml"))?;
    let hidden_styles = hidden_styles(&styles.unwrap_or_default())?;
    let story = |part: &[u8],
                 (scope, relationships): (Scope, &Relationships),
                 references: &mut References,
                 take: Take<'_>| {
        let mut reader = StoryReader::new(scope, relationships, &hidden_styles);
        walk(part, |node, depth| {
            references.read(&node);
            reader.node(&node, depth, take);
        })
    };
    let mut references = References::default();
    let main = package.required(&name)?;
    story(&main, (scope, &relationships), &mut references, take)?;
    let mut further = Vec::new();
    if !scope.tables_only {
        further.extend(["footnotes", "endnotes"].map(|notes| format!("{folder}/{notes}.xml")));
        let ids = references.on_every_page(scope);
        further.extend(ids.filter_map(|id| relationships.get(id)).cloned());
    }
    let running_text = references.of_pages(scope);
    let running_text = running_text
        .into_iter()
        .filter_map(|id| relationships.get(id));
    let notes = further.len();
    further.extend(running_text.cloned());
    take(Item::Aside(true), Place::default());
    let aside = Scope {
        is_aside: true,
        ..scope
    };
    for (index, name) in further.iter().enumerate() {
        if index == notes {
            take(Item::Once(true), Place::default());
        }
        if let Some(part) = package.part(name)? {
            let relationships = package.relationships(name)?;
            story(
                &part,
                (aside, &relationships),
                &mut References::default(),
                take,
            )?;
        }
    }
    take(Item::Once(false), Place::default());
    // LibreOffice drops parts in other formats; our own reader warns of them.
    let is_page = |name: &&String| name.ends_with(".html") || name.ends_with(".htm");
    let chunks = references.chunks.iter().filter(|_| scope.headers);
    let pages = chunks
        .filter_map(|id| relationships.get(id))
        .filter(is_page);
    for name in pages {
        let page = package.part(name)?.unwrap_or_default();
        html::read_markup(&String::from_utf8_lossy(&page), scope, take);
    }
    if !scope.tables_only {
        graphics::read(&mut package, &name, scope, &mut |item| {
            take(item, Place::default());
        })?;
    }
    Ok(())
}

/// The name of the main part; some applications number it.
fn document_name(package: &Package) -> String {
    let names = package.names();
    let is_document = |name: &&String| name.starts_with("word/document") && name.ends_with(".xml");
    let named = |name: &str| names.iter().any(|known| known == name);
    match named(DOCUMENT) {
        true => DOCUMENT.to_owned(),
        false => names
            .iter()
            .find(is_document)
            .map_or(DOCUMENT.to_owned(), Clone::clone),
    }
}

/// Headers and footers, and parts in other formats.
#[derive(Default)]
struct References {
    chunks: Vec<String>,
    /// Sections so far; the last one is open.
    sections: Vec<Section>,
    has_ended: bool,
    /// Whether some pages have another header or footer.
    varies: bool,
}

/// Identifiers of the headers and footers of a section.
#[derive(Default)]
struct Section {
    defaults: Vec<String>,
    first: Vec<String>,
    has_first: bool,
    is_continuous: bool,
}

impl References {
    fn read(&mut self, node: &Node<'_>) {
        let Node::Start(element) = node else {
            self.has_ended |= matches!(node, Node::End("sectPr"));
            return;
        };
        match (element.name(), self.sections.last_mut()) {
            ("altChunk", _) => self.chunks.extend(element.attribute("id")),
            ("sectPr", _) => self.sections.push(Section::default()),
            ("type", Some(section)) => section.is_continuous = element.has("val", "continuous"),
            ("titlePg", Some(section)) => {
                section.has_first = element.is_on();
                self.varies |= section.has_first;
            }
            ("headerReference" | "footerReference", Some(section)) => {
                let is_default = element.has("type", "default");
                self.varies |= !is_default && !self.has_ended;
                match is_default {
                    true => section.defaults.extend(element.attribute("id")),
                    false if element.has("type", "first") => {
                        section.first.extend(element.attribute("id"));
                    }
                    false => {}
                }
            }
            _ => {}
        }
    }

    fn on_every_page(&self, scope: Scope) -> impl Iterator<Item = &String> {
        let are_wanted = scope.headers && !self.varies;
        let section = self.sections.first().filter(|_| are_wanted);
        section.into_iter().flat_map(|section| &section.defaults)
    }

    /// The headers and footers of pages that a section begins. Those of even pages may be on none.
    fn of_pages(&self, scope: Scope) -> BTreeSet<&String> {
        let sections = self.sections.iter().enumerate();
        let sections = sections.filter(|(index, section)| {
            scope.running_text && (*index == 0 || !section.is_continuous)
        });
        let ids = sections.flat_map(|(_, section)| {
            let first = section.first.iter().filter(|_| section.has_first);
            section.defaults.iter().chain(first)
        });
        ids.collect()
    }
}

/// Identifiers of styles whose text is hidden.
fn hidden_styles(styles: &[u8]) -> Result<HashSet<String>, Unreadable> {
    let (mut hidden, mut current) = (HashSet::new(), None);
    walk(styles, |node, _| {
        if let Node::Start(element) = node {
            match element.name() {
                "style" => current = element.attribute("styleId"),
                "vanish" if element.is_on() => hidden.extend(current.clone()),
                _ => {}
            }
        }
    })?;
    Ok(hidden)
}

/// Reads one part: the document, a header or the notes.
struct StoryReader<'a> {
    scope: Scope,
    relationships: &'a Relationships,
    hidden_styles: &'a HashSet<String>,
    fields: Fields,
    /// Depth of the element whose content is skipped.
    skipped: Option<usize>,
    /// Depths of the open content controls.
    controls: Vec<usize>,
    tables: Tables,
    /// Number of open text boxes, which are anywhere on a page.
    text_boxes: usize,
    is_frame: bool,
    picture: PictureReader,
    is_picture_hidden: bool,
    is_text: bool,
    is_run_hidden: bool,
    is_paragraph_hidden: bool,
}

impl<'a> StoryReader<'a> {
    fn new(
        scope: Scope,
        relationships: &'a Relationships,
        hidden_styles: &'a HashSet<String>,
    ) -> Self {
        Self {
            scope,
            relationships,
            hidden_styles,
            fields: Fields::default(),
            skipped: None,
            controls: Vec::new(),
            tables: Tables::default(),
            text_boxes: 0,
            is_frame: false,
            picture: PictureReader::default(),
            is_picture_hidden: false,
            is_text: false,
            is_run_hidden: false,
            is_paragraph_hidden: false,
        }
    }

    fn node(&mut self, node: &Node<'_>, depth: usize, take: &mut dyn FnMut(Item<'_>, Place)) {
        let mut emit = |item: Item<'_>| take(item, Place::default());
        match node {
            Node::Start(element) => {
                if self.skipped.is_none() {
                    self.start(element, depth, &mut emit);
                }
            }
            Node::End(name) => {
                if self.skipped == Some(depth) {
                    self.skipped = None;
                }
                self.end(name, depth, &mut emit);
            }
            Node::Text(text) if self.skipped.is_none() => {
                if self.fields.is_instruction() {
                    self.fields.instruction(text);
                } else if self.is_text && self.is_visible() {
                    if self.tables.add_text(text) && self.text_boxes == 0 && !self.scope.is_aside {
                        emit(Item::Table);
                    }
                    emit(Item::Text(text));
                }
            }
            Node::Text(_) => {}
        }
    }

    fn is_visible(&self) -> bool {
        let is_in_scope = !self.scope.tables_only || self.tables.are_open();
        is_in_scope
            && !self.is_run_hidden
            && !self.is_paragraph_hidden
            && !self.fields.is_recalculated()
    }

    fn start(&mut self, element: &Element<'_>, depth: usize, emit: &mut impl FnMut(Item<'_>)) {
        match element.name() {
            "Fallback" | "del" | "moveFrom" | "oMath" | "object" => self.skipped = Some(depth),
            "txbxContent" if !self.scope.text_boxes => self.skipped = Some(depth),
            "footnote" | "endnote" if element.attribute("type").is_some() => {
                self.skipped = Some(depth);
            }
            "sdt" => self.controls.push(depth),
            "showingPlcHdr" if element.is_on() => self.skipped = self.controls.last().copied(),
            "tbl" => {
                self.tables.begin();
                emit(Item::Aside(self.is_aside()));
            }
            "tc" => self.tables.begin_cell(),
            "txbxContent" => {
                self.text_boxes += 1;
                emit(Item::Aside(true));
            }
            // A paragraph in a frame, which is anywhere on the page.
            "framePr" => {
                self.is_frame = true;
                emit(Item::Aside(true));
            }
            "p" => {
                self.is_paragraph_hidden = false;
                self.tables.begin_paragraph();
            }
            "r" => self.is_run_hidden = false,
            "vanish" | "specVanish" if element.is_on() => self.is_run_hidden = true,
            "rStyle" => self.is_run_hidden |= self.is_hidden_style(element),
            "pStyle" => self.is_paragraph_hidden = self.is_hidden_style(element),
            "fldChar" => self
                .fields
                .mark(element.attribute("fldCharType").as_deref()),
            "fldSimple" => self
                .fields
                .simple(&element.attribute("instr").unwrap_or_default()),
            "instrText" => self.fields.begin_instruction(),
            "t" => self.is_text = true,
            "tab" | "br" | "cr" | "noBreakHyphen" | "ptab" | "rt" | "rubyBase" => emit(Item::Break),
            "docPr" if element.has("hidden", "1") || element.has("hidden", "true") => {
                self.is_picture_hidden = true;
            }
            "drawing" => self.is_picture_hidden = false,
            "blip" if self.is_picture_hidden => {}
            "pic" | "blip" | "svgBlip" => self.picture.start(element),
            "imagedata" => self.image(element.attribute("id"), emit),
            _ => {}
        }
    }

    /// Whether the words may be elsewhere in the result.
    fn is_aside(&self) -> bool {
        self.scope.is_aside
            || self.text_boxes > 0
            || (self.scope.mixes_cells && self.tables.are_open())
    }

    fn is_hidden_style(&self, element: &Element<'_>) -> bool {
        let style = element.attribute("val").unwrap_or_default();
        self.hidden_styles.contains(&style)
    }

    fn image(&self, id: Option<String>, emit: &mut impl FnMut(Item<'_>)) {
        let part = id.and_then(|id| self.relationships.get(&id));
        if part.is_some_and(|part| is_raster_image(part)) && self.is_visible() {
            emit(Item::Image);
        }
    }

    fn end(&mut self, name: &str, depth: usize, emit: &mut impl FnMut(Item<'_>)) {
        if self.picture.end(name, self.relationships) && self.is_visible() {
            emit(Item::Image);
        }
        match name {
            "p" => {
                emit(Item::Break);
                if std::mem::take(&mut self.is_frame) {
                    emit(Item::Aside(self.is_aside()));
                }
            }
            "t" => self.is_text = false,
            "instrText" => self.fields.end_instruction(),
            "fldSimple" => self.fields.mark(Some("end")),
            "tbl" if self.skipped.is_none() => {
                self.tables.end();
                emit(Item::Aside(self.is_aside()));
            }
            "txbxContent" if self.skipped.is_none() => {
                self.text_boxes = self.text_boxes.saturating_sub(1);
                emit(Item::Aside(self.is_aside()));
            }
            "sdt" if self.controls.last() == Some(&depth) => {
                self.controls.pop();
            }
            _ => {}
        }
    }
}
