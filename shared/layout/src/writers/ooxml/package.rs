//! OPC packages: parts, relationships and content types. Names, order and dates are deterministic.

use std::fmt::Write as _;
use std::io::{Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::writers::xml::Escaped;
use crate::writers::{Metadata, Pictures, Result, picture};

/// XML declaration.
pub(in crate::writers) const XML: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// Prefix of relationship types.
pub(in crate::writers) const OFFICE: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A package that is written part by part.
pub(in crate::writers) struct Package<W: Write + Seek> {
    zip: ZipWriter<W>,
    /// Content type overrides, as XML.
    content_types: String,
}

impl<W: Write + Seek> Package<W> {
    /// Begins a package with the main part `main`. Its relationships are written first, because file type detection reads the
    /// first entry; content types are written last.
    pub(in crate::writers) fn begin(output: W, main: &str) -> Result<Self> {
        let mut package = Self {
            zip: ZipWriter::new(output).set_auto_large_file(),
            content_types: String::new(),
        };
        let mut relations = Relations::default();
        relations.part("officeDocument", main);
        relations.other(
            "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
            "docProps/core.xml",
        );
        package.raw("_rels/.rels", CompressionMethod::Deflated)?;
        package.write_all(relations.xml().as_bytes())?;
        Ok(package)
    }

    /// Begins an XML part; following writes are its content.
    pub(in crate::writers) fn part(&mut self, name: &str, kind: &str) -> Result {
        write!(
            self.content_types,
            "<Override PartName=\"/{name}\" ContentType=\"{kind}\"/>"
        )
        .ok();
        self.raw(name, CompressionMethod::Deflated)?;
        Ok(self.write_all(XML.as_bytes())?)
    }

    /// Writes an XML part.
    pub(in crate::writers) fn write_whole(
        &mut self,
        name: &str,
        kind: &str,
        content: &str,
    ) -> Result {
        self.part(name, kind)?;
        Ok(self.write_all(content.as_bytes())?)
    }

    /// Writes the relationships of a part, if it has any.
    pub(in crate::writers) fn relations(&mut self, part: &str, relations: &Relations) -> Result {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        if relations.targets.is_empty() {
            return Ok(());
        }
        self.raw(
            &format!("{folder}/_rels/{name}.rels"),
            CompressionMethod::Deflated,
        )?;
        Ok(self.write_all(relations.xml().as_bytes())?)
    }

    /// Writes a picture.
    pub(in crate::writers) fn picture(
        &mut self,
        name: &str,
        pictures: &dyn Pictures,
        image: usize,
    ) -> Result {
        self.raw(name, CompressionMethod::Stored)?;
        std::io::copy(&mut *picture::open(pictures, image)?, &mut self.zip)?;
        Ok(())
    }

    /// Writes metadata and content types and finishes the package.
    pub(in crate::writers) fn finish(mut self, metadata: &Metadata) -> Result {
        let text = |name: &str, text: Option<&str>| {
            let text = text.filter(|text| !text.is_empty());
            text.map_or_else(String::new, |text| {
                format!("<dc:{name}>{}</dc:{name}>", Escaped(text))
            })
        };
        let (language, title) = (
            text("language", metadata.language_tag()),
            text("title", metadata.title.as_deref()),
        );
        let properties = format!(
            "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">{language}{title}</cp:coreProperties>"
        );
        let kind = "application/vnd.openxmlformats-package.core-properties+xml";
        self.write_whole("docProps/core.xml", kind, &properties)?;
        self.raw("[Content_Types].xml", CompressionMethod::Deflated)?;
        let content_types = std::mem::take(&mut self.content_types);
        write!(self.zip, "{XML}{CONTENT_TYPES}{content_types}</Types>")?;
        self.zip.finish()?.flush()?;
        Ok(())
    }

    fn raw(&mut self, name: &str, method: CompressionMethod) -> Result {
        // Fixed date: output must be deterministic.
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default());
        Ok(self.zip.start_file(name, options)?)
    }
}

impl<W: Write + Seek> Write for Package<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.zip.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.zip.flush()
    }
}

const CONTENT_TYPES: &str = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
<Default Extension=\"xml\" ContentType=\"application/xml\"/>\
<Default Extension=\"png\" ContentType=\"image/png\"/>\
<Default Extension=\"jpeg\" ContentType=\"image/jpeg\"/>\
<Default Extension=\"gif\" ContentType=\"image/gif\"/>";

/// The relationships of a part.
#[derive(Default)]
pub(in crate::writers) struct Relations {
    targets: Vec<Target>,
    numbers: std::collections::HashMap<Target, usize>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Target {
    kind: String,
    target: String,
    is_external: bool,
}

impl Relations {
    /// Adds a relationship to a part, with a type below [`OFFICE`], and returns its id.
    pub(in crate::writers) fn part(&mut self, kind: &str, target: &str) -> String {
        self.other(&format!("{OFFICE}/{kind}"), target)
    }

    /// Adds an external hyperlink.
    pub(in crate::writers) fn hyperlink(&mut self, url: &str) -> String {
        self.add(Target {
            kind: format!("{OFFICE}/hyperlink"),
            target: url.to_owned(),
            is_external: true,
        })
    }

    fn other(&mut self, kind: &str, target: &str) -> String {
        self.add(Target {
            kind: kind.to_owned(),
            target: target.to_owned(),
            is_external: false,
        })
    }

    fn add(&mut self, target: Target) -> String {
        let number = match self.numbers.get(&target) {
            Some(number) => *number,
            None => {
                self.targets.push(target.clone());
                self.numbers.insert(target, self.targets.len());
                self.targets.len()
            }
        };
        format!("rId{number}")
    }

    fn xml(&self) -> String {
        let mut xml = format!(
            "{XML}<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
        );
        for (target, number) in self.targets.iter().zip(1..) {
            let mode = if target.is_external {
                " TargetMode=\"External\""
            } else {
                ""
            };
            let (kind, target) = (&target.kind, Escaped(&target.target));
            write!(
                xml,
                "<Relationship Id=\"rId{number}\" Type=\"{kind}\" Target=\"{target}\"{mode}/>"
            )
            .ok();
        }
        xml + "</Relationships>"
    }
}
