//! Structure lists → items with levels.

use super::{Around, Entry, Flow, Planner};
use crate::model::structure::{Element, Role, StructureChild};

impl Planner {
    /// Adds the items of a list and of nested lists.
    pub(super) fn list(
        &mut self,
        element: &Element,
        level: u8,
        around: Around,
        entries: &mut Vec<Entry>,
    ) -> Option<()> {
        let around = around.deeper()?;
        for kid in &element.kids {
            match kid {
                StructureChild::Element(inner) => match inner.role {
                    Role::Item => self.item(inner, level, around, entries)?,
                    Role::List => self.list(inner, level.saturating_add(1), around, entries)?,
                    Role::Group | Role::Section => self.list(inner, level, around, entries)?,
                    _ => {
                        let last = last(entries, level)?;
                        self.block(inner, around, &mut last.others)?;
                    }
                },
                StructureChild::Content(id) => {
                    let leaf = self.leaf();
                    self.assign(*id, leaf);
                    entries.push(Entry {
                        level,
                        texts: vec![leaf],
                        ..Entry::default()
                    });
                }
                StructureChild::Elsewhere => {}
            }
        }
        Some(())
    }

    fn item(
        &mut self,
        element: &Element,
        level: u8,
        around: Around,
        entries: &mut Vec<Entry>,
    ) -> Option<()> {
        let around = around.deeper()?;
        self.note_actual(element);
        entries.push(Entry {
            level,
            ..Entry::default()
        });
        self.body(&element.kids, level, around, entries)
    }

    /// Adds the content of an item: label, texts, nested lists and other blocks.
    fn body(
        &mut self,
        kids: &[StructureChild],
        level: u8,
        around: Around,
        entries: &mut Vec<Entry>,
    ) -> Option<()> {
        let around = around.deeper()?;
        let mut flow = Flow::default();
        for kid in kids {
            match kid {
                StructureChild::Element(inner) if inner.role == Role::Label => {
                    settle(std::mem::take(&mut flow), last(entries, level)?);
                    let label = self.label(inner, around)?;
                    add_label(label, last(entries, level)?);
                }
                StructureChild::Element(inner)
                    if matches!(inner.role, Role::Body | Role::Group) =>
                {
                    settle(std::mem::take(&mut flow), last(entries, level)?);
                    self.body(&inner.kids, level, around, entries)?;
                }
                StructureChild::Element(inner) if inner.role == Role::List => {
                    settle(std::mem::take(&mut flow), last(entries, level)?);
                    self.list(inner, level.saturating_add(1), around, entries)?;
                }
                StructureChild::Element(inner)
                    if matches!(inner.role, Role::Paragraph | Role::Heading(_)) =>
                {
                    settle(std::mem::take(&mut flow), last(entries, level)?);
                    self.paragraph_of_item(inner, level, around, entries)?;
                }
                kid => self.flow(kid, around, &mut flow)?,
            }
        }
        settle(flow, last(entries, level)?);
        Some(())
    }

    fn paragraph_of_item(
        &mut self,
        element: &Element,
        level: u8,
        around: Around,
        entries: &mut Vec<Entry>,
    ) -> Option<()> {
        let mut flow = Flow::default();
        self.note_actual(element);
        for kid in &element.kids {
            self.flow(kid, around, &mut flow)?;
        }
        settle(flow, last(entries, level)?);
        Some(())
    }
}

/// Adds a label to an item; a second label is text.
fn add_label(label: usize, entry: &mut Entry) {
    match entry.label {
        Some(_) => entry.texts.push(label),
        None => entry.label = Some(label),
    }
}

/// Adds the collected text to an item.
fn settle(mut flow: Flow, entry: &mut Entry) {
    entry.texts.extend(flow.has_content.then_some(flow.leaf));
    entry.others.append(&mut flow.before);
    entry.others.append(&mut flow.after);
}

/// Returns the last item; if there is none, a new one without label.
fn last(entries: &mut Vec<Entry>, level: u8) -> Option<&mut Entry> {
    if entries.is_empty() {
        entries.push(Entry {
            level,
            ..Entry::default()
        });
    }
    entries.last_mut()
}
