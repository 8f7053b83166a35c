//! Reads the text of a Word 97-2003 document [MS-DOC]: body, notes and text boxes. Styles that hide text are not considered.

mod file_information;
mod pieces;
mod runs;
mod story;
#[cfg(test)]
mod tests;

use std::path::Path;

use self::file_information::FileInformation;
use self::pieces::pieces;
use self::runs::runs;
use self::story::StoryReader;
use super::art;
use super::bytes::Bytes as _;
use super::compound::Compound;
use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;

/// Calls `take` with the items of a document.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let mut file = Compound::open(path)?;
    let document = file.stream("WordDocument")?;
    let information = FileInformation::read(&document)?;
    let table = file.stream(information.table_name())?;
    let data = file.stream("Data").unwrap_or_default();
    let pieces = pieces(information.pieces(&table)?, document.len())?;
    let runs = runs(&document, information.run_pages(&table)?);
    for (index, story) in information.stories(scope).into_iter().enumerate() {
        // Notes and text boxes follow the body.
        take(Item::Aside(index > 0), Place::default());
        let mut reader = StoryReader::new(scope, &data, take);
        for piece in &pieces {
            piece.read(&document, story.clone(), &runs, &mut reader)?;
        }
        reader.end();
    }
    if !scope.tables_only {
        for _ in 0..floating_images(information.drawings(&table)?) {
            take(Item::Image, Place::default());
        }
    }
    Ok(())
}

/// Counts the raster images that are not in a line of text.
fn floating_images(drawings: &[u8]) -> usize {
    let Some(group) = art::records(drawings).next() else {
        return 0;
    };
    let images = art::images(group.data);
    let mut rest = drawings.get(8 + group.data.len()..).unwrap_or_default();
    let mut count = 0;
    // A byte before each drawing: that of the body, or that of headers.
    while let (Some(is_header), Some(drawing)) = (rest.u8_at(0), rest.get(1..)) {
        let Some(record) = art::records(drawing).next() else {
            break;
        };
        if is_header == 0 {
            count += art::count_images(record.data, &images);
        }
        rest = drawing.get(8 + record.data.len()..).unwrap_or_default();
    }
    count
}
