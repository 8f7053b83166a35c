//! Structure elements → a plan of blocks, with the assignment of marked content.

mod items;
mod rows;

use std::collections::HashMap;

use crate::model::block::Alignment;
use crate::model::structure::{Element, Role, StructureChild};

/// Maximum nesting depth of elements.
const DEPTH: usize = 96;

/// The plan of a page. Leaves are separate texts, numbered from 1.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) parts: Vec<Part>,
    /// Number of leaves.
    pub(super) leaves: usize,
    /// Leaf of each marked-content identifier, and the position in it.
    pub(super) contents: HashMap<u32, (usize, usize)>,
    /// Replacement texts with their marked content.
    pub(super) actual: Vec<(String, Vec<u32>)>,
}

/// The plan of a block.
#[derive(Debug)]
pub(super) enum Part {
    Text(Text),
    List(Vec<Entry>),
    Table(Rows),
    Figure {
        leaf: usize,
        contents: Vec<u32>,
        alternative: Option<String>,
    },
    Note {
        label: Option<usize>,
        parts: Vec<Part>,
    },
}

/// A paragraph or heading.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) leaf: usize,
    pub(super) heading: Option<u8>,
    pub(super) alignment: Option<Alignment>,
    /// Whether it continues from the previous page.
    pub(super) continues: bool,
    /// Whether it is not a declared paragraph: content of a group, or inline content.
    pub(super) is_loose: bool,
}

/// A list item, and other content between it and the next one.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) level: u8,
    pub(super) label: Option<usize>,
    pub(super) texts: Vec<usize>,
    pub(super) others: Vec<Part>,
}

/// A table.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// Whether it continues from the previous page.
    pub(super) continues: bool,
}

/// A table row.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Whether it is a declared header row.
    pub(super) is_head: bool,
    pub(super) cells: Vec<Cell>,
}

/// A table cell.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) is_head: bool,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
    pub(super) parts: Vec<Part>,
}

impl Plan {
    /// Creates the plan of these elements; `None` if they are nested too deeply.
    pub(super) fn of(structure: &[Element]) -> Option<Self> {
        let mut planner = Planner::default();
        let mut parts = Vec::new();
        for element in structure {
            planner.block(element, Around::default(), &mut parts)?;
        }
        Some(Self {
            parts,
            ..planner.plan
        })
    }
}

impl Plan {
    /// Whether the page begins within a table row.
    pub(super) fn begins_in_row(&self) -> bool {
        let Some(Part::Table(rows)) = self.parts.first() else {
            return false;
        };
        let cells = rows
            .rows
            .first()
            .map(|row| row.cells.as_slice())
            .unwrap_or_default();
        let mut parts = cells.iter().flat_map(|cell| &cell.parts);
        rows.continues && parts.any(|part| matches!(part, Part::Text(text) if text.continues))
    }
}

/// The context of an element.
#[derive(Clone, Copy, Default)]
struct Around {
    depth: usize,
    sections: u8,
}

