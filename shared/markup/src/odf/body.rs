//! Reads blocks of text: of a page, cell, text box or note.

pub(super) mod frame;
pub(super) mod inline;
mod table;

use std::collections::HashMap;

use layout::{Alignment, Block};

use self::inline::Open;
use super::lists::Lists;
use super::number_styles::NumberFormats;
use super::styles::{Style, Styles};
use crate::error::Result;
use crate::flow::{Flow, Marker, Role};
use crate::list_nesting::ListNesting;
use crate::package::Package;
use crate::warning::Loss;
use crate::xml::Element;

/// A document that is being read.
pub(super) struct Body {
    pub(super) package: Package,
    pub(super) styles: Styles,
    pub(super) lists: Lists,
    /// The number formats of cells, by name.
    pub(super) number_formats: NumberFormats,
    /// The list items above the current paragraph.
    list_nesting: ListNesting,
    /// Whether it is a text document, whose page numbers are not preserved.
    pub(super) is_text: bool,
    /// Whether it is a presentation.
    pub(super) is_slides: bool,
    /// Referenced footnotes of the page, and endnotes.
    pub(super) footnotes: Vec<Block>,
    pub(super) endnotes: Vec<Block>,
    /// The page of each bookmark.
    pub(super) bookmarks: HashMap<String, usize>,
    /// Finished pages; `None` in spreadsheets and presentations.
    pub(super) pages: Option<Vec<PageBlocks>>,
    /// Nesting depth in cells, text boxes and notes.
    nested: usize,
}

/// A page without the properties of its master page.
#[derive(Default)]
pub(super) struct PageBlocks {
    pub(super) blocks: Vec<Block>,
    pub(super) notes: Vec<Block>,
    /// Explicit master page of the next page.
    pub(super) next: Option<String>,
}

/// The position of an item in its list.
#[derive(Clone, Debug, Default)]
struct ListPosition {
    list: Option<String>,
    level: usize,
}

impl Body {
    pub(super) fn new(package: Package, styles: Styles, lists: Lists) -> Self {
        Self {
            package,
            styles,
            lists,
            number_formats: NumberFormats::default(),
            list_nesting: ListNesting::default(),
            is_text: false,
            is_slides: false,
            footnotes: Vec::new(),
            endnotes: Vec::new(),
            bookmarks: HashMap::new(),
            pages: None,
            nested: 0,
        }
    }

    /// Reads the blocks of a cell, text box or note.
    pub(super) fn nested(&mut self, element: &Element) -> Result<Vec<Block>> {
        self.nested += 1;
        let list_nesting = std::mem::take(&mut self.list_nesting);
        let mut flow = Flow::default();
        let read = self.blocks(element, &mut flow);
        self.list_nesting = list_nesting;
        self.nested -= 1;
        read.map(|()| flow.into_blocks())
    }

    /// Reads the blocks in an element.
    pub(super) fn blocks(&mut self, element: &Element, flow: &mut Flow) -> Result {
        element
            .elements()
            .try_for_each(|inner| self.block(inner, flow))
    }

