//! Verification of typed cells between workbooks: a changed number and two swapped ones are found.

use domain::format::Format;

use super::{Change, Family, check, is_cell};

const TABLE: &str =
    "Island,Passengers,Freight\nJuist,1204,88.50\nBaltrum,310,12.25\nNorderney,5520,610.75\n";
const CHANGED: (&str, &str) = ("1204", "1304");
const SWAPPED: &str =
    "Island,Passengers,Freight\nJuist,310,88.50\nBaltrum,1204,12.25\nNorderney,5520,610.75\n";

#[test]
fn changed_and_swapped_numbers_of_typed_cells_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let changed = TABLE.replace(CHANGED.0, CHANGED.1);
    let table = Family::written(
        directory.path(),
        Format::Csv,
        TABLE,
        &[(Change::Row, changed.as_str()), (Change::Order, SWAPPED)],
    );
    let families = table.chain(&[Format::Xlsx, Format::Ods]);
    check(&families[1..], |change, _, to, found| {
        let is_found = match change {
            Change::Order => found.reordered > 0,
            _ => (found.words, found.numbers) == (0, 1) && is_cell(&found.places, "B2"),
        };
        matches!(to, Format::Xlsx | Format::Ods).then_some(is_found)
    });
}
