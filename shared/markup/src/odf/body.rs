//! Blocks of OpenDocument text: of a page, a cell, a text box or a note.

pub(super) mod frame;
pub(super) mod inline;
mod table;

use std::collections::HashMap;

use layout::{Alignment, Block};

use self::inline::Open;
use super::lists::Lists;
use super::styles::{Style, Styles};
use crate::error::Outcome;
use crate::flow::{Flow, Marker, Role};
use crate::ladder::Ladder;
use crate::package::Package;
use crate::warning::Loss;
use crate::xml::Element;

/// A document that is being read.
pub(super) struct Body {
    pub(super) package: Package,
    pub(super) styles: Styles,
    pub(super) lists: Lists,
    /// The items before the paragraph.
    ladder: Ladder,
    /// Whether it is a text, whose pages are not those that are numbered.
    pub(super) is_text: bool,
    /// Those that were referred to, for the foot of the page and for the end.
    pub(super) footnotes: Vec<Block>,
    pub(super) endnotes: Vec<Block>,
    /// The page that each bookmark is on.
    pub(super) bookmarks: HashMap<String, usize>,
    /// The pages that are done; `None` where there are none but sheets or slides.
    pub(super) pages: Option<Vec<Torn>>,
    /// How many cells, text boxes and notes are open.
    nested: usize,
}

/// A page without what is told by its kind.
#[derive(Default)]
pub(super) struct Torn {
    pub(super) blocks: Vec<Block>,
    pub(super) notes: Vec<Block>,
    /// The kind of the page behind it, where that is said.
    pub(super) next: Option<String>,
}

/// Where an item is in its list.
#[derive(Clone, Debug, Default)]
struct Place {
    list: Option<String>,
    level: usize,
}

impl Body {
    pub(super) fn new(package: Package, styles: Styles, lists: Lists) -> Self {
        Self {
            package,
            styles,
            lists,
            ladder: Ladder::default(),
            is_text: false,
            footnotes: Vec::new(),
            endnotes: Vec::new(),
            bookmarks: HashMap::new(),
            pages: None,
            nested: 0,
        }
    }

    /// The blocks in a cell, a text box or a note.
    pub(super) fn nested(&mut self, element: &Element) -> Outcome<Vec<Block>> {
        self.nested += 1;
        let ladder = std::mem::take(&mut self.ladder);
        let mut flow = Flow::default();
        let read = self.blocks(element, &mut flow);
        self.ladder = ladder;
        self.nested -= 1;
        read.map(|()| flow.into_blocks())
    }

    /// Reads the blocks in an element.
    pub(super) fn blocks(&mut self, element: &Element, flow: &mut Flow) -> Outcome {
        element
            .elements()
            .try_for_each(|inner| self.block(inner, flow))
    }

