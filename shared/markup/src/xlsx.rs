//! Reads workbooks (SpreadsheetML). A page is a sheet: one table, then its drawings.

mod cells;
pub(crate) mod drawings;
mod sheet;
mod strings;
mod styles;

use std::collections::{HashMap, VecDeque};

use layout::Run;

use crate::cell_reference::title_rows;
use crate::error::Result;
use crate::number_format::conventions::Conventions;
use crate::package::{Package, Relations};
use crate::pictures::Pictures;
use crate::sheet_links::SheetPages;
use crate::source::{Metadata, Source, UnnumberedPage};
use crate::theme::Theme;
use crate::warning::{Loss, Warning};
use crate::worksheet::CellStyles;
use crate::xml::Element;

/// A workbook that is read sheet by sheet.
pub(crate) struct Workbook {
    package: Package,
    sheets: VecDeque<Sheet>,
    sheet_pages: SheetPages,
    strings: Vec<Vec<Run>>,
    styles: CellStyles,
    /// Whether dates use the 1904 date system.
    since_1904: bool,
    /// Whether the workbook requests recalculation on load, so that stored results may be outdated.
    recalculates: bool,
    metadata: Metadata,
    pages: u32,
}

/// A sheet that was not read yet.
struct Sheet {
    name: String,
    target: String,
    kind: String,
    is_hidden: bool,
    /// Number of rows repeated at the top of each printed page.
    titles: usize,
}

impl Sheet {
    /// Whether it becomes a page.
    fn is_page(&self) -> bool {
        !self.is_hidden && self.kind == "worksheet"
    }
}

/// Opens a workbook.
pub(crate) fn open(mut package: Package) -> Result<Workbook> {
    let metadata = package.metadata()?;
    let (root, relations) = package.main_tree("x:workbook")?;
    let mut part = |kind: &str| match relations.of_kind(kind).next() {
        Some(relation) => package.optional_tree(&relation.target),
        None => Ok(None),
    };
    let theme = part("theme")?.as_ref().map(Theme::read).unwrap_or_default();
    let style_part = part("styles")?;
    let conventions = Conventions::of(package.locale);
    let styles = style_part.map_or_else(
        || CellStyles::new(Vec::new(), conventions),
        |root| styles::read(&root, &theme, conventions),
    );
    let strings = strings::read(&mut package, &relations, &theme)?;
    let date_mode = root
        .find("x:workbookPr")
        .and_then(|properties| properties.get("date1904"));
    let on_load = root
        .find("x:calcPr")
        .and_then(|calculation| calculation.get("fullCalcOnLoad"));
    let sheets = sheets(&root, &relations);
    let shown = sheets.iter().filter(|sheet| sheet.is_page());
    Ok(Workbook {
        sheet_pages: SheetPages::of(shown.map(|sheet| sheet.name.as_str())),
        sheets,
        since_1904: matches!(date_mode, Some("1" | "true")),
        recalculates: matches!(on_load, Some("1" | "true")),
        package,
        strings,
        styles,
        metadata,
        pages: 0,
    })
}

fn sheets(root: &Element, relations: &Relations) -> VecDeque<Sheet> {
    let titles = titles(root);
    let listed = root.find("x:sheets");
    let all = listed
        .into_iter()
        .flat_map(|sheets| sheets.all("x:sheet"))
        .enumerate();
    let sheet = |(index, sheet): (usize, &Element)| {
        let relation = relations.internal(sheet.get("r:id")?)?;
        Some(Sheet {
            name: sheet.get("name").unwrap_or_default().to_owned(),
            target: relation.target.clone(),
            kind: relation.kind.clone(),
            is_hidden: matches!(sheet.get("state"), Some("hidden" | "veryHidden")),
            titles: titles.get(&index).copied().unwrap_or(0),
        })
    };
    all.filter_map(sheet).collect()
}

/// Returns the number of repeated title rows (`Print_Titles`) of each sheet.
fn titles(root: &Element) -> HashMap<usize, usize> {
    let names = root
        .find("x:definedNames")
        .into_iter()
        .flat_map(|names| names.all("x:definedName"));
    let titles = names.filter(|name| name.get("name") == Some("_xlnm.Print_Titles"));
    let rows =
        titles.filter_map(|name| Some((name.number("localSheetId")?, title_rows(&name.text())?)));
    rows.collect()
}

impl Source for Workbook {
    fn next(&mut self) -> Result<Option<UnnumberedPage>> {
        while let Some(sheet) = self.sheets.pop_front() {
            self.package.losses.page = self.pages + 1;
            if sheet.is_page() {
                self.pages += 1;
                return sheet::read(self, &sheet).map(Some);
            }
            match sheet.kind.as_str() {
                _ if sheet.is_hidden => {
                    self.package.losses.page = 0;
                    self.package.losses.add(Loss::Hidden);
                }
                "chartsheet" => self.package.losses.add(Loss::Chart),
                _ => self.package.losses.add(Loss::Object),
            }
        }
        Ok(None)
    }

    fn left(&self) -> usize {
        self.sheets.len()
    }

    fn pictures(&self) -> Pictures {
        self.package.pictures.clone()
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn warnings(&self) -> Vec<Warning> {
        self.package.losses.all()
    }
}
