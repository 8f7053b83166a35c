//! Verification of numbers in typed cells: a changed number and two swapped ones are found for every pair, a changed date between
//! workbooks.

use domain::format::Format;

use super::{Change, Family, check, is_cell};

const TABLE: &str = "Island,Passengers,Freight,Since\nJuist,1204,88.50,2024-03-05\nBaltrum,310,12.25,2023-11-29\nNorderney,5520,610.75,2021-08-14\n";
const CHANGED: (&str, &str) = ("1204", "1304");
const SWAPPED: &str = "Island,Passengers,Freight,Since\nJuist,310,88.50,2024-03-05\nBaltrum,1204,12.25,2023-11-29\nNorderney,5520,610.75,2021-08-14\n";
const OTHER_DATE: (&str, &str) = ("2023-11-29", "2023-11-28");

#[test]
fn changed_and_swapped_numbers_of_typed_cells_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let changed = TABLE.replace(CHANGED.0, CHANGED.1);
    let table = Family::written(
        directory.path(),
        Format::Csv,
        TABLE,
        &[(Change::Row, &changed), (Change::Order, SWAPPED)],
    );
    let families = table.chain(&[Format::Xlsx, Format::Ods]);
    check(&families[1..], |change, _, to, found| match change {
        // Wide sheets are divided by columns.
        Change::Order => (to != Format::Pdf).then_some(found.reordered > 0),
        _ => {
            let is_found = (found.words, found.numbers) == (0, 1);
            Some(is_found && is_cell(&found.places, "B2"))
        }
    });
}

#[test]
fn a_changed_date_is_found_between_workbooks() {
    let directory = tempfile::tempdir().unwrap();
    let changed = TABLE.replace(OTHER_DATE.0, OTHER_DATE.1);
    let table = Family::written(
        directory.path(),
        Format::Csv,
        TABLE,
        &[(Change::Row, &changed)],
    );
    let families = table.chain(&[Format::Xlsx, Format::Ods]);
    check(&families[1..], |_, _, to, found| {
        let is_workbook = matches!(to, Format::Xlsx | Format::Ods);
        is_workbook.then_some(found.numbers == 1 && is_cell(&found.places, "D3"))
    });
}
