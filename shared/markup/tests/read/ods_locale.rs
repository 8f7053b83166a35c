//! Values of OpenDocument spreadsheets in a locale.

use domain::format::Format;
use markup::Options;

use crate::made::{lines, odf, opened_with};

/// The texts of cells with number styles and columns with default styles, in a locale.
fn shown(locale: &str, styles: &str, columns: &str, cells: &str) -> Vec<String> {
    let body = format!(
        "<table:table table:name='One'>{columns}<table:table-row>{cells}</table:table-row></table:table>"
    );
    let options = Options {
        locale: locale.parse().unwrap(),
        ..Options::default()
    };
    let document = opened_with(
        &odf("spreadsheet", styles, &body, ""),
        Format::Ods,
        &options,
    );
    let lines = lines(&document.unwrap()).into_iter();
    let texts = lines.filter_map(|line| Some(line.split_once(" p: ")?.1.to_owned()));
    texts.collect()
}

/// A number style, and the cell style `c` that has it.
fn styled(kind: &str, attributes: &str, inner: &str) -> String {
    format!(
        "<number:{kind}-style style:name='N' {attributes}>{inner}</number:{kind}-style>\
         <style:style style:name='c' style:family='table-cell' style:data-style-name='N'/>"
    )
}

fn cell(value: &str, text: &str) -> String {
    format!(
        "<table:table-cell table:style-name='c' {value}><text:p>{text}</text:p></table:table-cell>"
    )
}

const DATE: &str = "office:value-type='date' office:date-value='2001-02-03T16:05:06'";
const LONG_DAY: &str = "<number:day number:style='long'/>";
const LONG_MONTH: &str = "<number:month number:style='long'/>";
const LONG_YEAR: &str = "<number:year number:style='long'/>";

#[test]
fn values_follow_the_locale() {
    let number = "<number:number number:decimal-places='2' number:min-integer-digits='1' number:grouping='true'/>";
    let float = "office:value-type='float' office:value='-1234.5'";
    let day_first = format!(
        "{LONG_DAY}<number:text>/</number:text>{LONG_MONTH}<number:text>/</number:text>{LONG_YEAR}"
    );
    let time = "<number:hours/><number:text>:</number:text><number:minutes number:style='long'/>";
    let named = format!(
        "<number:day/><number:text>. </number:text><number:month number:style='long' number:textual='true'/><number:text> </number:text>{LONG_YEAR}"
    );
    for (kind, attributes, inner, value, stored, expected) in [
        (
            "date",
            "number:automatic-order='true' number:format-source='language'",
            format!(
                "<number:day-of-week number:style='long'/><number:text>, </number:text>{named}"
            )
            .as_str(),
            DATE,
            "Saturday, 3. February 2001",
            "Samstag, 3. Februar 2001",
        ),
        (
            "number",
            "",
            "<number:number number:decimal-places='2' number:min-decimal-places='0' number:decimal-replacement='' number:min-integer-digits='1'/>",
            float,
            "-1234.5",
            "-1234,5",
        ),
        ("number", "", number, float, "-1,234.50", "-1.234,50"),
        (
            "currency",
            "",
            &format!("{number}<number:text> </number:text><number:currency-symbol/>"),
            "office:value-type='currency' office:value='1234.5'",
            "1,234.50 $",
            "1.234,50 €",
        ),
        (
            "currency",
            "",
            &format!(
                "<number:currency-symbol number:language='en' number:country='US'>$</number:currency-symbol>{number}"
            ),
            "office:value-type='currency' office:value='1234.5'",
            "$1,234.50",
            "$1.234,50",
        ),
        (
            "percentage",
            "",
            "<number:number number:decimal-places='1' number:min-integer-digits='1'/><number:text>%</number:text>",
            "office:value-type='percentage' office:value='0.125'",
            "12.5%",
            "12,5%",
        ),
        (
            "date",
            "number:automatic-order='true'",
            &day_first,
            DATE,
            "02/03/2001",
            "03.02.2001",
        ),
        (
            "date",
            "",
            &named,
            DATE,
            "3. February 2001",
            "3. Februar 2001",
        ),
        (
            "date",
            "",
            &format!("{day_first}<number:text> </number:text>{time}"),
            DATE,
            "03/02/2001 16:05",
            "03/02/2001 16:05",
        ),
        (
            "time",
            "number:truncate-on-overflow='false'",
            &format!(
                "{time}<number:text>:</number:text><number:seconds number:style='long' number:decimal-places='1'/>"
            ),
            "office:value-type='time' office:time-value='PT36H05M06.5S'",
            "36:05:06.5",
            "36:05:06,5",
        ),
    ] {
        let styles = styled(kind, attributes, inner);
        let shown = shown("de-DE", &styles, "", &cell(value, stored));
        assert_eq!(shown, [expected], "{kind} {inner}");
    }
}

