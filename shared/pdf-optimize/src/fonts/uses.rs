//! What is written with each font of a PDF: the content of pages, forms, patterns, annotations and of fonts whose glyphs are
//! content themselves is followed.

use std::collections::{BTreeSet, HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};
use pdf::objects::{self, is_a, member, resource};

use crate::content::{Operands, operators};
use crate::plain::Plain;
use crate::sizes::{CONTENT, DEPTH, appearances};

/// Most states of drawing that are remembered.
const STATES: usize = 20_000;

/// The numbers of characters that are written with each font: of a byte, or of two with composite fonts.
#[derive(Debug, Default)]
pub(super) struct Uses {
    characters: HashMap<ObjectId, BTreeSet<u16>>,
}

impl Uses {
    /// Follows the whole document; `None` where a part of it cannot be followed, so that nothing is known.
    pub(super) fn of(plain: &Plain) -> Option<Self> {
        let mut walk = Walk {
            plain,
            uses: Self::default(),
            known: HashSet::new(),
            seen: HashSet::new(),
            left: CONTENT,
        };
        let document = &plain.document;
        let mut pages: BTreeSet<ObjectId> = document.get_pages().into_values().collect();
        // Templates become pages, too.
        pages.extend(document.objects.iter().filter_map(|(id, object)| {
            let page = object.as_dict().ok()?;
            (page.has_type(b"Page") || page.has_type(b"Template")).then_some(*id)
        }));
        for page in pages {
            walk.page(page)?;
        }
        for (id, object) in &document.objects {
            walk.unseen(*id, object)?;
        }
        Some(walk.uses)
    }

    /// What is written with a font.
    pub(super) fn of_font(&self, font: ObjectId) -> BTreeSet<u16> {
        self.characters.get(&font).cloned().unwrap_or_default()
    }

    fn note(&mut self, document: &Document, font: ObjectId, text: &[u8]) {
        let is_composite = document.get_dictionary(font);
        let is_composite = is_composite.is_ok_and(|font| font.has(b"DescendantFonts"));
        let characters = self.characters.entry(font).or_default();
        if !is_composite {
            characters.extend(text.iter().map(|byte| u16::from(*byte)));
            return;
        }
        characters.extend(text.chunks(2).flat_map(|pair| match pair {
            [high, low] => vec![u16::from_be_bytes([*high, *low])],
            // Readers differ about what is cut off.
            [one] => vec![u16::from(*one), u16::from_be_bytes([*one, 0])],
            _ => Vec::new(),
        }));
    }
}

/// The font that is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Current {
    /// None was chosen.
    Unset,
    /// One that is no object of its own.
    Other,
    Font(ObjectId),
}

struct Walk<'a> {
    plain: &'a Plain,
    uses: Uses,
    /// Contents that were followed: with this font at first, and these resources around them.
    known: HashSet<(ObjectId, Current, Option<*const Dictionary>)>,
    /// All contents that were followed.
    seen: HashSet<ObjectId>,
    /// Bytes of content that may be followed yet.
    left: usize,
}

impl<'a> Walk<'a> {
    fn page(&mut self, id: ObjectId) -> Option<()> {
        let document = &self.plain.document;
        let page = document.get_dictionary(id).ok()?;
        let content = self.plain.content_of_page(id)?;
        let resources = objects::resources(document, page);
        self.content(&content, resources, Current::Unset, 0)?;
        let annotations = page
            .get_deref(b"Annots", document)
            .and_then(Object::as_array);
        for annotation in annotations.into_iter().flatten() {
            let annotation = document.dereference(annotation).ok();
            let annotation = annotation.and_then(|(_, object)| object.as_dict().ok());
            let appearances = annotation.map(|annotation| appearances(document, annotation));
            for appearance in appearances.into_iter().flatten() {
                self.form(appearance, resources, Current::Unset, 1)?;
            }
        }
        Some(())
    }

    /// What no page draws may be drawn yet.
    fn unseen(&mut self, id: ObjectId, object: &'a Object) -> Option<()> {
        let is_content =
            |stream: &Stream| is_a(&stream.dict, b"Form") || stream.dict.has(b"PatternType");
        match object {
            Object::Stream(stream) if is_content(stream) && !self.seen.contains(&id) => {
                self.form((id, stream), None, Current::Unset, 1)
            }
            Object::Dictionary(font) if is_a(font, b"Type3") => self.letters(id, None, 1),
            _ => Some(()),
        }
    }

