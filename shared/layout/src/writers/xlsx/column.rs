//! What the cells of a column show about each other: the order of days and months, identifiers, amounts.

use super::amount::Amount;
use super::date::{self, Order};
use super::number::Number;
use crate::Table;
use crate::writers::plain;

/// Properties of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Column {
    /// The order of days and months that a date shows; `Some(None)` if dates contradict each other.
    order: Option<Option<Order>>,
    /// Whether a cell has a leading zero, so that all are identifiers.
    pub(super) has_identifiers: bool,
    /// Whether a cell has digits and separators that are no number: `413,417 421`.
    pub(super) has_lists: bool,
    /// Whether a cell is a number in parentheses with decimals or thousands separators, so that whole numbers in parentheses
    /// are negative, too.
    pub(super) has_negative_amounts: bool,
    has_number: bool,
    has_text: bool,
}

impl Column {
    /// Adds the body cells of a table to the properties of its columns.
    pub(super) fn extend(columns: &mut Vec<Self>, table: &Table) {
        columns.resize(columns.len().max(table.widths.len()), Self::default());
        for cell in table
            .cells
            .iter()
            .filter(|cell| cell.row >= table.header_rows)
        {
            if let Some(column) = columns.get_mut(cell.column) {
                column.add(plain::of_blocks(&cell.blocks).trim());
            }
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(order) = date::order(text) {
            self.order = match self.order {
                Some(known) if known != Some(order) => Some(None),
                _ => Some(Some(order)),
            };
        }
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        self.has_identifiers |= text.len() > 1 && text.starts_with('0') && is_digits(text);
        let amount = Amount::of(text);
        let number = [Number::with_point, Number::with_comma].map(|read| read(amount.number));
        let [point, comma] = &number;
        let is_number = point.is_some() || comma.is_some();
        self.has_number |= is_number;
        self.has_text |= !is_number && text.contains(char::is_alphanumeric);
        let is_list = |character: char| character.is_ascii_digit() || ", .".contains(character);
        self.has_lists |= !is_number && text.contains([',', ' ']) && text.chars().all(is_list);
        let is_bare = number.iter().flatten().all(Number::is_bare);
        self.has_negative_amounts |= amount.is_in_parentheses && is_number && !is_bare;
    }

    /// The order of days and months, if the column decides it.
    pub(super) fn order(self) -> Option<Order> {
        self.order.flatten()
    }

    /// Whether all cells are numbers, so that a space separates thousands and not two numbers.
    pub(super) fn has_numbers_only(self) -> bool {
        self.has_number && !self.has_text
    }
}
