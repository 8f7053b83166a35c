//! A table of which a result has only the words is found.

use domain::format::Format;

use super::{Change, Family, PAGE, check};

#[test]
fn a_table_that_became_paragraphs_is_found_for_every_pair() {
    let directory = tempfile::tempdir().unwrap();
    let with = |added: &str| PAGE.concat() + "<p>Further islands</p>" + added;
    let page = Family::written(
        directory.path(),
        Format::Html,
        with("<p>Spiekeroog</p><p>Langeoog</p>"),
        &[(
            Change::Table,
            with("<table><tr><td>Spiekeroog</td><td>Langeoog</td></tr></table>"),
        )],
    );
    let families = page.chain(&[Format::Docx, Format::Odt]);
    check(&families, |_, _, to, found| {
        let keeps_tables = matches!(
            to,
            Format::Docx | Format::Odt | Format::Html | Format::Markdown | Format::Json
        );
        keeps_tables.then_some(found.tables == 1 && found.words == 0)
    });
}
