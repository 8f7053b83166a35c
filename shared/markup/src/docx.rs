//! Reads Word documents (WordprocessingML). A page is the content between two explicit page breaks.

mod body;
mod fields;
mod numbering;
mod properties;
mod styles;

use crate::comment_parts;
use crate::error::{MarkupError, Result};
use crate::package::Package;
use crate::source::LoadedDocument;
use crate::theme::Theme;
use crate::warning::Loss;
use crate::xml::{self, Cursor, Element, Step};

use self::body::Body;
use self::body::notes::{self, Notes};
use self::body::section::Section;
use self::numbering::Numbering;
use self::styles::Styles;
pub(crate) use self::styles::heading_level;

/// Reads a document.
pub(crate) fn open(mut package: Package) -> Result<LoadedDocument> {
    let metadata = package.metadata()?;
    let main = package.main_part()?;
    let relations = package.relations(&main)?;
    let comments = comment_parts::of_part(&mut package, &relations)?;
    package.losses.add_many(Loss::Comment, comments);
    let mut body = with_related_parts(&mut package, &main)?;
    let bytes = body
        .package
        .part(&main)?
        .ok_or(MarkupError::Corrupt("its main part is missing"))?;
    read(&mut body, &xml::decode(&bytes))?;
    let leaves = body.finish()?;
    Ok(LoadedDocument {
        leaves: leaves.into(),
        pictures: package.pictures.clone(),
        metadata,
        warnings: package.losses.all(),
    })
}

/// Reads the parts that the main part references: theme, styles, numbering, settings and notes.
fn with_related_parts<'a>(package: &'a mut Package, main: &str) -> Result<Body<'a>> {
    let relations = package.relations(main)?;
    let mut part = |kind: &str| match relations.of_kind(kind).next() {
        Some(relation) => package.optional_tree(&relation.target),
        None => Ok(None),
    };
    let theme = part("theme")?.as_ref().map(Theme::read).unwrap_or_default();
    let styles = part("styles")?
        .map(|root| Styles::read(&root, &theme))
        .unwrap_or_default();
    let numbering = part("numbering")?
        .map(|root| Numbering::read(&root))
        .unwrap_or_default();
    let settings = part("settings")?;
    let mut notes = Notes::read(package, &relations)?;
    settings
        .iter()
        .for_each(|settings| notes::set_number_formats(&mut notes, settings));
    let even = settings.is_some_and(|settings| properties::is_on(&settings, "w:evenAndOddHeaders"));
    Ok(Body::new(
        package,
        relations,
        (styles, numbering, theme, notes),
        even,
    ))
}

/// Streams the body, one paragraph or table at a time.
fn read(body: &mut Body<'_>, text: &str) -> Result {
    // The cursor has a budget of its own because `body` is borrowed mutably while it advances.
    let budget = crate::limits::Budget::new(body.package.budget.limits);
    let mut cursor = Cursor::new(text, &budget);
    let mut is_document = false;
    loop {
        match cursor.step()? {
            Step::Open(element) if element.is("w:document") => is_document = true,
            Step::Open(element) if holds_blocks(&element) => {}
            Step::Open(element) => read_block(body, &cursor.fill(element)?)?,
            Step::Close | Step::Text(_) => {}
            Step::End if is_document => return Ok(()),
            Step::End => return Err(MarkupError::Mismatch),
        }
    }
}

/// Whether an element is a container that is streamed through instead of read as a whole.
fn holds_blocks(element: &Element) -> bool {
    [
        "w:body",
        "w:sdt",
        "w:sdtContent",
        "w:customXml",
        "w:smartTag",
        "w:ins",
        "w:moveTo",
    ]
    .contains(&element.name())
}

fn read_block(body: &mut Body<'_>, element: &Element) -> Result {
    match element.name() {
        "w:sectPr" => {
            body.end_section(Section::read(element));
            Ok(())
        }
        "mc:AlternateContent" => element
            .elements()
            .try_for_each(|inner| read_block(body, inner)),
        _ => body.read_block(element),
    }
}