#[test]
fn the_stored_text_stays_if_the_locale_does_not_apply() {
    let number = "<number:number number:decimal-places='1' number:min-integer-digits='1'/>";
    let float = "office:value-type='float' office:value='0.5'";
    for (kind, attributes, inner, value, stored) in [
        // A language of its own.
        (
            "number",
            "number:language='en' number:country='US'",
            number,
            float,
            "0.5",
        ),
        // Elements that a format code does not have.
        ("date", "", "<number:quarter/>", DATE, "Q1"),
        ("date", "", "<number:week-of-year/>", DATE, "5"),
        (
            "date",
            "",
            "<number:year number:calendar='buddhist'/>",
            DATE,
            "2544",
        ),
        // Other digits than those of the value.
        ("number", "", number, float, "###"),
        (
            "number",
            "",
            number,
            "office:value-type='string' office:string-value='0.5'",
            "0.5",
        ),
        (
            "boolean",
            "",
            "<number:boolean/>",
            "office:value-type='boolean' office:boolean-value='true'",
            "TRUE",
        ),
    ] {
        let styles = styled(kind, attributes, inner);
        let shown = shown("de-DE", &styles, "", &cell(value, stored));
        assert_eq!(shown, [stored], "{kind} {inner}");
    }
}

#[test]
fn sections_apply_to_negative_numbers_and_zero() {
    let number = "<number:number number:decimal-places='1' number:min-integer-digits='1'/>";
    let section = |name: &str, inner: &str| {
        format!(
            "<number:number-style style:name='{name}' style:volatile='true'>{inner}</number:number-style>"
        )
    };
    let map = |condition: &str, name: &str| {
        format!("<style:map style:condition='value(){condition}' style:apply-style-name='{name}'/>")
    };
    let float = |value: &str, stored: &str| {
        cell(
            &format!("office:value-type='float' office:value='{value}'"),
            stored,
        )
    };
    let brackets = format!("<number:text>(</number:text>{number}<number:text>)</number:text>");
    let cells = float("1.5", "1.5") + &float("-1.5", "(1.5)") + &float("0", "0.0");
    let two =
        section("P", number) + &styled("number", "", &(brackets.clone() + &map("&gt;=0", "P")));
    assert_eq!(shown("de-DE", &two, "", &cells), ["1,5", "(1,5)", "0,0"]);
    let zero = "<number:text>none</number:text>".to_owned();
    let three = section("P", number)
        + &section("M", &brackets)
        + &styled(
            "number",
            "",
            &(zero + &map("&gt;0", "P") + &map("&lt;0", "M")),
        );
    let cells = float("1.5", "1.5") + &float("-1.5", "(1.5)") + &float("0", "none");
    assert_eq!(shown("de-DE", &three, "", &cells), ["1,5", "(1,5)", "none"]);
    let other = section("P", number) + &styled("number", "", &(brackets + &map("&lt;5", "P")));
    assert_eq!(shown("de-DE", &other, "", &float("1.5", "1.5")), ["1.5"]);
}

#[test]
fn cells_without_a_style_have_that_of_their_row_or_column() {
    let year = styled(
        "date",
        "",
        "<number:month number:style='long' number:textual='true'/>",
    );
    let columns = "<table:table-column/><table:table-column table:number-columns-repeated='2' table:default-cell-style-name='c'/>";
    let cell = format!("<table:table-cell {DATE}><text:p>February</text:p></table:table-cell>");
    let cells = cell.repeat(4);
    let texts = shown("de-DE", &year, columns, &cells);
    assert_eq!(texts, ["February", "Februar", "Februar", "February"]);
    let general = "<table:table-cell office:value-type='float' office:value='0.5'><text:p>0.5</text:p></table:table-cell>";
    assert_eq!(shown("de-DE", "", "", general), ["0,5"]);
}

#[test]
fn values_without_a_style_of_their_type_have_its_usual_format() {
    let general = styled(
        "number",
        "",
        "<number:number number:min-integer-digits='1'/>",
    );
    let day = "office:value-type='date' office:date-value='2024-02-29'";
    let texts = shown("de-DE", &general, "", &cell(day, "45351"));
    assert_eq!(texts, ["29.02.2024"]);
    for (value, expected) in [
        (day, "29.02.2024"),
        (
            "office:value-type='time' office:time-value='PT36H05M06S'",
            "36:05:06",
        ),
        (
            "office:value-type='percentage' office:value='0.125'",
            "12,50%",
        ),
        (
            "office:value-type='currency' office:currency='USD' office:value='1234.5'",
            "1.234,50 USD",
        ),
        (
            "office:value-type='boolean' office:boolean-value='true'",
            "TRUE",
        ),
    ] {
        let empty = format!("<table:table-cell {value}/>");
        assert_eq!(shown("de-DE", "", "", &empty), [expected], "{value}");
        let blank = format!("<table:table-cell {value}><text:p> </text:p></table:table-cell>");
        assert_eq!(shown("de-DE", "", "", &blank), [expected], "{value}");
    }
}
