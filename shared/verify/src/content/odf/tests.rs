use domain::format::Format;

use super::*;
use crate::content::test_files::{items, package};

#[test]
fn the_first_sheet_that_is_not_hidden_is_active_without_a_setting() {
    let sheet = |name: &str, style: &str| {
        format!(
            "<table name='{name}' style-name='{style}'><table-row><table-cell><p>{name}</p></table-cell></table-row></table>"
        )
    };
    let sheets = sheet("One", "hidden") + &sheet("Two", "a") + &sheet("Three", "a");
    let content = format!(
        "<content><style name='hidden'><table-properties display='false'/></style><spreadsheet>{sheets}</spreadsheet></content>"
    );
    let read = |settings: &[(&str, &[u8])]| {
        let parts = [&[("content.xml", content.as_bytes())], settings].concat();
        let scope = Scope::of(Format::Ods, Format::Csv);
        let take = |path: &Path, take: Take<'_>| read(path, scope, take);
        items(&package(&parts), take).unwrap()
    };
    let named = "<settings><config-item name='ActiveTable'>Three</config-item></settings>";
    assert_eq!(read(&[]), "[2 0,0]Two|[2 0,1]|");
    assert_eq!(
        read(&[("settings.xml", b"<settings/>")]),
        "[2 0,0]Two|[2 0,1]|"
    );
    assert_eq!(
        read(&[("settings.xml", named.as_bytes())]),
        "[3 0,0]Three|[3 0,1]|"
    );
}

#[test]
fn numbers_are_wanted_unless_their_cell_displays_no_digit() {
    let cells = ["<p/>", "<p>-</p>", "<p>7</p>", ""]
        .map(|shown| format!("<table-cell value-type='float' value='7'>{shown}</table-cell>"));
    let content = format!(
        "<content><spreadsheet><table name='a'><table-row>{}</table-row></table></spreadsheet></content>",
        cells.concat()
    );
    let numbers = |scope| {
        let file = package(&[("content.xml", content.as_bytes())]);
        let items = items(&file, |path, take| read(path, scope, take)).unwrap();
        items.matches('#').count()
    };
    assert_eq!(numbers(Scope::of(Format::Ods, Format::Pdf)), 2);
    let result = Scope {
        is_result: true,
        ..Scope::default()
    };
    assert_eq!(numbers(result), 4);
}

#[test]
fn texts_of_hidden_shapes_are_apart() {
    let shape = |display: &str, text: &str| {
        format!("<frame {display}><text-box><p>{text}</p></text-box></frame>")
    };
    let shapes = [
        shape("display='none'", "hidden <span>words</span>"),
        shape("display='printer'", "printed"),
        shape("display='screen'", "shown"),
    ];
    let content = format!("<content><page>{}</page></content>", shapes.concat());
    let file = package(&[("content.xml", content.as_bytes())]);
    let scope = Scope::of(Format::Odp, Format::Pdf);
    let items = items(&file, |path, take| read(path, scope, take)).unwrap();
    let expected = "{hidden words }[1]{printed }shown|";
    assert!(items.starts_with(expected), "{items}");
}
