//! What a reader leaves out, as jobs are told.

use std::collections::BTreeMap;

use markup::{Loss, Warning};
use task::{LeftOut, Remark};

/// What was left out of a document, besides so many of its pictures, and how many cells were cut.
pub(super) fn remarks(warnings: &[Warning], pictures: u32, cut: u32) -> Vec<Remark> {
    let mut counts = BTreeMap::new();
    let mut add = |kind: LeftOut, count: u32| {
        let all: &mut u32 = counts.entry(kind).or_default();
        *all = all.saturating_add(count);
    };
    let mut leads_outside = false;
    for warning in warnings {
        match kind(warning.loss) {
            Some(kind) => add(kind, warning.count),
            None => leads_outside = true,
        }
    }
    if pictures > 0 {
        add(LeftOut::Pictures, pictures);
    }
    let left_out = counts.into_iter();
    let left_out = left_out.map(|(kind, count)| Remark::LeftOut(kind, count));
    let others = [
        leads_outside.then_some(Remark::ExternalLinkBlocked),
        (cut > 0).then_some(Remark::CellsCut(cut)),
    ];
    left_out.chain(others.into_iter().flatten()).collect()
}

/// What kind of thing was lost; none where something outside the document is meant.
fn kind(loss: Loss) -> Option<LeftOut> {
    Some(match loss {
        Loss::ExternalLinkBlocked => return None,
        Loss::Hidden => LeftOut::Hidden,
        Loss::Chart => LeftOut::Charts,
        Loss::Object => LeftOut::Objects,
        Loss::PictureMissing => LeftOut::Pictures,
        Loss::NestedTable => LeftOut::NestedTables,
        Loss::Formula => LeftOut::Formulas,
        Loss::Damaged => LeftOut::Damage,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_told_once_a_kind() {
        let warning = |loss, page, count| Warning { loss, page, count };
        let warnings = [
            warning(Loss::Chart, 1, 2),
            warning(Loss::ExternalLinkBlocked, 1, 1),
            warning(Loss::Chart, 3, 1),
            warning(Loss::PictureMissing, 0, 1),
        ];
        let told = [
            Remark::LeftOut(LeftOut::Charts, 3),
            Remark::LeftOut(LeftOut::Pictures, 5),
            Remark::ExternalLinkBlocked,
            Remark::CellsCut(7),
        ];
        assert_eq!(remarks(&warnings, 4, 7), told);
        assert_eq!(remarks(&[], 0, 0), []);
    }

    #[test]
    fn each_kind_has_the_code_that_the_reader_names() {
        for loss in [
            Loss::Hidden,
            Loss::Chart,
            Loss::Object,
            Loss::PictureMissing,
            Loss::NestedTable,
            Loss::Formula,
            Loss::Damaged,
        ] {
            let told = remarks(
                &[Warning {
                    loss,
                    page: 1,
                    count: 1,
                }],
                0,
                0,
            );
            let codes: Vec<_> = told.iter().map(|remark| remark.warning().code).collect();
            assert_eq!(codes, [loss.code()]);
        }
    }
}
