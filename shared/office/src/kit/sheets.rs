//! The sheets of a loaded spreadsheet: their extent, sizes of columns and rows, and commands on a selection of cells.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Document;
use super::interface::c_string;

/// The commands that return the sizes of columns and rows of the current sheet.
const COLUMNS: &str = ".uno:SheetGeometryData?columns=true&rows=false&sizes=true&hidden=false&filtered=false&groups=false";
const ROWS: &str = ".uno:SheetGeometryData?columns=false&rows=true&sizes=true&hidden=false&filtered=false&groups=false";

/// Maximum size that a command can set, in twips.
const MAX_SIZE: u32 = 36_000;

/// A sheet.
#[derive(Clone, Debug, Deserialize)]
pub struct Sheet {
    /// Its name.
    #[serde(default)]
    pub name: String,
    visible: u8,
    protected: u8,
    rtllayout: u8,
    /// The last column with content, from 0.
    #[serde(rename = "lastcolumn")]
    pub last_column: u32,
    /// The last row with content, from 0.
    #[serde(rename = "lastrow")]
    pub last_row: u32,
}

impl Sheet {
    /// Whether it is shown.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        self.visible == 1
    }

    /// Whether it is shown and may be changed.
    #[must_use]
    pub fn is_editable(&self) -> bool {
        self.is_visible() && self.protected == 0
    }

    /// Whether its first column is the rightmost one.
    #[must_use]
    pub fn is_right_to_left(&self) -> bool {
        self.rtllayout == 1
    }
}

/// Widths of columns or heights of rows: of each run of equal ones the size and the last column or row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes(Vec<(u32, u32)>);

impl Sizes {
    /// The size of a column or row in twips.
    #[must_use]
    pub fn get(&self, index: u32) -> u32 {
        let at = self.0.partition_point(|(_, last)| *last < index);
        self.0.get(at).map_or(0, |(size, _)| *size)
    }

    /// Parses runs such as `666:0 888:1 963:16383`.
    fn parse(text: &str) -> Self {
        let run = |run: &str| {
            let (size, last) = run.split_once(':')?;
            Some((size.parse().ok()?, last.parse().ok()?))
        };
        Self(text.split_whitespace().filter_map(run).collect())
    }
}

/// The name of a cell from its row and column, both from 0: `A1`, `Z1`, `AA7`, ….
#[must_use]
pub fn cell_name(row: u32, column: u32) -> String {
    let mut name = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        name.extend(char::from_u32(u32::from('A') + rest % 26));
        rest /= 26;
    }
    let letters: String = name.iter().rev().collect();
    format!("{letters}{}", row + 1)
}

impl Document<'_> {
    /// The number of sheets.
    #[must_use]
    pub fn sheets(&self) -> i32 {
        self.loaded.parts()
    }

    /// A sheet, from 0; `None` in versions of LibreOffice that do not report its extent.
    #[must_use]
    pub fn sheet(&self, index: i32) -> Option<Sheet> {
        serde_json::from_str(&self.loaded.part_info(&self.kit.office, index)).ok()
    }

    /// Whether a sheet, from 0, is shown and has cells with content. A sheet with the extent of one cell becomes the current one
    /// and uses one of `probes`; once none is left, such sheets count as having content.
    #[must_use]
    pub fn shows_cells(&self, index: i32, probes: &mut u32) -> bool {
        let Some(sheet) = self.sheet(index).filter(Sheet::is_visible) else {
            return false;
        };
        // The extent of an empty sheet is its first cell.
        if (sheet.last_row, sheet.last_column) != (0, 0) || *probes == 0 {
            return true;
        }
        *probes -= 1;
        self.show_sheet(index);
        self.select("A1");
        let text = self.loaded.selected_text(&self.kit.office);
        !text.trim().is_empty()
    }

    /// Makes a sheet the current one, to which all other functions refer.
    pub fn show_sheet(&self, index: i32) {
        self.loaded.set_part(index);
    }

    /// The column widths of the current sheet.
    #[must_use]
    pub fn column_widths(&self) -> Sizes {
        self.sizes(COLUMNS, "/columns/sizes")
    }

    /// The row heights of the current sheet.
    #[must_use]
    pub fn row_heights(&self) -> Sizes {
        self.sizes(ROWS, "/rows/sizes")
    }

    fn sizes(&self, command: &str, place: &str) -> Sizes {
        let text = c_string(command.as_bytes())
            .map(|command| self.loaded.command_values(&self.kit.office, &command));
        let values: Option<Value> = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        let sizes = values.as_ref().and_then(|values| values.pointer(place));
        Sizes::parse(sizes.and_then(Value::as_str).unwrap_or_default())
    }

    /// Selects a range of the current sheet, such as `A1:C7`.
    pub fn select(&self, range: &str) {
        self.command(".uno:GoToCell", "ToPoint", "string", range);
    }

    /// Sets the width of the selected columns to that of the widest selected cell.
    pub fn fit_columns(&self) {
        self.execute(".uno:SetOptimalColumnWidthDirect", &json!({}));
    }

    /// Sets the height of the selected rows to that of their highest cell.
    pub fn fit_rows(&self) {
        self.set_size(".uno:SetOptimalRowHeight", "aExtraHeight", 0);
    }

    /// Sets the width of the selected columns, in twips.
    pub fn set_column_width(&self, twips: u32) {
        self.set_size(".uno:ColumnWidth", "ColumnWidth", twips);
    }

    /// Sets the height of the selected rows, in twips.
    pub fn set_row_height(&self, twips: u32) {
        self.set_size(".uno:RowHeight", "RowHeight", twips);
    }

    /// Wraps the text of the selected cells, and raises rows of automatic height.
    pub fn wrap_text(&self) {
        self.command(".uno:WrapText", "WrapText", "boolean", "true");
    }

    /// LibreOffice rounds hundredths of a millimeter to twips, so that each size in twips is reached.
    fn set_size(&self, command: &str, argument: &str, twips: u32) {
        let hundredths_of_millimeter = (twips.min(MAX_SIZE) * 127 + 36) / 72;
        let value = hundredths_of_millimeter.to_string();
        self.command(command, argument, "unsigned short", &value);
    }

    fn command(&self, command: &str, argument: &str, kind: &str, value: &str) {
        self.execute(command, &json!({argument: {"type": kind, "value": value}}));
    }

    fn execute(&self, command: &str, arguments: &Value) {
        let arguments = arguments.to_string();
        let texts = (c_string(command.as_bytes()), c_string(arguments.as_bytes()));
        if let (Ok(command), Ok(arguments)) = texts {
            self.loaded.post_command(&command, &arguments);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_found_by_column() {
        let widths = Sizes::parse("666:0 888:1 963:16383 ");
        assert_eq!(
            [0, 1, 2, 16_383].map(|column| widths.get(column)),
            [666, 888, 963, 963]
        );
        assert_eq!(Sizes::default().get(1), 0);
    }

    #[test]
    fn cells_have_letters_and_numbers() {
        let name = |column| cell_name(6, column);
        assert_eq!(
            [0, 25, 26, 701, 702].map(name),
            ["A7", "Z7", "AA7", "ZZ7", "AAA7"]
        );
    }
}
