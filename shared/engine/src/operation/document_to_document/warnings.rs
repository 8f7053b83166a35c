//! Maps the losses of a reader to warnings.

use std::collections::BTreeMap;

use markup::Loss;
use task::{DroppedContent, Warning};

/// Returns the warnings for dropped content, unreadable `pictures` and truncated cells (`cut`).
pub(in super::super) fn warnings(
    losses: &[markup::Warning],
    pictures: u32,
    cut: u32,
) -> Vec<Warning> {
    let mut counts = BTreeMap::new();
    let mut add = |kind: DroppedContent, count: u32| {
        let all: &mut u32 = counts.entry(kind).or_default();
        *all = all.saturating_add(count);
    };
    let mut blocks_external = false;
    for lost in losses {
        match kind(lost.loss) {
            Some(kind) => add(kind, lost.count),
            None => blocks_external = true,
        }
    }
    if pictures > 0 {
        add(DroppedContent::Pictures, pictures);
    }
    let dropped = counts.into_iter();
    let dropped = dropped.map(|(kind, count)| Warning::Dropped(kind, count));
    let others = [
        blocks_external.then_some(Warning::ExternalResourcesBlocked),
        (cut > 0).then_some(Warning::CellsTruncated(cut)),
    ];
    dropped.chain(others.into_iter().flatten()).collect()
}

/// The kind of dropped content; `None` for a blocked external resource.
fn kind(loss: Loss) -> Option<DroppedContent> {
    Some(match loss {
        Loss::ExternalLinkBlocked => return None,
        Loss::Hidden => DroppedContent::Hidden,
        Loss::Chart => DroppedContent::Charts,
        Loss::Object => DroppedContent::Objects,
        Loss::PictureMissing => DroppedContent::Pictures,
        Loss::NestedTable => DroppedContent::DeeplyNestedTables,
        Loss::Formula => DroppedContent::UncachedFormulas,
        Loss::Damaged => DroppedContent::Damage,
        Loss::Comment => DroppedContent::Comments,
        Loss::SheetHeader => DroppedContent::SheetHeaders,
        Loss::MasterText => DroppedContent::MasterTexts,
        Loss::Link => DroppedContent::Links,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_summed_by_kind() {
        let warning = |loss, page, count| markup::Warning { loss, page, count };
        let losses = [
            warning(Loss::Chart, 1, 2),
            warning(Loss::ExternalLinkBlocked, 1, 1),
            warning(Loss::Chart, 3, 1),
            warning(Loss::PictureMissing, 0, 1),
        ];
        let expected = [
            Warning::Dropped(DroppedContent::Charts, 3),
            Warning::Dropped(DroppedContent::Pictures, 5),
            Warning::ExternalResourcesBlocked,
            Warning::CellsTruncated(7),
        ];
        assert_eq!(warnings(&losses, 4, 7), expected);
        assert_eq!(warnings(&[], 0, 0), []);
    }

    #[test]
    fn each_kind_has_the_code_of_its_loss() {
        for loss in [
            Loss::Hidden,
            Loss::Chart,
            Loss::Object,
            Loss::PictureMissing,
            Loss::NestedTable,
            Loss::Formula,
            Loss::Damaged,
            Loss::Comment,
            Loss::SheetHeader,
            Loss::MasterText,
            Loss::Link,
        ] {
            let actual = warnings(
                &[markup::Warning {
                    loss,
                    page: 1,
                    count: 1,
                }],
                0,
                0,
            );
            let codes: Vec<_> = actual
                .iter()
                .map(|warning| warning.to_job_warning().code)
                .collect();
            assert_eq!(codes, [loss.code()]);
        }
    }
}
