//! Reads Word documents: a page is what stands between two breaks that the document asks for.

mod body;
mod fields;
mod numbering;
mod properties;
mod styles;

use crate::error::{MarkupError, Outcome};
use crate::package::Package;
use crate::source::Bound;
use crate::theme::Theme;
use crate::xml::{self, Cursor, Element, Step};

use self::body::Body;
use self::body::notes::{self, Notes};
use self::body::section::Section;
use self::numbering::Numbering;
use self::styles::Styles;
pub(crate) use self::styles::title_level;

/// Reads a document.
pub(crate) fn open(mut package: Package) -> Outcome<Bound> {
    let facts = package.facts()?;
    let main = package.main_part()?;
    let mut body = prepared(&mut package, &main)?;
    let bytes = body
        .package
        .part(&main)?
        .ok_or(MarkupError::Corrupt("its main part is missing"))?;
    read(&mut body, &xml::decode(&bytes))?;
    let leaves = body.finish()?;
    Ok(Bound {
        leaves: leaves.into(),
        pictures: package.pictures.clone(),
        facts,
        warnings: package.losses.all(),
    })
}

/// All that the main part refers to.
fn prepared<'a>(package: &'a mut Package, main: &str) -> Outcome<Body<'a>> {
    let relations = package.relations(main)?;
    let mut part = |kind: &str| match relations.of_kind(kind).next() {
        Some(relation) => package.spare_tree(&relation.target),
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
        .for_each(|settings| notes::count_as(&mut notes, settings));
    let even = settings.is_some_and(|settings| properties::is_on(&settings, "w:evenAndOddHeaders"));
    Ok(Body::new(
        package,
        relations,
        (styles, numbering, theme, notes),
        even,
    ))
}

/// Goes through the body, a paragraph or table at a time.
fn read(body: &mut Body<'_>, text: &str) -> Outcome {
    // The cursor counts on its own, since the body is changed while it goes on.
    let budget = crate::limits::Budget::new(body.package.budget.limits);
    let mut cursor = Cursor::new(text, &budget);
    let mut is_document = false;
    loop {
        match cursor.step()? {
            Step::Open(element) if element.is("w:document") => is_document = true,
            Step::Open(element) if holds_blocks(&element) => {}
            Step::Open(element) => take(body, &cursor.fill(element)?)?,
            Step::Close | Step::Text(_) => {}
            Step::End if is_document => return Ok(()),
            Step::End => return Err(MarkupError::Mismatch),
        }
    }
}

/// Whether it is gone into rather than read as one.
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

fn take(body: &mut Body<'_>, element: &Element) -> Outcome {
    match element.name() {
        "w:sectPr" => {
            body.end_section(Section::read(element));
            Ok(())
        }
        "mc:AlternateContent" => element.elements().try_for_each(|inner| take(body, inner)),
        _ => body.take(element),
    }
}
