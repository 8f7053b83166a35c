//! Structure tables → rows of cells.

use super::{Around, Cell, Part, Planner, Row, Rows, begins_elsewhere, has_blocks};
use crate::model::structure::{Element, Role, StructureChild};

impl Planner {
    /// Adds a table after its content outside of rows.
    pub(super) fn table(
        &mut self,
        element: &Element,
        around: Around,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let mut rows = Rows {
            continues: begins_elsewhere(element),
            ..Rows::default()
        };
        self.rows(element, false, around, parts, &mut rows)?;
        parts.push(Part::Table(rows));
        Some(())
    }

    fn rows(
        &mut self,
        element: &Element,
        is_head: bool,
        around: Around,
        parts: &mut Vec<Part>,
        rows: &mut Rows,
    ) -> Option<()> {
        let around = around.deeper()?;
        let mut empty = 0;
        for kid in &element.kids {
            let StructureChild::Element(inner) = kid else {
                empty += usize::from(*kid == StructureChild::Elsewhere);
                continue;
            };
            match inner.role {
                Role::Row => {
                    let between = if is_first(rows) { 0 } else { empty };
                    rows.rows.extend((0..between).map(|_| Row::default()));
                    empty = 0;
                    let cells = self.cells(inner, around)?;
                    rows.rows.push(Row { is_head, cells });
                }
                Role::Head => self.rows(inner, true, around, parts, rows)?,
                Role::Group | Role::Section | Role::Other if has_blocks(inner) => {
                    self.rows(inner, is_head, around, parts, rows)?;
                }
                _ => self.block(inner, around, parts)?,
            }
        }
        Some(())
    }

    fn cells(&mut self, row: &Element, around: Around) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        for kid in &row.kids {
            let inner = match kid {
                StructureChild::Element(inner) => inner,
                // Empty cells have no page.
                StructureChild::Elsewhere => &Element::default(),
                StructureChild::Content(_) => continue,
            };
            let mut parts = Vec::new();
            match inner.role {
                Role::Cell | Role::HeaderCell => {
                    self.note_actual(inner);
                    self.group(&inner.kids, around.deeper()?, &mut parts)?;
                }
                _ => self.block(inner, around, &mut parts)?,
            }
            cells.push(Cell {
                is_head: inner.role == Role::HeaderCell,
                row_span: inner.row_span,
                column_span: inner.column_span,
                parts,
            });
        }
        Some(cells)
    }
}

/// Whether the next row is the first one of the page: rows without content on this page are on previous pages, or repeated
/// header rows.
fn is_first(rows: &Rows) -> bool {
    let is_head = |row: &Row| {
        row.is_head || !row.cells.is_empty() && row.cells.iter().all(|cell| cell.is_head)
    };
    rows.rows.is_empty() || rows.continues && rows.rows.iter().all(is_head)
}