    /// Reads a block.
    pub(super) fn block(&mut self, element: &Element, flow: &mut Flow) -> Result {
        match element.name() {
            "text:p" | "text:h" => self.paragraph(element, None, flow),
            "text:list" => self.list(element, &ListPosition::default(), flow),
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

    /// Returns the index of the current page.
    pub(super) fn page(&self) -> usize {
        self.pages.as_ref().map_or(0, Vec::len)
    }

    /// Records the page of a place in a text that links lead to by its name and kind.
    pub(super) fn mark(&mut self, name: &str, kind: &str) {
        let page = self.page();
        if self.is_text {
            let place = format!("{name}{kind}");
            self.bookmarks.entry(place).or_insert(page);
        }
    }

    /// Whether a page break is possible at the current position.
    pub(super) fn may_break(&self) -> bool {
        self.nested == 0 && self.pages.is_some()
    }

    /// Ends a page; `next` is the explicit master page of the next one.
    pub(super) fn break_page(&mut self, next: Option<String>, flow: &mut Flow) {
        let notes = std::mem::take(&mut self.footnotes);
        let blocks = std::mem::take(flow).into_blocks();
        if let Some(pages) = &mut self.pages {
            pages.push(PageBlocks {
                blocks,
                notes,
                next,
            });
            self.package.losses.page = pages.len() as u32 + 1;
        }
    }

    fn table(&mut self, element: &Element, flow: &mut Flow) -> Result {
        let style = self.styles.get("table", element.get("table:style-name"));
        self.break_before(&style, flow);
        self.mark(element.get("table:name").unwrap_or_default(), "|table");
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
        place: Option<(&ListPosition, Option<u32>)>,
        flow: &mut Flow,
    ) -> Result {
        let style = self.styles.get("paragraph", element.get("text:style-name"));
        self.break_before(&style, flow);
        let marker = place
            .filter(|_| style.numbered != Some(false))
            .and_then(|(place, start)| self.marker(place, &style, start));
        let mut text_style = style.text_style.clone();
        if style.is_code {
            text_style.monospaced = Some(true);
        }
        let mut open = Open::new(text_style);
        if element.is("text:h") {
            self.mark(element.text().trim(), "|outline");
        }
        let role = match (element.is("text:h"), marker) {
            (true, marker) => {
                let level = element
                    .number::<usize>("text:outline-level")
                    .unwrap_or(1)
                    .clamp(1, 10);
                let number = match marker {
                    Some(marker) => Some(marker.text),
                    None => self.lists.heading(level),
                };
                open.text(&number.map(|number| number + " ").unwrap_or_default());
                Role::Heading(level as u8)
            }
            (false, Some(marker)) => Role::Item(marker),
            (false, None) if style.is_code => Role::CodeLine,
            (false, None) => style.outline.map_or(Role::Body, Role::Heading),
        };
        if !matches!(role, Role::Item(_)) && !element.children().is_empty() {
            self.list_nesting = ListNesting::default();
        }
        inline::read(self, element, &mut open)?;
        let (line, attached) = open.finish();
        flow.quote_depth = style.quote_depth.unwrap_or(0);
        flow.paragraph(role, style.alignment.unwrap_or_default(), line);
        flow.extend(attached);
        flow.quote_depth = 0;
        if style.breaks_after && self.may_break() {
            self.break_page(None, flow);
        }
        Ok(())
    }

    /// Returns the marker of a list paragraph. Separate lists are nested by indent.
    fn marker(
        &mut self,
        place: &ListPosition,
        style: &Style,
        start: Option<u32>,
    ) -> Option<Marker> {
        let list = place.list.clone().or_else(|| style.list.clone())?;
        let marker = self.lists.next(&list, place.level, start)?;
        let indent = self.lists.indent(&list, place.level);
        let level = self.list_nesting.level(&list, marker.level, indent);
        Some(Marker { level, ..marker })
    }

    fn list(&mut self, element: &Element, outer: &ListPosition, flow: &mut Flow) -> Result {
        let place = ListPosition {
            list: element
                .get("text:style-name")
                .map(str::to_owned)
                .or_else(|| outer.list.clone()),
            level: outer.level,
        };
        let continues = element.get("text:continue-numbering") == Some("true")
            || element.get("text:continue-list").is_some();
        let is_new = outer.level == 0 || place.list != outer.list;
        if let Some(list) = place.list.as_deref().filter(|_| !continues && is_new) {
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

    /// Reads an item: the first paragraph gets the marker, the others continue it.
    fn item(&mut self, item: &Element, place: &ListPosition, flow: &mut Flow) -> Result {
        let mut start = Some(item.number("text:start-value"));
        for inner in item.elements() {
            match inner.name() {
                "text:list" => {
                    let below = ListPosition {
                        level: place.level + 1,
                        ..place.clone()
                    };
                    self.list(inner, &below, flow)?;
                }
                "text:p" | "text:h" => match start.take() {
                    Some(start) => self.paragraph(inner, Some((place, start)), flow)?,
                    None => self.continue_item(inner, flow)?,
                },
                _ => self.block(inner, flow)?,
            }
        }
        Ok(())
    }

    fn continue_item(&mut self, element: &Element, flow: &mut Flow) -> Result {
        let style = self.styles.get("paragraph", element.get("text:style-name"));
        let mut open = Open::new(style.text_style);
        inline::read(self, element, &mut open)?;
        let (line, attached) = open.finish();
        flow.continue_item(Alignment::Start, line);
        flow.extend(attached);
        Ok(())
    }
}

fn is_hidden(section: &Element) -> bool {
    section.get("text:display") == Some("none") || section.get("text:is-hidden") == Some("true")
}