    /// Reads a block.
    pub(super) fn block(&mut self, element: &Element, flow: &mut Flow) -> Outcome {
        match element.name() {
            "text:p" | "text:h" => self.paragraph(element, None, flow),
            "text:list" => self.list(element, &Place::default(), flow),
            "table:table" => self.table(element, flow),
            "text:section" if is_hidden(element) => {
                self.package.losses.add(Loss::Hidden);
                Ok(())
            }
            "text:section"
            | "text:numbered-paragraph"
            | "text:index-body"
            | "text:index-title"
            | "text:table-of-content"
            | "text:illustration-index"
            | "text:table-index"
            | "text:object-index"
            | "text:user-index"
            | "text:alphabetical-index"
            | "text:bibliography" => self.blocks(element, flow),
            name if name.starts_with("draw:") => {
                let blocks = frame::read(self, element)?;
                flow.extend(blocks);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The page that is being read, from 0.
    pub(super) fn page(&self) -> usize {
        self.pages.as_ref().map_or(0, Vec::len)
    }

    /// Whether what is read stands on a page that may end here.
    pub(super) fn may_break(&self) -> bool {
        self.nested == 0 && self.pages.is_some()
    }

    /// Ends a page; `next` is the kind of the one behind it, where that is said.
    pub(super) fn break_page(&mut self, next: Option<String>, flow: &mut Flow) {
        let notes = std::mem::take(&mut self.footnotes);
        let blocks = std::mem::take(flow).into_blocks();
        if let Some(pages) = &mut self.pages {
            pages.push(Torn {
                blocks,
                notes,
                next,
            });
            self.package.losses.page = pages.len() as u32 + 1;
        }
    }

    fn table(&mut self, element: &Element, flow: &mut Flow) -> Outcome {
        let style = self.styles.get("table", element.get("table:style-name"));
        self.break_before(&style, flow);
        let table = table::read(self, element)?;
        table.into_iter().for_each(|table| flow.table(table));
        Ok(())
    }

    fn break_before(&mut self, style: &Style, flow: &mut Flow) {
        if !self.may_break() || !(style.breaks_before || style.master.is_some()) {
            return;
        }
        let is_first = flow.is_empty() && self.page() == 0;
        self.break_page(style.master.clone(), flow);
        if is_first && let Some([first, ..]) = self.pages.as_deref_mut() {
            first.blocks.clear();
        }
    }

    fn paragraph(
        &mut self,
        element: &Element,
        place: Option<(&Place, Option<u32>)>,
        flow: &mut Flow,
    ) -> Outcome {
        let style = self.styles.get("paragraph", element.get("text:style-name"));
        self.break_before(&style, flow);
        let marker = place
            .filter(|_| style.numbered != Some(false))
            .and_then(|(place, start)| self.marker(place, &style, start));
        let mut look = style.look.clone();
        if style.is_code {
            look.monospaced = Some(true);
        }
        let mut open = Open::new(look);
        let role = match (element.is("text:h"), marker) {
            (true, marker) => {
                let level = element
                    .number::<usize>("text:outline-level")
                    .unwrap_or(1)
                    .clamp(1, 10);
                let number = match marker {
                    Some(marker) => Some(marker.text),
                    None => self.lists.title(level),
                };
                open.text(&number.map(|number| number + " ").unwrap_or_default());
                Role::Heading(level as u8)
            }
            (false, Some(marker)) => Role::Item(marker),
            (false, None) if style.is_code => Role::CodeLine,
            (false, None) => style.outline.map_or(Role::Body, Role::Heading),
        };
        if !matches!(role, Role::Item(_)) && !element.children().is_empty() {
            self.ladder = Ladder::default();
        }
        inline::read(self, element, &mut open)?;
        let (line, beside) = open.done();
        flow.quoted = style.quoted.unwrap_or(0);
        flow.paragraph(role, style.alignment.unwrap_or_default(), line);
        flow.extend(beside);
        flow.quoted = 0;
        if style.breaks_after && self.may_break() {
            self.break_page(None, flow);
        }
        Ok(())
    }

    /// What stands before a paragraph of a list. Lists of their own are nested by how far they are indented.
    fn marker(&mut self, place: &Place, style: &Style, start: Option<u32>) -> Option<Marker> {
        let list = place.list.clone().or_else(|| style.list.clone())?;
        let marker = self.lists.next(&list, place.level, start)?;
        let indent = self.lists.indent(&list, place.level);
        let level = self.ladder.level(&list, marker.level, indent);
        Some(Marker { level, ..marker })
    }

    fn list(&mut self, element: &Element, outer: &Place, flow: &mut Flow) -> Outcome {
        let place = Place {
            list: element
                .get("text:style-name")
                .map(str::to_owned)
                .or_else(|| outer.list.clone()),
            level: outer.level,
        };
        let goes_on = element.get("text:continue-numbering") == Some("true")
            || element.get("text:continue-list").is_some();
        let is_new = outer.level == 0 || place.list != outer.list;
        if let Some(list) = place.list.as_deref().filter(|_| !goes_on && is_new) {
            self.lists.restart(list);
        }
        for item in element.elements() {
            match item.name() {
                "text:list-item" => self.item(item, &place, flow)?,
                "text:list-header" => self.blocks(item, flow)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// An item: its first paragraph has the marker, those behind it go on with it.
    fn item(&mut self, item: &Element, place: &Place, flow: &mut Flow) -> Outcome {
        let mut start = Some(item.number("text:start-value"));
        for inner in item.elements() {
            match inner.name() {
                "text:list" => {
                    let below = Place {
                        level: place.level + 1,
                        ..place.clone()
                    };
                    self.list(inner, &below, flow)?;
                }
                "text:p" | "text:h" => match start.take() {
                    Some(start) => self.paragraph(inner, Some((place, start)), flow)?,
                    None => self.further(inner, flow)?,
                },
                _ => self.block(inner, flow)?,
            }
        }
        Ok(())
    }

    fn further(&mut self, element: &Element, flow: &mut Flow) -> Outcome {
        let style = self.styles.get("paragraph", element.get("text:style-name"));
        let mut open = Open::new(style.look);
        inline::read(self, element, &mut open)?;
        let (line, beside) = open.done();
        flow.go_on_with_item(Alignment::Start, line);
        flow.extend(beside);
        Ok(())
    }
}

fn is_hidden(section: &Element) -> bool {
    section.get("text:display") == Some("none") || section.get("text:is-hidden") == Some("true")
}
