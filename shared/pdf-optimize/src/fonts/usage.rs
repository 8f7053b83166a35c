//! Finds the characters shown with each font of a PDF, by following the content of pages, forms, patterns, annotations and
//! Type 3 glyphs.

use std::collections::{BTreeSet, HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};
use pdf::objects::{self, is_a, member, resource};
use pdf::operators::{Operands, for_each_operator};

use crate::display_sizes::{MAX_CONTENT, MAX_DEPTH, appearances};
use crate::lazy_document::LazyDocument;

/// Maximum graphics states and visited contents.
const MAX_STATES: usize = 20_000;

/// The codes shown with each font: one byte each, two bytes with composite fonts.
#[derive(Debug, Default)]
pub(super) struct CharacterUsage {
    characters: HashMap<ObjectId, BTreeSet<u16>>,
}

impl CharacterUsage {
    /// Follows the whole document; `None` if part of it cannot be followed.
    pub(super) fn of(source: &LazyDocument) -> Option<Self> {
        let mut walk = Walk {
            source,
            usage: Self::default(),
            known: HashSet::new(),
            seen: HashSet::new(),
            left: MAX_CONTENT,
        };
        let document = &source.document;
        let mut pages: BTreeSet<ObjectId> = document.get_pages().into_values().collect();
        // Templates can become pages.
        pages.extend(document.objects.iter().filter_map(|(id, object)| {
            let page = object.as_dict().ok()?;
            (page.has_type(b"Page") || page.has_type(b"Template")).then_some(*id)
        }));
        for page in pages {
            walk.page(page)?;
        }
        for (id, object) in &document.objects {
            walk.undrawn(*id, object)?;
        }
        Some(walk.usage)
    }

    /// Returns the codes shown with a font.
    pub(super) fn of_font(&self, font: ObjectId) -> BTreeSet<u16> {
        self.characters.get(&font).cloned().unwrap_or_default()
    }

    fn record(&mut self, document: &Document, font: ObjectId, text: &[u8]) {
        let is_composite = document.get_dictionary(font);
        let is_composite = is_composite.is_ok_and(|font| font.has(b"DescendantFonts"));
        let characters = self.characters.entry(font).or_default();
        if !is_composite {
            characters.extend(text.iter().map(|byte| u16::from(*byte)));
            return;
        }
        characters.extend(text.chunks(2).flat_map(|pair| match pair {
            [high, low] => vec![u16::from_be_bytes([*high, *low])],
            // Readers differ in how they treat a truncated code.
            [one] => vec![u16::from(*one), u16::from_be_bytes([*one, 0])],
            _ => Vec::new(),
        }));
    }
}

/// The font of the graphics state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CurrentFont {
    /// No font selected.
    Unset,
    /// A font that is a direct object.
    Other,
    Font(ObjectId),
}

struct Walk<'a> {
    source: &'a LazyDocument,
    usage: CharacterUsage,
    /// Contents already followed, with the initial font and the surrounding resources.
    known: HashSet<(ObjectId, CurrentFont, Option<*const Dictionary>)>,
    /// All contents already followed.
    seen: HashSet<ObjectId>,
    /// Remaining content bytes to follow.
    left: usize,
}

impl<'a> Walk<'a> {
    fn page(&mut self, id: ObjectId) -> Option<()> {
        let document = &self.source.document;
        let page = document.get_dictionary(id).ok()?;
        let content = self.source.content_of_page(id)?;
        let resources = objects::resources(document, page);
        self.content(&content, resources, CurrentFont::Unset, 0)?;
        let annotations = page
            .get_deref(b"Annots", document)
            .and_then(Object::as_array);
        for annotation in annotations.into_iter().flatten() {
            let annotation = document.dereference(annotation).ok();
            let annotation = annotation.and_then(|(_, object)| object.as_dict().ok());
            let appearances = annotation.map(|annotation| appearances(document, annotation));
            for appearance in appearances.into_iter().flatten() {
                self.form(appearance, resources, CurrentFont::Unset, 1)?;
            }
        }
        Some(())
    }

    /// Follows content that no page draws, because it may be drawn later.
    fn undrawn(&mut self, id: ObjectId, object: &'a Object) -> Option<()> {
        let is_content =
            |stream: &Stream| is_a(&stream.dict, b"Form") || stream.dict.has(b"PatternType");
        match object {
            Object::Stream(stream) if is_content(stream) && !self.seen.contains(&id) => {
                self.form((id, stream), None, CurrentFont::Unset, 1)
            }
            Object::Dictionary(font) if is_a(font, b"Type3") => self.type3_glyphs(id, None, 1),
            _ => Some(()),
        }
    }

