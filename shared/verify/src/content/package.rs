//! Reads the parts of a ZIP package and the relationships of an OOXML part.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use percent_encoding::percent_decode_str;
use zip::ZipArchive;

use super::item::Unreadable;
use super::xml::{Node, walk};

/// Maximum bytes of all parts that are read. Inspection limits those of a source; the same limit holds for a result.
const MAX_INFLATED: u64 = 1 << 30;

/// A package.
pub(super) struct Package {
    zip: ZipArchive<BufReader<File>>,
    left: u64,
}

/// Targets of relationships by identifier, as part names.
pub(super) type Relationships = HashMap<String, String>;

impl Package {
    pub(super) fn open(path: &Path) -> Result<Self, Unreadable> {
        Ok(Self {
            zip: ZipArchive::new(BufReader::new(File::open(path)?))?,
            left: MAX_INFLATED,
        })
    }

    /// Names of the parts, in the order of the archive.
    pub(super) fn names(&self) -> Vec<String> {
        let names = (0..self.zip.len()).filter_map(|index| self.zip.name_for_index(index));
        names.flatten().map(|name| name.into_owned()).collect()
    }

    /// Reads a part; `None` if the package has none of this name.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let Ok(part) = self.zip.by_name(name) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        part.take(self.left).read_to_end(&mut bytes)?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        match self.left {
            0 => Err(Unreadable),
            _ => Ok(Some(bytes)),
        }
    }

    /// Reads the part at a relative URL; `None` if the package has none.
    pub(super) fn linked(
        &mut self,
        folder: &str,
        link: &str,
    ) -> Result<Option<Vec<u8>>, Unreadable> {
        let link = percent_decode_str(link).decode_utf8_lossy();
        let name = part_name(folder, &link);
        self.part(name.trim_start_matches('/'))
    }

    /// Reads a part that must exist.
    pub(super) fn required(&mut self, name: &str) -> Result<Vec<u8>, Unreadable> {
        self.part(name)?.ok_or(Unreadable)
    }

    /// Reads the relationships of a part; external ones are omitted.
    pub(super) fn relationships(&mut self, name: &str) -> Result<Relationships, Unreadable> {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let Some(part) = self.part(&format!("{folder}/_rels/{file}.rels"))? else {
            return Ok(Relationships::new());
        };
        let mut targets = Relationships::new();
        walk(part.as_slice(), |node, _| {
            if let Node::Start(element) = node
                && element.name() == "Relationship"
                && !element.has("TargetMode", "External")
                && let (Some(id), Some(target)) =
                    (element.attribute("Id"), element.attribute("Target"))
            {
                targets.insert(id, part_name(folder, &target));
            }
        })?;
        Ok(targets)
    }
}

/// Resolves a target against the folder of its part.
fn part_name(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut segments: Vec<&str> = folder.split('/').collect();
    for segment in target.split('/') {
        match segment {
            "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}

/// Whether a part is a raster image by its name. Results keep other images as drawings.
pub(super) fn is_raster_image(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_resolved_against_the_folder_of_the_part() {
        assert_eq!(part_name("ppt/slides", "../media/a.png"), "ppt/media/a.png");
        assert_eq!(part_name("word", "header1.xml"), "word/header1.xml");
        assert_eq!(
            part_name("xl", "/xl/worksheets/s.xml"),
            "xl/worksheets/s.xml"
        );
    }
}
