//! The current sheet of a loaded spreadsheet: its extent, its column widths, and commands on a selection of cells.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Document;
use super::interface::c_string;

/// The command that returns the column widths of the current sheet.
const GEOMETRY: &str = ".uno:SheetGeometryData?columns=true&rows=false&sizes=true&hidden=false&filtered=false&groups=false";

/// The extent of a sheet.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Sheet {
    /// The last column with content, from 0.
    #[serde(rename = "lastcolumn")]
    pub last_column: u32,
    /// The last row with content, from 0.
    #[serde(rename = "lastrow")]
    pub last_row: u32,
}

/// Widths of columns: of each run of equal ones the width and the last column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widths(Vec<(u32, u32)>);

impl Widths {
    /// The width of a column in twips.
    #[must_use]
    pub fn get(&self, column: u32) -> u32 {
        let at = self.0.partition_point(|(_, last)| *last < column);
        self.0.get(at).map_or(0, |(width, _)| *width)
    }

    /// Parses runs such as `666:0 888:1 963:16383`.
    fn parse(text: &str) -> Self {
        let run = |run: &str| {
            let (width, last) = run.split_once(':')?;
            Some((width.parse().ok()?, last.parse().ok()?))
        };
        Self(text.split_whitespace().filter_map(run).collect())
    }
}

impl Document<'_> {
    /// The first sheet; `None` in versions of LibreOffice that do not report its extent.
    #[must_use]
    pub fn current_sheet(&self) -> Option<Sheet> {
        serde_json::from_str(&self.loaded.part_info(&self.kit.office, 0)).ok()
    }

    /// The column widths of the current sheet.
    #[must_use]
    pub fn column_widths(&self) -> Widths {
        let text = c_string(GEOMETRY.as_bytes())
            .map(|command| self.loaded.command_values(&self.kit.office, &command));
        let values: Option<Value> = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        let widths = values
            .as_ref()
            .and_then(|values| values.pointer("/columns/sizes"));
        Widths::parse(widths.and_then(Value::as_str).unwrap_or_default())
    }

    /// Selects a range of the current sheet, such as `A1:C7`.
    pub fn select(&self, range: &str) {
        self.command(".uno:GoToCell", "ToPoint", "string", range);
    }

    /// Sets the width of the selected columns to that of the widest selected cell.
    pub fn fit_columns(&self) {
        self.execute(".uno:SetOptimalColumnWidthDirect", &json!({}));
    }

    /// Sets the width of the selected columns, in twips.
    pub fn set_column_width(&self, twips: u32) {
        let hundredths_of_millimeter = (twips * 127).div_ceil(72);
        let value = hundredths_of_millimeter.to_string();
        self.command(".uno:ColumnWidth", "ColumnWidth", "unsigned short", &value);
    }

    /// Wraps the text of the selected cells, and raises rows of automatic height.
    pub fn wrap_text(&self) {
        self.command(".uno:WrapText", "WrapText", "boolean", "true");
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
    fn widths_are_found_by_column() {
        let widths = Widths::parse("666:0 888:1 963:16383 ");
        assert_eq!(
            [0, 1, 2, 16_383].map(|column| widths.get(column)),
            [666, 888, 963, 963]
        );
        assert_eq!(Widths::default().get(1), 0);
    }
}
