//! Lists of a structure → items, each with its level.

use super::{Around, Entry, Flow, Planner};
use crate::model::structure::{Element, Kid, Role};

impl Planner {
    /// Adds the items of a list and of those within it.
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
                Kid::Element(inner) => match inner.role {
                    Role::Item => self.item(inner, level, around, entries)?,
                    Role::List => self.list(inner, level.saturating_add(1), around, entries)?,
                    Role::Group | Role::Section => self.list(inner, level, around, entries)?,
                    _ => {
                        let last = last(entries, level)?;
                        self.block(inner, around, &mut last.others)?;
                    }
                },
                Kid::Content(id) => {
                    let leaf = self.leaf();
                    self.assign(*id, leaf);
                    entries.push(Entry {
                        level,
                        texts: vec![leaf],
                        ..Entry::default()
                    });
                }
                Kid::Elsewhere => {}
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

    /// What an item holds: its label, texts, further lists, and whatever else.
    fn body(
        &mut self,
        kids: &[Kid],
        level: u8,
        around: Around,
        entries: &mut Vec<Entry>,
    ) -> Option<()> {
        let around = around.deeper()?;
        let mut flow = Flow::default();
        for kid in kids {
            match kid {
                Kid::Element(inner) if inner.role == Role::Label => {
                    settle(std::mem::take(&mut flow), last(entries, level)?);
                    let label = self.label(inner, around)?;
                    add_label(label, last(entries, level)?);
                }
                Kid::Element(inner) if matches!(inner.role, Role::Body | Role::Group) => {
                    self.body(&inner.kids, level, around, entries)?;
                }
                Kid::Element(inner) if inner.role == Role::List => {
                    settle(std::mem::take(&mut flow), last(entries, level)?);
                    self.list(inner, level.saturating_add(1), around, entries)?;
                }
                Kid::Element(inner) if matches!(inner.role, Role::Paragraph | Role::Heading(_)) => {
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

/// Adds a label to an item; a further one is text.
fn add_label(label: usize, entry: &mut Entry) {
    match entry.label {
        Some(_) => entry.texts.push(label),
        None => entry.label = Some(label),
    }
}

/// Adds what was collected to an item.
fn settle(mut flow: Flow, entry: &mut Entry) {
    entry.texts.extend(flow.has_content.then_some(flow.leaf));
    entry.others.append(&mut flow.before);
    entry.others.append(&mut flow.after);
}

/// The last item, or one without a label before the first.
fn last(entries: &mut Vec<Entry>, level: u8) -> Option<&mut Entry> {
    if entries.is_empty() {
        entries.push(Entry {
            level,
            ..Entry::default()
        });
    }
    entries.last_mut()
}
