//! Checks a document that is a ZIP package: determines its format by its parts, and rejects attacks in any part.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use quick_xml::events::BytesStart;
use task::{Inspection, TaskError, TaskResult, Warning};

use super::archive::Archive;
use super::binary_worksheet;
use super::links::Links;
use super::worksheet::Worksheet;
use super::xml::{self, XmlEvent};

/// Maximum length of a media type in bytes.
const MAX_MIME_TYPE: u64 = 128;

/// Suffixes of main part content types, with macros and templates [ECMA-376-1, 15.2; MS-OFFMACRO2].
const MAIN_PARTS: [(&str, Format); 3] = [
    ("word", Format::Docx),
    ("spreadsheetml", Format::Xlsx),
    ("presentationml", Format::Pptx),
];

/// Content type of the XLSB main part, in lower case [MS-XLSB, 2.1.7.61].
const BINARY_WORKBOOK: &str = "application/vnd.ms-excel.sheet.binary.macroenabled.main";

/// Content type of an XLSB worksheet [MS-XLSB, 2.1.7.62].
const BINARY_WORKSHEET: &str = "application/vnd.ms-excel.worksheet";

/// Algorithms that obfuscate embedded fonts of EPUB, without digital rights management [EPUB 3.3, 4.4; Adobe's specification].
const FONT_OBFUSCATION: [&str; 2] = [
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
];

const CONTENT_TYPES: &str = "[Content_Types].xml";

/// Returns the format of a package, and warnings. An encrypted package with a password (`has_password`) is not inspected.
pub(super) fn check(
    path: &Path,
    claimed: Format,
    has_password: bool,
) -> TaskResult<(Format, Inspection)> {
    let mut archive = Archive::open(path).map_err(|error| match claimed {
        Format::Doc | Format::Xls | Format::Ppt | Format::Msg | Format::Rtf => {
            TaskError::content_mismatch()
        }
        _ => error,
    })?;
    let mut package = Package::default();
    if !(has_password && is_encrypted(&mut archive, &mut package)?) {
        package = read(&mut archive)?;
    }
    let format = package.format.ok_or_else(TaskError::content_mismatch)?;
    let warning = package.links.has_external();
    let warning = warning.then_some(Warning::ExternalResourcesBlocked);
    let inspection = Inspection {
        warnings: Vec::from_iter(warning),
        ..Inspection::default()
    };
    Ok((format, inspection))
}

/// Returns the format of a package, and the number of its sheets or slides, 1 for a text document.
pub(super) fn count_parts(path: &Path) -> TaskResult<(Format, u32)> {
    let package = read(&mut Archive::open(path)?)?;
    let format = package.format.ok_or_else(TaskError::content_mismatch)?;
    let parts = match format {
        Format::Xlsx | Format::Ods => package.sheets,
        Format::Pptx | Format::Odp => package.slides,
        _ => 1,
    };
    Ok((format, parts))
}

/// Reads all parts.
fn read(archive: &mut Archive) -> TaskResult<Package> {
    let mut package = Package::default();
    let mut order: Vec<usize> = (0..archive.len()).collect();
    // Content types decide how other parts are parsed, so they come first.
    order.sort_by_cached_key(|index| !archive.name(*index).eq_ignore_ascii_case(CONTENT_TYPES));
    for index in order {
        let name = archive.name(index);
        archive.read(index, |part| package.take(&name, part))?;
    }
    match (package.encrypted, package.format) {
        (true, _) => Err(TaskError::password_required()),
        (_, Some(Format::Epub)) if package.has_rights_management => Err(TaskError::document(
            JobErrorCode::PermissionDenied,
            "The book is encrypted by digital rights management (DRM) and cannot be read.",
        )),
        _ => Ok(package),
    }
}

/// Whether the manifest of an OpenDocument file has encrypted parts.
fn is_encrypted(archive: &mut Archive, package: &mut Package) -> TaskResult<bool> {
    for index in 0..archive.len() {
        let name = archive.name(index);
        if ["mimetype", "META-INF/manifest.xml"].contains(&name.as_str()) {
            archive.read(index, |part| package.take(&name, part))?;
        }
    }
    Ok(package.encrypted)
}

/// The results of the parts so far.
#[derive(Default)]
struct Package {
    format: Option<Format>,
    /// The format by the default content type, for a main part without an override.
    default_format: Option<Format>,
    /// Names of XLSB worksheets, in lower case.
    worksheets: HashSet<String>,
    encrypted: bool,
    /// Whether parts of a book are encrypted other than by obfuscation of fonts.
    has_rights_management: bool,
    links: Links,
    sheets: u32,
    slides: u32,
}