    fn content(
        &mut self,
        content: &[u8],
        resources: Option<&'a Dictionary>,
        font: Current,
        depth: u32,
    ) -> Option<()> {
        self.left = self.left.checked_sub(content.len())?;
        let mut fonts = vec![font];
        operators(content, |operator, operands| {
            let font = fonts.last().copied().unwrap_or(Current::Unset);
            match operator {
                b"q" => fonts.push(font),
                b"Q" if fonts.len() > 1 => {
                    fonts.pop();
                }
                b"Tf" | b"gs" => {
                    let chosen = self.chosen(operator, operands, resources, depth)?;
                    if let (Some(chosen), Some(last)) = (chosen, fonts.last_mut()) {
                        *last = chosen;
                    }
                    self.soft_mask(operator, operands, (resources, font), depth)?;
                }
                b"Do" => {
                    let name = operands.name.as_ref()?;
                    // Readers look for what is missing among the resources of the page.
                    member(&self.plain.document, resources?, b"XObject")?
                        .get(name)
                        .ok()?;
                    if let Some((id, form)) =
                        resource(&self.plain.document, resources, b"XObject", name)
                        && !is_a(&form.dict, b"Image")
                    {
                        self.form((id, form), resources, font, depth + 1)?;
                    }
                }
                b"Tj" | b"TJ" | b"'" | b"\"" => self.write(font, operands, depth)?,
                _ => {}
            }
            (fonts.len() <= STATES).then_some(())
        })?;
        let patterns =
            resources.and_then(|resources| member(&self.plain.document, resources, b"Pattern"));
        for (name, _) in patterns.into_iter().flatten() {
            if let Some(pattern) = resource(&self.plain.document, resources, b"Pattern", name) {
                self.form(pattern, resources, Current::Unset, depth + 1)?;
            }
        }
        Some(())
    }

    /// Notes what is written; content within other content has to say with which font.
    fn write(&mut self, font: Current, operands: &Operands, depth: u32) -> Option<()> {
        match font {
            Current::Unset if depth > 0 => None,
            Current::Unset | Current::Other => Some(()),
            Current::Font(font) => {
                for text in &operands.texts {
                    self.uses.note(&self.plain.document, font, text);
                }
                Some(())
            }
        }
    }

    /// The font that an operator chooses, if it does; `None` where it is not among the resources, since readers look for it
    /// among those of the page then.
    fn chosen(
        &mut self,
        operator: &[u8],
        operands: &Operands,
        resources: Option<&'a Dictionary>,
        depth: u32,
    ) -> Option<Option<Current>> {
        let document = &self.plain.document;
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
            None => Some(Some(Current::Other)),
            Some(id) => {
                self.letters(id, resources, depth)?;
                Some(Some(Current::Font(id)))
            }
        }
    }

    fn soft_mask(
        &mut self,
        operator: &[u8],
        operands: &Operands,
        (resources, font): (Option<&'a Dictionary>, Current),
        depth: u32,
    ) -> Option<()> {
        let document = &self.plain.document;
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

    /// Follows the glyphs of a font, where they are content.
    fn letters(&mut self, id: ObjectId, around: Option<&'a Dictionary>, depth: u32) -> Option<()> {
        let document = &self.plain.document;
        let Ok(font) = document.get_dictionary(id) else {
            return Some(());
        };
        if !is_a(font, b"Type3") {
            return Some(());
        }
        let resources = member(document, font, b"Resources").or(around);
        let glyphs = member(document, font, b"CharProcs");
        for (name, _) in glyphs.into_iter().flatten() {
            if let Some(glyph) = resource(&self.plain.document, Some(font), b"CharProcs", name) {
                self.form(glyph, resources, Current::Unset, depth + 1)?;
            }
        }
        Some(())
    }

    fn form(
        &mut self,
        (id, form): (ObjectId, &'a Stream),
        around: Option<&'a Dictionary>,
        font: Current,
        depth: u32,
    ) -> Option<()> {
        let document = &self.plain.document;
        let own = member(document, &form.dict, b"Resources");
        let resources = own.or(around);
        let key = (id, font, resources.map(std::ptr::from_ref));
        if !self.known.insert(key) {
            return Some(());
        }
        if depth > DEPTH || self.known.len() > STATES {
            return None;
        }
        self.seen.insert(id);
        let content = self.plain.decoded(form)?;
        self.content(&content, resources, font, depth)
    }
}
