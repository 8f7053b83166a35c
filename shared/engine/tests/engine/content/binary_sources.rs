//! Families in binary formats, which no conversion makes.

use std::path::Path;

use domain::format::Format;

use super::Family;
use crate::constructs::xlsb;
use crate::office_suite;

impl Family {
    /// The family, saved by LibreOffice in another format.
    pub(super) fn saved(&self, format: Format) -> Self {
        let changed = self.changed.iter();
        let paths = std::iter::once(&self.plain).chain(changed.clone().map(|(_, path)| path));
        let paths: Vec<&Path> = paths.map(|path| &**path).collect();
        let mut saved = office_suite::save(&paths, format).into_iter();
        Self {
            format,
            plain: saved.next().unwrap(),
            changed: changed.map(|(change, _)| *change).zip(saved).collect(),
        }
    }
}

/// A table of CSV as CSV, TSV or XLSB.
pub(super) fn table(csv: &str, format: Format) -> Vec<u8> {
    let rows = csv.lines().map(|line| line.split(',').collect());
    match format {
        Format::Xlsb => xlsb::table(&rows.collect::<Vec<Vec<&str>>>()),
        Format::Tsv => csv.replace(',', "\t").into_bytes(),
        _ => csv.as_bytes().to_vec(),
    }
}