impl Package {
    fn take(&mut self, name: &str, part: &mut dyn Read) -> TaskResult<()> {
        match name.to_ascii_lowercase().as_str() {
            "mimetype" => self.take_mime_type(part),
            "[content_types].xml" => {
                self.read(part, Self::take_content_type)?;
                self.format = self.format.or(self.default_format);
                Ok(())
            }
            "meta-inf/manifest.xml" => self.read(part, Self::take_manifest),
            "meta-inf/encryption.xml" => self.read(part, Self::take_encryption),
            "content.xml" => self.read_sheet(part, Worksheet::open_document()),
            name if self.is_binary_worksheet(name) => binary_worksheet::check(part),
            name if name.starts_with("xl/worksheets/") => {
                self.sheets += u32::from(is_xml_in(name, "xl/worksheets/"));
                self.read_sheet(part, Worksheet::open_xml())
            }
            name if is_xml_in(name, "ppt/slides/") => {
                self.slides += 1;
                self.read(part, |_, _| Ok(()))
            }
            name if is_xml(name) => self.read(part, |_, _| Ok(())),
            _ => Ok(()),
        }
    }

    /// Whether a part with this lower-case name is an XLSB worksheet. LibreOffice reads only `.bin` parts as records.
    fn is_binary_worksheet(&self, name: &str) -> bool {
        let is_xlsb = self.format == Some(Format::Xlsb);
        name.ends_with(".bin")
            && (self.worksheets.contains(name) || is_xlsb && name.starts_with("xl/worksheets/"))
    }

