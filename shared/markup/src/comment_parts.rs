//! Counts the comments in the parts of Office Open XML.

use crate::error::Result;
use crate::package::{Package, Relations};
use crate::xml::Element;

/// Returns the number of comments in the parts of comments to which a part of Office Open XML is related.
pub(crate) fn of_part(package: &mut Package, relations: &Relations) -> Result<u32> {
    let targets = relations.of_kind("comments");
    let targets: Vec<String> = targets.map(|part| part.target.clone()).collect();
    targets.iter().try_fold(0_u32, |count, target| {
        let root = package.optional_tree(target)?;
        let own = root.as_ref().map_or(0, listed);
        Ok(count.saturating_add(own))
    })
}

/// The comments of a document or slide are children of the root, those of a sheet are in a list. New comments of slides are in a
/// namespace of their own.
fn listed(root: &Element) -> u32 {
    let list = root.find("x:commentList").unwrap_or(root);
    let names = list
        .elements()
        .filter_map(|comment| comment.name().split(':').nth(1));
    let comments = names.filter(|name| matches!(*name, "comment" | "cm"));
    u32::try_from(comments.count()).unwrap_or(u32::MAX)
}
