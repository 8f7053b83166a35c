//! Features of the regions of drawings.

use std::collections::{BTreeMap, BTreeSet};

use super::marks::{Mark, MarkKind};
use super::setting::{Setting, TRIED};
use super::text::{Text, is_within, to_f32};
use crate::analysis::candidates::candidate::{Candidate, Kind};
use crate::analysis::candidates::weights::figures::FIGURE;
use crate::analysis::lines::caption_words::CaptionKind;
use crate::model::geometry::Rect;

/// Number of curves and slanted lines, of further bars of different lengths, and of words a line that count fully.
const BENDS: f32 = 16.0;
const BARS: f32 = 3.0;
const WORDS: f32 = 6.0;
/// Maximum distance of a caption, as a fraction of the text size.
const CAPTION: f32 = 4.0;
/// Tolerance for aligned edges, points.
const ALIGNED: f32 = 2.0;

/// Minimum part of the text of a diagram that is in its linked boxes, and minimum number of them.
const IN_BOXES: f32 = 0.65;
const LINKED: usize = 3;

/// Returns the candidate of a region; `None` if only rules, equal boxes and pictures without labels are drawn there.
pub(super) fn candidate(region: &Rect, setting: &Setting<'_>) -> Option<Candidate> {
    let marks: Vec<&Mark> = setting
        .marks
        .iter()
        .filter(|mark| region.contains(mark.bounds.center()))
        .collect();
    let of_kind = |kind: MarkKind| marks.iter().filter(move |mark| mark.kind == kind);
    let bends: usize = marks.iter().map(|mark| mark.bends).sum();
    let boxes: Vec<Rect> = of_kind(MarkKind::Box).map(|mark| mark.bounds).collect();
    let texts: Vec<&Text> = setting
        .near(region.top - 100.0, region.bottom + 100.0)
        .filter(|text| is_within(&text.bounds, region))
        .collect();
    let has_labels = |picture: &&&Mark| {
        let mut texts = texts.iter().take(TRIED);
        texts.any(|text| picture.bounds.contains(text.bounds.center()))
    };
    let bars = bars(&boxes);
    let mut pictures = of_kind(MarkKind::Picture).take(TRIED);
    let is_linked = is_linked(region, &texts, setting);
    let is_drawn = bends > 0 || bars > 0 || is_linked || pictures.any(|one| has_labels(&one));
    if !is_drawn {
        return None;
    }
    let area = |bounds: &Rect| bounds.width() * bounds.height();
    let covered: f32 = texts.iter().map(|text| area(&text.bounds)).sum();
    let count = to_f32(texts.len().max(1));
    let words = to_f32(texts.iter().map(|text| text.words).sum());
    let captions = texts
        .iter()
        .filter(|text| text.caption == Some(CaptionKind::Figure));
    let is_any = |is_any: bool| f32::from(u8::from(is_any));
    let near = |kind| is_any(has_caption(region, kind, setting));
    let features = vec![
        ("bends", (to_f32(bends) / BENDS).min(1.0)),
        ("bars", (to_f32(bars) / BARS).min(1.0)),
        ("text", (covered / area(region).max(1.0) * 2.0).min(1.0)),
        ("words", (words / count / WORDS).min(1.0)),
        ("lattice", to_f32(lattice(&texts)) / count),
        ("filled", filled(&boxes, &texts)),
        ("figure", near(CaptionKind::Figure)),
        ("table", near(CaptionKind::Table)),
        ("captions", is_any(captions.count() > 0)),
        ("linked", is_any(is_linked)),
    ];
    Some(Candidate::new(
        Kind::Figure,
        "drawn",
        *region,
        features,
        &FIGURE,
    ))
}

/// Whether a region has several boxes that lines connect, with most of its text in them.
fn is_linked(region: &Rect, texts: &[&Text], setting: &Setting<'_>) -> bool {
    let boxes = setting.linked.iter();
    let boxes: Vec<&Rect> = boxes.filter(|one| region.contains(one.center())).collect();
    let characters = |text: &&&Text| to_f32(text.characters);
    let is_in_box = |text: &&&Text| boxes.iter().any(|one| one.contains(text.bounds.center()));
    let all: f32 = texts.iter().map(|text| characters(&text)).sum();
    let in_boxes: f32 = texts
        .iter()
        .filter(is_in_box)
        .map(|text| characters(&text))
        .sum();
    boxes.len() >= LINKED && in_boxes >= IN_BOXES * all
}

/// Returns the largest number of further lengths of boxes of one thickness that start at one line.
fn bars(boxes: &[Rect]) -> usize {
    let most = |bar: fn(&Rect) -> (f32, f32, f32)| {
        let mut lengths: BTreeMap<(i32, i32), BTreeSet<i32>> = BTreeMap::new();
        for (base, thickness, length) in boxes.iter().map(bar) {
            let key = (whole(base), whole(thickness));
            lengths.entry(key).or_default().insert(whole(length / 2.0));
        }
        lengths.values().map(BTreeSet::len).max().unwrap_or(1) - 1
    };
    let up = most(|one| (one.bottom, one.width(), one.height()));
    let down = most(|one| (one.top, one.width(), one.height()));
    let right = most(|one| (one.left, one.height(), one.width()));
    up.max(down).max(right)
}

fn whole(value: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    let whole = value.round() as i32;
    whole
}

/// Returns the number of texts that share a baseline with one and an edge with two other texts, as the cells of tables do.
fn lattice(texts: &[&Text]) -> usize {
    let count = |value: fn(&Text) -> f32| {
        let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
        for text in texts {
            *counts.entry(whole(value(text) / ALIGNED)).or_default() += 1;
        }
        counts
    };
    let keys: [fn(&Text) -> f32; 3] = [
        |text| text.bounds.left,
        |text| text.bounds.right,
        |text| text.bounds.center().0,
    ];
    let rows = count(|text| text.baseline);
    let columns = keys.map(|key| (key, count(key)));
    let is_shared = |counts: &BTreeMap<i32, usize>, value: f32, least: usize| {
        counts
            .get(&whole(value / ALIGNED))
            .is_some_and(|count| *count >= least)
    };
    let in_lattice = texts.iter().filter(|text| {
        is_shared(&rows, text.baseline, 2)
            && columns
                .iter()
                .any(|(key, counts)| is_shared(counts, key(text), 3))
    });
    in_lattice.count()
}

/// Returns the part of the boxes that contain text.
fn filled(boxes: &[Rect], texts: &[&Text]) -> f32 {
    let (boxes, texts) = (boxes.iter().take(TRIED), texts.iter().take(TRIED));
    let has_text = |one: &&Rect| texts.clone().any(|text| one.contains(text.bounds.center()));
    to_f32(boxes.clone().filter(has_text).count()) / to_f32(boxes.len().max(1))
}

/// Whether a caption of this kind is above or below a region, or in it.
fn has_caption(region: &Rect, kind: CaptionKind, setting: &Setting<'_>) -> bool {
    let reach = CAPTION * setting.size;
    let around = Rect {
        top: region.top - reach,
        bottom: region.bottom + reach,
        ..*region
    };
    let near = setting.near(around.top - 100.0, around.bottom + 100.0);
    let mut near = near.filter(|text| text.caption == Some(kind));
    near.any(|text| around.within(&text.bounds).is_some())
}
