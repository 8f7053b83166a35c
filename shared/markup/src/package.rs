//! Packages of Office Open XML: parts, and the relationships between them.

use domain::operation::Locale;
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use crate::archive::Archive;
use crate::error::{MarkupError, Result};
use crate::limits::{Budget, Options};
use crate::pictures::{Pictures, SharedArchive};
use crate::source::Metadata;
use crate::warning::{Loss, Losses};
use crate::xml::{self, Element};

/// Number of bytes that contain the start tag of the root element in nearly every part.
const HEAD: u64 = 4_096;

/// An open package.
pub(crate) struct Package {
    archive: SharedArchive,
    pub(crate) budget: Budget,
    pub(crate) pictures: Pictures,
    pub(crate) losses: Losses,
    /// Whether to read speaker notes.
    pub(crate) speaker_notes: bool,
    /// Locale of dates and numbers.
    pub(crate) locale: Locale,
}

/// The relationships of a part, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relations {
    by_id: Arc<HashMap<String, Relation>>,
}

/// A relationship.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    /// Last segment of its type URI, such as `image`.
    pub(crate) kind: String,
    /// Target: a part name, or a URL if it is external.
    pub(crate) target: String,
    pub(crate) external: bool,
}

impl Package {
    pub(crate) fn new(archive: SharedArchive, budget: Budget, options: &Options) -> Self {
        Self {
            pictures: Pictures::within(archive.clone()),
            archive,
            budget,
            losses: Losses::default(),
            speaker_notes: options.speaker_notes,
            locale: options.locale,
        }
    }

    /// Whether two of its parts have the same name, ignoring letter case.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.archive().is_ambiguous()
    }

    /// Returns the bytes of a part; `None` if it is missing.
    pub(crate) fn part(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.archive().part(name)
    }

    /// Returns the root element of a part without children; `None` if the part is missing.
    pub(crate) fn root(&self, name: &str) -> Result<Option<Element>> {
        let head = self.archive().head(name, HEAD);
        if let Ok(root) = xml::root(&head, &self.budget) {
            return Ok(Some(root));
        }
        let whole = self.part(name)?;
        whole
            .map(|bytes| xml::root(&bytes, &self.budget))
            .transpose()
    }

    /// Returns the root element of a part; `None` if the part is missing.
    pub(crate) fn tree(&self, name: &str) -> Result<Option<Element>> {
        let part = self.part(name)?;
        part.map(|bytes| xml::tree(&bytes, &self.budget))
            .transpose()
    }

    /// Returns the root element of an optional part. A damaged part is counted as dropped content.
    pub(crate) fn optional_tree(&mut self, name: &str) -> Result<Option<Element>> {
        match self.tree(name) {
            Err(MarkupError::Corrupt(_)) => {
                self.losses.add(Loss::Damaged);
                Ok(None)
            }
            other => other,
        }
    }

    /// Returns the relationships of a part.
    pub(crate) fn relations(&mut self, part: &str) -> Result<Relations> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = format!("{folder}/_rels/{file}.rels");
        let Some(root) = self.optional_tree(&name)? else {
            return Ok(Relations::default());
        };
        let all = root.all("rel:Relationship");
        let by_id: HashMap<String, Relation> =
            all.filter_map(|one| relation(one, folder)).collect();
        Ok(Relations {
            by_id: Arc::new(by_id),
        })
    }

    /// Returns the root element of the main part, which must have this name, and its relationships.
    pub(crate) fn main_tree(&mut self, name: &str) -> Result<(Element, Relations)> {
        let main = self.main_part()?;
        let missing = MarkupError::Corrupt("its main part is missing");
        let root = self.tree(&main)?.ok_or(missing)?;
        match root.is(name) {
            true => Ok((root, self.relations(&main)?)),
            false => Err(MarkupError::Mismatch),
        }
    }

    /// Returns the name of the main part.
    pub(crate) fn main_part(&mut self) -> Result<String> {
        // Damaged package relationships are an error: dropping them would look like another format.
        self.tree("_rels/.rels")?;
        let relations = self.relations("")?;
        let main = relations.of_kind("officeDocument").next();
        main.map(|main| main.target.clone())
            .ok_or(MarkupError::Mismatch)
    }

    /// Returns the number of the picture that a relationship targets. External and missing pictures are counted as dropped
    /// content.
    pub(crate) fn picture(&mut self, relations: &Relations, id: &str) -> Option<usize> {
        let Some(relation) = relations.get(id) else {
            self.losses.add(Loss::PictureMissing);
            return None;
        };
        if relation.external {
            self.losses.add(Loss::ExternalLinkBlocked);
            return None;
        }
        let number = self.pictures.in_part(&relation.target);
        if number.is_none() {
            self.losses.add(Loss::PictureMissing);
        }
        number
    }

    /// Returns title and language from the core properties.
    pub(crate) fn metadata(&mut self) -> Result<Metadata> {
        let relations = self.relations("")?;
        let Some(part) = relations.of_kind("core-properties").next() else {
            return Ok(Metadata::default());
        };
        let root = self.optional_tree(&part.target)?;
        let property = |name| {
            let text = root.as_ref()?.find(name)?.text();
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        Ok(Metadata {
            title: property("dc:title"),
            language: property("dc:language"),
        })
    }

    fn archive(&self) -> MutexGuard<'_, Archive> {
        self.archive.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Relations {
    /// Returns the relationship with this id.
    pub(crate) fn get(&self, id: &str) -> Option<&Relation> {
        self.by_id.get(id)
    }

    /// Returns the relationship with this id if it is internal.
    pub(crate) fn internal(&self, id: &str) -> Option<&Relation> {
        self.get(id).filter(|relation| !relation.external)
    }

    /// Returns the internal relationships of this type, sorted by id.
    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Relation> {
        let mut found: Vec<(&String, &Relation)> = self.by_id.iter().collect();
        found.retain(|(_, relation)| !relation.external && relation.kind == kind);
        found.sort_by_key(|(id, _)| id.as_str());
        found.into_iter().map(|(_, relation)| relation)
    }

    /// Returns the URL of an external relationship.
    pub(crate) fn url(&self, id: &str) -> Option<&str> {
        let relation = self.get(id)?;
        relation.external.then_some(relation.target.as_str())
    }
}

fn relation(element: &Element, folder: &str) -> Option<(String, Relation)> {
    let external = element.get("TargetMode") == Some("External");
    let target = element.get("Target")?;
    let kind = element.get("Type")?.rsplit('/').next()?;
    let relation = Relation {
        kind: kind.to_owned(),
        target: match external {
            true => target.to_owned(),
            false => resolved(folder, target),
        },
        external,
    };
    Some((element.get("Id")?.to_owned(), relation))
}

/// Resolves a target relative to the folder of the part that references it.
pub(crate) fn resolved(folder: &str, target: &str) -> String {
    let whole = match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => format!("{folder}/{target}"),
    };
    let mut steps: Vec<&str> = Vec::new();
    for step in whole.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_resolved_relative_to_their_folder() {
        assert_eq!(resolved("word", "media/a.png"), "word/media/a.png");
        assert_eq!(resolved("ppt/slides", "../media/a.png"), "ppt/media/a.png");
        assert_eq!(resolved("word", "/customXml/a.xml"), "customXml/a.xml");
        assert_eq!(resolved("", "../../../etc/passwd"), "etc/passwd");
    }
}