    /// Parses an XML part.
    fn read(
        &mut self,
        part: &mut dyn Read,
        mut take: impl FnMut(&mut Self, &BytesStart<'_>) -> TaskResult<()>,
    ) -> TaskResult<()> {
        xml::read(part, |event| {
            self.links.take(&event);
            match event {
                XmlEvent::Element(element) => take(self, element),
                XmlEvent::Text(_) => Ok(()),
            }
        })
    }

    fn read_sheet(&mut self, part: &mut dyn Read, mut sheet: Worksheet) -> TaskResult<()> {
        self.read(part, |package, element| {
            match element.name().as_ref() {
                "table:table" => package.sheets += 1,
                "draw:page" => package.slides += 1,
                _ => {}
            }
            sheet.take(element)
        })
    }

    fn take_mime_type(&mut self, part: &mut dyn Read) -> TaskResult<()> {
        let mut text = String::new();
        let read = part.take(MAX_MIME_TYPE).read_to_string(&mut text);
        if read.is_ok() {
            self.format = self.format.or_else(|| declared(text.trim()));
        }
        Ok(())
    }

    fn take_encryption(&mut self, element: &BytesStart<'_>) -> TaskResult<()> {
        let algorithm = xml::attribute(element, "Algorithm").unwrap_or_default();
        self.has_rights_management |= element.local_name().as_ref() == "EncryptionMethod"
            && !FONT_OBFUSCATION.contains(&algorithm.as_str());
        Ok(())
    }

    fn take_content_type(&mut self, element: &BytesStart<'_>) -> TaskResult<()> {
        let content_type = xml::attribute(element, "ContentType").unwrap_or_default();
        match element.local_name().as_ref() {
            "Override" if content_type.eq_ignore_ascii_case(BINARY_WORKSHEET) => {
                let name = xml::attribute(element, "PartName").unwrap_or_default();
                let name = name.trim_start_matches('/').to_ascii_lowercase();
                self.worksheets.insert(name);
            }
            "Override" => self.format = self.format.or_else(|| open_xml(&content_type)),
            // Excel declares the main part of XLSB as the default type of all `.bin` parts.
            "Default" if content_type.eq_ignore_ascii_case(BINARY_WORKBOOK) => {
                self.default_format = Some(Format::Xlsb);
            }
            _ => {}
        }
        Ok(())
    }

    fn take_manifest(&mut self, element: &BytesStart<'_>) -> TaskResult<()> {
        match element.local_name().as_ref() {
            "encryption-data" => self.encrypted = true,
            "file-entry" if xml::attribute(element, "full-path").as_deref() == Some("/") => {
                let media_type = xml::attribute(element, "media-type").unwrap_or_default();
                self.format = self.format.or_else(|| declared(&media_type));
            }
            _ => {}
        }
        Ok(())
    }
}

fn is_xml(name: &str) -> bool {
    [".xml", ".rels", ".vml", ".rdf"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// Whether a part is an XML part in this directory itself.
fn is_xml_in(name: &str, directory: &str) -> bool {
    let part = name.strip_prefix(directory);
    part.is_some_and(|part| !part.contains('/') && part.ends_with(".xml"))
}

fn open_xml(content_type: &str) -> Option<Format> {
    let content_type = content_type.to_ascii_lowercase();
    if content_type == BINARY_WORKBOOK {
        return Some(Format::Xlsb);
    }
    let main = [".main+xml", ".mainasxml"]
        .iter()
        .any(|ending| content_type.ends_with(ending));
    let found = MAIN_PARTS.iter().find(|(kind, _)| {
        content_type.contains(&format!(".{kind}"))
            || content_type.contains(&format!(".ms-{}", application(kind)))
            || content_type.contains(&format!(".{}", application(kind)))
    });
    found.filter(|_| main).map(|(_, format)| *format)
}

/// The application that macro formats are named after.
fn application(kind: &str) -> &'static str {
    match kind {
        "spreadsheetml" => "excel",
        "presentationml" => "powerpoint",
        _ => "word",
    }
}

/// The format of a package that declares its media type: OpenDocument, or EPUB.
fn declared(mime_type: &str) -> Option<Format> {
    let format = Format::from_mime_type(mime_type)?;
    let is_declared = [Format::Odt, Format::Ods, Format::Odp, Format::Epub].contains(&format);
    is_declared.then_some(format)
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    const WORKBOOK: &str =
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";

    /// The format of a package with these content types and one more part.
    fn format_of(types: &str, name: &str, part: &[u8]) -> TaskResult<Format> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = ZipWriter::new(file.reopen().unwrap());
        let types = format!("<Types>{types}</Types>");
        for (name, part) in [(name, part), (CONTENT_TYPES, types.as_bytes())] {
            writer
                .start_file(name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(part).unwrap();
        }
        writer.finish().unwrap();
        check(file.path(), Format::Xlsb, false).map(|(format, _)| format)
    }

    #[test]
    fn content_types_decide_how_worksheets_are_parsed() {
        let of = |kind: &str, value: &str, content_type: &str| {
            format!("<{kind} {value} ContentType=\"{content_type}\"/>")
        };
        let xlsx = of("Override", "PartName=\"/xl/workbook.xml\"", WORKBOOK);
        let xlsb = of("Override", "PartName=\"/xl/workbook.bin\"", BINARY_WORKBOOK);
        let default = of("Default", "Extension=\"bin\"", BINARY_WORKBOOK);
        let elsewhere = of(
            "Override",
            "PartName=\"/XL/Sheets/a.bin\"",
            BINARY_WORKSHEET,
        );
        let numbers = |number: u32| number.to_le_bytes();
        let row = [&[0, 4][..], &numbers(1_000_000), &[2, 4], &numbers(9)].concat();
        let xml = |cell: &str| format!("<worksheet><row><c r=\"{cell}\"/></row></worksheet>");
        let (small, large) = (xml("A1"), xml("ZZ1000000"));
        let in_folder = "xl/worksheets/sheet1.bin";
        // An XML worksheet whose name ends in `.bin`
        let found = format_of(&xlsx, in_folder, small.as_bytes());
        assert_eq!(found.unwrap(), Format::Xlsx);
        assert!(format_of(&xlsx, in_folder, large.as_bytes()).is_err());
        assert!(format_of(&xlsb, in_folder, &row).is_err());
        assert!(format_of(&default, in_folder, &row).is_err());
        assert!(format_of(&(xlsb.clone() + &elsewhere), "xl/sheets/a.bin", &row).is_err());
        let found = format_of(&(xlsb + &elsewhere), "xl/printer.bin", &row);
        assert_eq!(found.unwrap(), Format::Xlsb);
        // Excel declares only the default; other writers declare it in XLSX, too.
        assert_eq!(format_of(&default, in_folder, &[]).unwrap(), Format::Xlsb);
        let found = format_of(&(default + &xlsx), in_folder, small.as_bytes());
        assert_eq!(found.unwrap(), Format::Xlsx);
    }

    #[test]
    fn macro_and_template_main_parts_count_and_embedded_packages_do_not() {
        let word = "application/vnd.openxmlformats-officedocument.wordprocessingml";
        for (content_type, expected) in [
            (format!("{word}.document.main+xml"), Some(Format::Docx)),
            (format!("{word}.template.main+xml"), Some(Format::Docx)),
            (format!("{word}.styles+xml"), None),
            (
                "application/vnd.ms-word.document.macroEnabled.main+xml".into(),
                Some(Format::Docx),
            ),
            (
                "application/vnd.ms-excel.sheet.macroEnabled.main+xml".into(),
                Some(Format::Xlsx),
            ),
            (
                "application/vnd.ms-excel.sheet.binary.macroEnabled.main".into(),
                Some(Format::Xlsb),
            ),
            (
                "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"
                    .into(),
                Some(Format::Pptx),
            ),
            (
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet".into(),
                None,
            ),
        ] {
            assert_eq!(open_xml(&content_type), expected, "{content_type}");
        }
    }
}