    fn content(
        &mut self,
        content: &[u8],
        resources: Option<&'a Dictionary>,
        font: CurrentFont,
        depth: u32,
    ) -> Option<()> {
        self.left = self.left.checked_sub(content.len())?;
        let mut fonts = vec![font];
        for_each_operator(content, |operator, operands| {
            let font = fonts.last().copied().unwrap_or(CurrentFont::Unset);
            match operator {
                b"q" => fonts.push(font),
                b"Q" if fonts.len() > 1 => {
                    fonts.pop();
                }
                b"Tf" | b"gs" => {
                    let selected_font = self.selected_font(operator, operands, resources, depth)?;
                    if let (Some(selected_font), Some(last)) = (selected_font, fonts.last_mut()) {
                        *last = selected_font;
                    }
                    self.soft_mask(operator, operands, (resources, font), depth)?;
                }
                b"Do" => {
                    let name = operands.name.as_ref()?;
                    // Readers may look up missing resources in those of the page.
                    member(&self.source.document, resources?, b"XObject")?
                        .get(name)
                        .ok()?;
                    if let Some((id, form)) =
                        resource(&self.source.document, resources, b"XObject", name)
                        && !is_a(&form.dict, b"Image")
                    {
                        self.form((id, form), resources, font, depth + 1)?;
                    }
                }
                b"Tj" | b"TJ" | b"'" | b"\"" => self.show(font, operands, depth)?,
                _ => {}
            }
            (fonts.len() <= MAX_STATES).then_some(())
        })?;
        let patterns =
            resources.and_then(|resources| member(&self.source.document, resources, b"Pattern"));
        for (name, _) in patterns.into_iter().flatten() {
            if let Some(pattern) = resource(&self.source.document, resources, b"Pattern", name) {
                self.form(pattern, resources, CurrentFont::Unset, depth + 1)?;
            }
        }
        Some(())
    }

    /// Records shown strings; nested content must select its own font.
    fn show(&mut self, font: CurrentFont, operands: &Operands, depth: u32) -> Option<()> {
        match font {
            CurrentFont::Unset if depth > 0 => None,
            CurrentFont::Unset | CurrentFont::Other => Some(()),
            CurrentFont::Font(font) => {
                for string in &operands.strings {
                    self.usage.record(&self.source.document, font, string);
                }
                Some(())
            }
        }
    }

    /// Returns the font that an operator selects, if any; `None` if it is missing from the resources, because readers may then
    /// look it up in those of the page.
    fn selected_font(
        &mut self,
        operator: &[u8],
        operands: &Operands,
        resources: Option<&'a Dictionary>,
        depth: u32,
    ) -> Option<Option<CurrentFont>> {
        let document = &self.source.document;
        let name = operands.name.as_ref()?;
        let among = |kind: &[u8]| member(document, resources?, kind)?.get(name).ok();
        let font = match operator {
            b"Tf" => Some(among(b"Font")?),
            _ => {
                let state = document.dereference(among(b"ExtGState")?).ok();
                let state = state.and_then(|(_, state)| state.as_dict().ok());
                let font = state.and_then(|state| state.get_deref(b"Font", document).ok());
                match font.map(Object::as_array) {
                    None => return Some(None),
                    Some(font) => font.ok().and_then(|font| font.first()),
                }
            }
        };
        match font.and_then(|font| font.as_reference().ok()) {
            None => Some(Some(CurrentFont::Other)),
            Some(id) => {
                self.type3_glyphs(id, resources, depth)?;
                Some(Some(CurrentFont::Font(id)))
            }
        }
    }

    fn soft_mask(
        &mut self,
        operator: &[u8],
        operands: &Operands,
        (resources, font): (Option<&'a Dictionary>, CurrentFont),
        depth: u32,
    ) -> Option<()> {
        let document = &self.source.document;
        let group = || {
            let states = member(document, resources?, b"ExtGState")?;
            let state = member(document, states, operands.name.as_ref()?)?;
            let group = member(document, state, b"SMask")?.get(b"G").ok()?;
            let id = group.as_reference().ok()?;
            Some((id, document.get_object(id).ok()?.as_stream().ok()?))
        };
        match group().filter(|_| operator == b"gs") {
            Some(group) => self.form(group, resources, font, depth + 1),
            None => Some(()),
        }
    }

    /// Follows the glyph procedures of a Type 3 font.
    fn type3_glyphs(
        &mut self,
        id: ObjectId,
        around: Option<&'a Dictionary>,
        depth: u32,
    ) -> Option<()> {
        let document = &self.source.document;
        let Ok(font) = document.get_dictionary(id) else {
            return Some(());
        };
        if !is_a(font, b"Type3") {
            return Some(());
        }
        let resources = member(document, font, b"Resources").or(around);
        let glyphs = member(document, font, b"CharProcs");
        for (name, _) in glyphs.into_iter().flatten() {
            if let Some(glyph) = resource(&self.source.document, Some(font), b"CharProcs", name) {
                self.form(glyph, resources, CurrentFont::Unset, depth + 1)?;
            }
        }
        Some(())
    }

    fn form(
        &mut self,
        (id, form): (ObjectId, &'a Stream),
        around: Option<&'a Dictionary>,
        font: CurrentFont,
        depth: u32,
    ) -> Option<()> {
        let document = &self.source.document;
        let own = member(document, &form.dict, b"Resources");
        let resources = own.or(around);
        let key = (id, font, resources.map(std::ptr::from_ref));
        if !self.known.insert(key) {
            return Some(());
        }
        if depth > MAX_DEPTH || self.known.len() > MAX_STATES {
            return None;
        }
        self.seen.insert(id);
        let content = self.source.decoded(form)?;
        self.content(&content, resources, font, depth)
    }
}
