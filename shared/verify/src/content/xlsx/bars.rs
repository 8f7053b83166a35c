//! Finds cells that display a data bar or an icon instead of their number [ECMA-376 part 1, 18.3.1.28 and 18.3.1.49].

use memchr::memmem;

use super::ranges::parse_range;
use crate::content::grid::Range;
use crate::content::item::Unreadable;
use crate::content::xml::{Node, walk};

/// Maximum number of ranges that are considered.
const MAX_RANGES: usize = 1_000;

/// The cells of a worksheet whose numbers are not displayed.
#[derive(Default)]
pub(super) struct Bars {
    ranges: Vec<Range>,
    /// Those of the row that was asked for last.
    here: Vec<Range>,
    row: Option<u32>,
}

impl Bars {
    pub(super) fn read(part: &[u8]) -> Result<Self, Unreadable> {
        Ok(Self {
            ranges: without_numbers(part)?,
            ..Self::default()
        })
    }

    /// Whether a bar or an icon is displayed instead of the number of a cell.
    pub(super) fn cover(&mut self, row: u32, column: u32) -> bool {
        if self.row != Some(row) {
            let ranges = self.ranges.iter();
            self.here = ranges
                .filter(|range| range.rows.0 <= row && row <= range.rows.1)
                .copied()
                .collect();
            self.row = Some(row);
        }
        self.here.iter().any(|range| range.contains(row, column))
    }
}

fn without_numbers(part: &[u8]) -> Result<Vec<Range>, Unreadable> {
    let mut ranges = Vec::new();
    if memmem::find(part, b"showValue").is_none() {
        return Ok(ranges);
    }
    let (mut cells, mut hides_numbers, mut is_list) = (String::new(), false, false);
    walk(part, |node, _| match node {
        Node::Start(element) => match element.name() {
            "conditionalFormatting" => {
                cells = element.attribute("sqref").unwrap_or_default();
                hides_numbers = false;
            }
            "dataBar" | "iconSet" => {
                hides_numbers |= element.has("showValue", "0") || element.has("showValue", "false");
            }
            // Extensions have the ranges as text.
            "sqref" => is_list = true,
            _ => {}
        },
        Node::Text(text) if is_list => cells.push_str(text),
        Node::Text(_) => {}
        Node::End("sqref") => is_list = false,
        Node::End("conditionalFormatting") if hides_numbers => {
            let room = MAX_RANGES.saturating_sub(ranges.len());
            let found = cells.split_whitespace().filter_map(parse_range);
            ranges.extend(found.take(room));
        }
        Node::End(_) => {}
    })?;
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use domain::format::Format;

    use crate::content::scope::Scope;
    use crate::content::test_files::{items, package};
    use crate::content::xlsx;

    const SHEET: &str = "<worksheet><sheetData><row r='1'><c r='A1'><v>1</v></c><c r='B1'><v>2</v></c><c r='C1'><v>3</v></c>
        <c r='D1'><v>4</v></c></row></sheetData>
        <conditionalFormatting sqref='A1 C1:C9'><cfRule><dataBar showValue='0'/></cfRule></conditionalFormatting>
        <conditionalFormatting sqref='B1'><cfRule><dataBar/></cfRule></conditionalFormatting>
        <extLst><x14:conditionalFormatting><x14:cfRule><x14:iconSet showValue='0'/></x14:cfRule><xm:sqref>D1</xm:sqref>
        </x14:conditionalFormatting></extLst></worksheet>";

    #[test]
    fn numbers_behind_bars_and_icons_are_not_displayed() {
        let workbook = "<workbook><sheets><sheet name='a' r:id='r'/></sheets></workbook>";
        let related =
            "<Relationships><Relationship Id='r' Target='worksheets/s.xml'/></Relationships>";
        let file = package(&[
            ("xl/workbook.xml", workbook.as_bytes()),
            ("xl/_rels/workbook.xml.rels", related.as_bytes()),
            ("xl/worksheets/s.xml", SHEET.as_bytes()),
        ]);
        let numbers = |scope| {
            let items = items(&file, |path, take| xlsx::read(path, scope, take)).unwrap();
            items.matches('#').count()
        };
        assert_eq!(numbers(Scope::of(Format::Xlsx, Format::Pdf)), 1);
        let result = Scope {
            is_result: true,
            ..Scope::default()
        };
        assert_eq!(numbers(result), 4);
    }
}
