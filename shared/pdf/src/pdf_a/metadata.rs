//! Metadata of a PDF/A: the texts and the creation date of the source, equal in the information dictionary and in an XMP packet
//! with the identification of the level [ISO 19005-1, 6.7; ISO 19005-2, 6.6].

use domain::operation::PdfaLevel;
use lopdf::{Dictionary, Document, Object, text_string};
use pdfium_render::prelude::PdfDocumentMetadataTagType as Tag;
use task::{Task, TaskResult};

use crate::metadata::description;
use crate::patch::Patch;
use crate::{date, pdfium};

/// Sets the information dictionary and the metadata stream of the catalog.
pub(super) fn set(
    task: &Task,
    level: PdfaLevel,
    (document, catalog): (&Document, &mut Dictionary),
    patch: &mut Patch,
) -> TaskResult<()> {
    let (texts, created) = of_source(task)?;
    let mut information = Dictionary::new();
    for (key, text) in &texts {
        information.set(*key, text_string(text));
    }
    if let Some(created) = &created {
        information.set("CreationDate", Object::string_literal(pdf_date(created)));
    }
    let mut trailer = document.trailer.clone();
    // Ghostscript's identifier is random. libqpdf derives one from the content.
    trailer.remove(b"ID");
    match information.is_empty() {
        true => drop(trailer.remove(b"Info")),
        false => trailer.set("Info", patch.add(&information.into())),
    }
    patch.set_trailer(&trailer);
    let file = task.directory.join("packet");
    std::fs::write(&file, packet(level, &texts, created.as_deref()))?;
    let stream = patch.new_id();
    let dictionary = lopdf::dictionary! { "Type" => "Metadata", "Subtype" => "XML" };
    patch.set_stream(stream, &dictionary, &file);
    catalog.set("Metadata", stream);
    Ok(())
}

type Texts = Vec<(&'static str, String)>;

/// The texts of the source, without the characters that XML cannot have, and its creation date, if it has a time, in RFC 3339.
fn of_source(task: &Task) -> TaskResult<(Texts, Option<String>)> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let text = |tag| {
        let found = document.metadata().get(tag)?;
        let characters = found.value().chars();
        let text: String = characters.filter(|one| !one.is_control()).collect();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let tags = [
        ("Title", Tag::Title),
        ("Author", Tag::Author),
        ("Subject", Tag::Subject),
        ("Keywords", Tag::Keywords),
    ];
    let texts = tags.into_iter();
    let texts = texts.filter_map(|(key, tag)| Some((key, text(tag)?)));
    let created = text(Tag::CreationDate).and_then(|created| date::read(&created));
    Ok((
        texts.collect(),
        created.filter(|created| created.contains('T')),
    ))
}

/// The same date as PDF states it: `D:20260131235959+01'00'`.
fn pdf_date(date: &str) -> String {
    let digits = |text: &str| text.replace(['-', ':', 'T'], "");
    let (moment, zone) = date.split_at_checked(19).unwrap_or((date, ""));
    match zone.split_once(':') {
        Some((hours, minutes)) => format!("D:{}{hours}'{minutes}'", digits(moment)),
        None => format!("D:{}{zone}", digits(moment)),
    }
}

fn packet(level: PdfaLevel, texts: &Texts, created: Option<&str>) -> String {
    let texts: Vec<(&str, &str)> = texts.iter().map(|(key, text)| (*key, &**text)).collect();
    let created = created.map_or_else(String::new, |created| {
        format!(
            "<rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\"><xmp:CreateDate>{created}</xmp:CreateDate></rdf:Description>"
        )
    });
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
        <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
        <rdf:Description rdf:about=\"\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">\
        <pdfaid:part>{}</pdfaid:part><pdfaid:conformance>{}</pdfaid:conformance></rdf:Description>\
        {}{created}</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>",
        level.part(),
        level.conformance(),
        description(&texts),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_the_same_in_both_notations() {
        for text in [
            "D:20260131235959+01'30'",
            "D:20260131235959Z",
            "D:20260131235959-08'00'",
        ] {
            assert_eq!(pdf_date(&date::read(text).unwrap()), text);
        }
    }
}
