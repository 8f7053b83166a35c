//! Lines of tables: whether those around cells divide one from another, or only frame the table or underline a row of it.

/// The sides of the cells of a table that have lines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    cells: usize,
    framed: usize,
}

/// Of the sides of a cell, so many have lines where all cells are divided: the others are told by its neighbours.
const SIDES: usize = 2;

impl Lines {
    /// Takes a cell, so many sides of which have lines.
    pub(crate) fn cell(&mut self, sides: usize) {
        self.cells += 1;
        self.framed += usize::from(sides >= SIDES);
    }

    /// Whether they divide most of the cells.
    pub(crate) fn divide(self) -> bool {
        self.framed > 0 && self.framed * 2 >= self.cells
    }

    /// Whether there is but one cell, which any frame is the frame of.
    pub(crate) fn of_one(self) -> bool {
        self.cells == 1
    }
}