impl Around {
    fn deeper(self) -> Option<Self> {
        (self.depth < DEPTH).then_some(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

/// Text that is being collected, with the blocks inside it.
#[derive(Default)]
struct Flow {
    leaf: usize,
    has_content: bool,
    before: Vec<Part>,
    after: Vec<Part>,
}

#[derive(Default)]
struct Planner {
    plan: Plan,
    position: usize,
}

impl Planner {
    /// Adds the blocks of an element.
    fn block(&mut self, element: &Element, around: Around, parts: &mut Vec<Part>) -> Option<()> {
        let around = around.deeper()?;
        self.note_actual(element);
        match element.role {
            Role::Section => {
                let sections = around.sections.saturating_add(1);
                self.group(&element.kids, Around { sections, ..around }, parts)
            }
            Role::Heading(level) => {
                let level = level.unwrap_or(around.sections).clamp(1, 6);
                self.text(element, Some(level), around, parts)
            }
            Role::Paragraph | Role::Inline => self.text(element, None, around, parts),
            Role::Other if !has_blocks(element) => self.text(element, None, around, parts),
            Role::List => {
                let mut entries = Vec::new();
                self.list(element, 0, around, &mut entries)?;
                parts.push(Part::List(entries));
                Some(())
            }
            Role::Table => self.table(element, around, parts),
            Role::Figure => self.figure(element, around, parts),
            Role::Note => self.footnote(element, around, parts),
            Role::Artifact => {
                contents(element)
                    .into_iter()
                    .for_each(|id| self.assign(id, 0));
                Some(())
            }
            Role::Group
            | Role::Other
            | Role::Item
            | Role::Label
            | Role::Body
            | Role::Head
            | Role::Row
            | Role::HeaderCell
            | Role::Cell => self.group(&element.kids, around, parts),
        }
    }

    /// Adds the content of a group; its direct text becomes a paragraph.
    fn group(
        &mut self,
        kids: &[StructureChild],
        around: Around,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let mut flow = Flow::default();
        for kid in kids {
            match kid {
                StructureChild::Element(inner) if !is_inline(inner) => {
                    close(std::mem::take(&mut flow), parts);
                    self.block(inner, around, parts)?;
                }
                kid => self.flow(kid, around, &mut flow)?,
            }
        }
        close(flow, parts);
        Some(())
    }

    fn text(
        &mut self,
        element: &Element,
        heading: Option<u8>,
        around: Around,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let mut flow = Flow::default();
        for kid in &element.kids {
            self.flow(kid, around, &mut flow)?;
        }
        parts.append(&mut flow.before);
        if flow.has_content {
            parts.push(Part::Text(Text {
                leaf: flow.leaf,
                heading,
                alignment: element.alignment,
                continues: begins_elsewhere(element),
                is_loose: !matches!(element.role, Role::Paragraph | Role::Heading(_)),
            }));
        }
        parts.append(&mut flow.after);
        Some(())
    }

    /// Adds inline content to a text.
    fn flow(&mut self, kid: &StructureChild, around: Around, flow: &mut Flow) -> Option<()> {
        let around = around.deeper()?;
        match kid {
            StructureChild::Elsewhere => {}
            StructureChild::Content(id) => {
                if flow.leaf == 0 {
                    flow.leaf = self.leaf();
                }
                flow.has_content = true;
                self.assign(*id, flow.leaf);
            }
            StructureChild::Element(inner) => match inner.role {
                Role::Inline
                | Role::Other
                | Role::Label
                | Role::Body
                | Role::Group
                | Role::Section
                    if !has_blocks(inner) =>
                {
                    self.note_actual(inner);
                    for kid in &inner.kids {
                        self.flow(kid, around, flow)?;
                    }
                }
                _ => {
                    let parts = match flow.has_content {
                        true => &mut flow.after,
                        false => &mut flow.before,
                    };
                    self.block(inner, around, parts)?;
                }
            },
        }
        Some(())
    }

    fn figure(&mut self, element: &Element, around: Around, parts: &mut Vec<Part>) -> Option<()> {
        let mut flow = Flow {
            leaf: self.leaf(),
            ..Flow::default()
        };
        let contents = contents(element);
        for kid in &element.kids {
            self.flow(kid, around, &mut flow)?;
        }
        parts.push(Part::Figure {
            leaf: flow.leaf,
            contents,
            alternative: element.alternative.clone(),
        });
        parts.append(&mut flow.before);
        parts.append(&mut flow.after);
        Some(())
    }

    fn footnote(&mut self, element: &Element, around: Around, parts: &mut Vec<Part>) -> Option<()> {
        let mut elements = element.kids.iter().filter_map(|kid| match kid {
            StructureChild::Element(inner) => Some(inner),
            _ => None,
        });
        let label = match elements.find(|inner| inner.role == Role::Label) {
            Some(inner) => Some(self.label(inner, around)?),
            None => None,
        };
        let mut inner = Vec::new();
        self.group(&element.kids, around, &mut inner)?;
        parts.push(Part::Note {
            label,
            parts: inner,
        });
        Some(())
    }

    /// Returns the leaf of a label.
    fn label(&mut self, element: &Element, around: Around) -> Option<usize> {
        self.note_actual(element);
        let leaf = self.leaf();
        let mut flow = Flow {
            leaf,
            ..Flow::default()
        };
        for kid in &element.kids {
            self.flow(kid, around, &mut flow)?;
        }
        Some(leaf)
    }

    fn leaf(&mut self) -> usize {
        self.plan.leaves += 1;
        self.plan.leaves
    }

    /// Assigns marked content to the leaf of its first reference.
    fn assign(&mut self, id: u32, leaf: usize) {
        self.position += 1;
        self.plan
            .contents
            .entry(id)
            .or_insert((leaf, self.position));
    }

    fn note_actual(&mut self, element: &Element) {
        if let Some(text) = &element.actual {
            self.plan.actual.push((text.clone(), contents(element)));
        }
    }
}

/// Adds the collected text as a paragraph.
fn close(mut flow: Flow, parts: &mut Vec<Part>) {
    parts.append(&mut flow.before);
    if flow.has_content {
        parts.push(Part::Text(Text {
            leaf: flow.leaf,
            is_loose: true,
            ..Text::default()
        }));
    }
    parts.append(&mut flow.after);
}

/// Whether an element is inline content.
fn is_inline(element: &Element) -> bool {
    matches!(element.role, Role::Inline | Role::Label | Role::Body) && !has_blocks(element)
}

/// Whether an element contains block elements.
fn has_blocks(element: &Element) -> bool {
    element.kids.iter().any(|kid| match kid {
        StructureChild::Element(inner) => match inner.role {
            Role::Inline | Role::Other | Role::Label | Role::Body | Role::Group => {
                has_blocks(inner)
            }
            _ => true,
        },
        _ => false,
    })
}

fn begins_elsewhere(element: &Element) -> bool {
    match element.kids.first() {
        Some(StructureChild::Elsewhere) => true,
        Some(StructureChild::Element(inner)) => begins_elsewhere(inner),
        _ => false,
    }
}

/// Returns the identifiers of all marked content in an element.
fn contents(element: &Element) -> Vec<u32> {
    let mut all = Vec::new();
    let mut open = vec![element];
    while let Some(element) = open.pop() {
        for kid in &element.kids {
            match kid {
                StructureChild::Content(id) => all.push(*id),
                StructureChild::Element(inner) => open.push(inner),
                StructureChild::Elsewhere => {}
            }
        }
    }
    all
}
