//! Packages of Office Open XML: parts, and the relationships between them.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use crate::archive::Archive;
use crate::error::{MarkupError, Outcome};
use crate::limits::Budget;
use crate::pictures::{Pictures, SharedArchive};
use crate::source::Metadata;
use crate::warning::{Loss, Losses};
use crate::xml::{self, Element};

/// Bytes in which the root of nearly every part begins and its attributes end.
const HEAD: u64 = 4_096;

/// A package that is read, and what is known about it so far.
pub(crate) struct Package {
    archive: SharedArchive,
    pub(crate) budget: Budget,
    pub(crate) pictures: Pictures,
    pub(crate) losses: Losses,
    /// Whether notes for the speaker are read.
    pub(crate) speaker_notes: bool,
}

/// The relationships of a part, by their ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relations {
    by_id: Arc<HashMap<String, Relation>>,
}

/// Where a relationship leads.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    /// The last word of its type, such as `image`.
    pub(crate) kind: String,
    /// A part's name, or a URL if it is external.
    pub(crate) target: String,
    pub(crate) external: bool,
}

impl Package {
    pub(crate) fn new(archive: SharedArchive, budget: Budget, speaker_notes: bool) -> Self {
        Self {
            pictures: Pictures::within(archive.clone()),
            archive,
            budget,
            losses: Losses::default(),
            speaker_notes,
        }
    }

    /// Whether two of its parts have the same name except for letter case.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.archive().is_ambiguous()
    }

    /// The bytes of a part; `None` if it is missing.
    pub(crate) fn part(&self, name: &str) -> Outcome<Option<Vec<u8>>> {
        self.archive().part(name)
    }

    /// The root element of a part without what it holds; `None` if it is missing.
    pub(crate) fn root(&self, name: &str) -> Outcome<Option<Element>> {
        let head = self.archive().head(name, HEAD);
        if let Ok(root) = xml::root(&head, &self.budget) {
            return Ok(Some(root));
        }
        let whole = self.part(name)?;
        whole
            .map(|bytes| xml::root(&bytes, &self.budget))
            .transpose()
    }

    /// The root element of a part; `None` if it is missing.
    pub(crate) fn tree(&self, name: &str) -> Outcome<Option<Element>> {
        let part = self.part(name)?;
        part.map(|bytes| xml::tree(&bytes, &self.budget))
            .transpose()
    }

    /// The same, where the rest can be read without it: what is damaged is told and left out.
    pub(crate) fn spare_tree(&mut self, name: &str) -> Outcome<Option<Element>> {
        match self.tree(name) {
            Err(MarkupError::Corrupt(_)) => {
                self.losses.add(Loss::Damaged);
                Ok(None)
            }
            other => other,
        }
    }

    /// The relationships of a part.
    pub(crate) fn relations(&mut self, part: &str) -> Outcome<Relations> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = format!("{folder}/_rels/{file}.rels");
        let Some(root) = self.spare_tree(&name)? else {
            return Ok(Relations::default());
        };
        let all = root.all("rel:Relationship");
        let by_id: HashMap<String, Relation> =
            all.filter_map(|one| relation(one, folder)).collect();
        Ok(Relations {
            by_id: Arc::new(by_id),
        })
    }

    /// The main part, whose root has this name, and what it refers to.
    pub(crate) fn main_tree(&mut self, name: &str) -> Outcome<(Element, Relations)> {
        let main = self.main_part()?;
        let missing = MarkupError::Corrupt("its main part is missing");
        let root = self.tree(&main)?.ok_or(missing)?;
        match root.is(name) {
            true => Ok((root, self.relations(&main)?)),
            false => Err(MarkupError::Mismatch),
        }
    }

    /// The name of the main part.
    pub(crate) fn main_part(&mut self) -> Outcome<String> {
        // Elsewhere damage costs what is damaged; here it would be taken for another format.
        self.tree("_rels/.rels")?;
        let relations = self.relations("")?;
        let main = relations.of_kind("officeDocument").next();
        main.map(|main| main.target.clone())
            .ok_or(MarkupError::Mismatch)
    }

    /// The number of the picture that a relationship leads to; what lies outside is told.
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

    /// What the package says about its document.
    pub(crate) fn facts(&mut self) -> Outcome<Metadata> {
        let relations = self.relations("")?;
        let Some(part) = relations.of_kind("core-properties").next() else {
            return Ok(Metadata::default());
        };
        let root = self.spare_tree(&part.target)?;
        let said = |name| {
            let text = root.as_ref()?.find(name)?.text();
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        Ok(Metadata {
            title: said("dc:title"),
            language: said("dc:language"),
        })
    }

    fn archive(&self) -> MutexGuard<'_, Archive> {
        self.archive.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Relations {
    /// The relationship of this id.
    pub(crate) fn get(&self, id: &str) -> Option<&Relation> {
        self.by_id.get(id)
    }

    /// The relationship of this id if it stays within the package.
    pub(crate) fn internal(&self, id: &str) -> Option<&Relation> {
        self.get(id).filter(|relation| !relation.external)
    }

    /// Those of this kind that stay within the package, by their ids.
    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Relation> {
        let mut found: Vec<(&String, &Relation)> = self.by_id.iter().collect();
        found.retain(|(_, relation)| !relation.external && relation.kind == kind);
        found.sort_by_key(|(id, _)| id.as_str());
        found.into_iter().map(|(_, relation)| relation)
    }

    /// The URL that a relationship leads to.
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

/// A part's name, told from another part's folder.
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
    fn targets_are_told_from_their_folder() {
        assert_eq!(resolved("word", "media/a.png"), "word/media/a.png");
        assert_eq!(resolved("ppt/slides", "../media/a.png"), "ppt/media/a.png");
        assert_eq!(resolved("word", "/customXml/a.xml"), "customXml/a.xml");
        assert_eq!(resolved("", "../../../etc/passwd"), "etc/passwd");
    }
}
