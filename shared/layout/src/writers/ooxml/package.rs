//! Packages of Office Open XML: an archive of parts, the relations between them, and what kind each part is. Names, order and
//! dates are stable.

use std::fmt::Write as _;
use std::io::{Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::writers::xml::Escaped;
use crate::writers::{Metadata, Outcome, Pictures, picture};

/// How every part of XML begins.
pub(in crate::writers) const XML: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// Where the kinds of relations are named.
pub(in crate::writers) const OFFICE: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A package that is being written, a part after another.
pub(in crate::writers) struct Package<W: Write + Seek> {
    zip: ZipWriter<W>,
    /// Which kinds the parts of XML are, as XML.
    kinds: String,
}

impl<W: Write + Seek> Package<W> {
    /// Begins a package whose main part is `main`. What a package is can be told from its first part, so this is written
    /// first; the kinds of its parts are known last.
    pub(in crate::writers) fn begin(output: W, main: &str) -> Outcome<Self> {
        let mut package = Self {
            zip: ZipWriter::new(output).set_auto_large_file(),
            kinds: String::new(),
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

    /// Begins a part of XML; what is written to the package then is its content.
    pub(in crate::writers) fn part(&mut self, name: &str, kind: &str) -> Outcome {
        write!(
            self.kinds,
            "<Override PartName=\"/{name}\" ContentType=\"{kind}\"/>"
        )
        .ok();
        self.raw(name, CompressionMethod::Deflated)?;
        Ok(self.write_all(XML.as_bytes())?)
    }

    /// A part of XML.
    pub(in crate::writers) fn whole(&mut self, name: &str, kind: &str, content: &str) -> Outcome {
        self.part(name, kind)?;
        Ok(self.write_all(content.as_bytes())?)
    }

    /// The relations of a part, if it has any.
    pub(in crate::writers) fn relations(&mut self, part: &str, relations: &Relations) -> Outcome {
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

    /// A picture.
    pub(in crate::writers) fn picture(
        &mut self,
        name: &str,
        pictures: &dyn Pictures,
        image: usize,
    ) -> Outcome {
        self.raw(name, CompressionMethod::Stored)?;
        std::io::copy(&mut *picture::open(pictures, image)?, &mut self.zip)?;
        Ok(())
    }

    /// Title, language and the kinds of parts; then the package is whole.
    pub(in crate::writers) fn finish(mut self, metadata: &Metadata) -> Outcome {
        let text = |name: &str, text: Option<&str>| {
            let text = text.filter(|text| !text.is_empty());
            text.map_or_else(String::new, |text| {
                format!("<dc:{name}>{}</dc:{name}>", Escaped(text))
            })
        };
        let (language, title) = (
            text("language", metadata.tongue()),
            text("title", metadata.title.as_deref()),
        );
        let properties = format!(
            "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">{language}{title}</cp:coreProperties>"
        );
        let kind = "application/vnd.openxmlformats-package.core-properties+xml";
        self.whole("docProps/core.xml", kind, &properties)?;
        self.raw("[Content_Types].xml", CompressionMethod::Deflated)?;
        let kinds = std::mem::take(&mut self.kinds);
        write!(self.zip, "{XML}{KINDS}{kinds}</Types>")?;
        self.zip.finish()?.flush()?;
        Ok(())
    }

    fn raw(&mut self, name: &str, method: CompressionMethod) -> Outcome {
        // A date would differ from run to run.
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

const KINDS: &str = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
<Default Extension=\"xml\" ContentType=\"application/xml\"/>\
<Default Extension=\"png\" ContentType=\"image/png\"/>\
<Default Extension=\"jpeg\" ContentType=\"image/jpeg\"/>\
<Default Extension=\"gif\" ContentType=\"image/gif\"/>";

/// What a part relates to.
#[derive(Default)]
pub(in crate::writers) struct Relations {
    targets: Vec<Target>,
    numbers: std::collections::HashMap<Target, usize>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Target {
    kind: String,
    target: String,
    is_outside: bool,
}

impl Relations {
    /// A part of the package, as one of the kinds of [`OFFICE`]. Gives the relation's identifier.
    pub(in crate::writers) fn part(&mut self, kind: &str, target: &str) -> String {
        self.other(&format!("{OFFICE}/{kind}"), target)
    }

    /// A URL that text leads to.
    pub(in crate::writers) fn outside(&mut self, url: &str) -> String {
        self.add(Target {
            kind: format!("{OFFICE}/hyperlink"),
            target: url.to_owned(),
            is_outside: true,
        })
    }

    fn other(&mut self, kind: &str, target: &str) -> String {
        self.add(Target {
            kind: kind.to_owned(),
            target: target.to_owned(),
            is_outside: false,
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
            let mode = if target.is_outside {
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
