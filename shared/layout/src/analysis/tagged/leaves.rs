//! Characters → lines, by leaf of the structure tree.

use std::collections::HashMap;

use super::plan::Plan;
use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::pieces;
use crate::analysis::lines::line::{Line, lines};
use crate::model::geometry::Rect;
use crate::model::page_content::LinkArea;
use crate::model::structure::Tag;
use crate::model::text::Script;

/// Minimum number of lines of different sizes from which a leaf that covers the whole page is not a useful structure.
const SHAPELESS: usize = 12;

/// Maximum distance of the baselines of characters on a line, as a fraction of the font size.
const LEVEL: f32 = 0.1;
/// Maximum number of links of a page that are checked for note references.
const LINKS: usize = 1_000;

/// The lines of a page by their tags.
pub(super) struct Leaves {
    /// By leaf number, in reading order.
    pub(super) by_leaf: Vec<Vec<Line>>,
    /// Artifacts.
    pub(super) artifacts: Vec<Line>,
    /// Lines missing from the structure tree.
    pub(super) rest: Vec<Line>,
}

impl Leaves {
    /// Splits the characters of a page by their tags.
    pub(super) fn of(glyphs: Vec<Glyph>, plan: &Plan) -> Self {
        let mut tagged = Vec::new();
        let (mut artifacts, mut rest) = (Vec::new(), Vec::new());
        let mut places: Vec<Option<(usize, usize)>> =
            glyphs.iter().map(|glyph| place(glyph, plan)).collect();
        adopt(&mut places, &glyphs);
        for (glyph, place) in glyphs.into_iter().zip(places) {
            match place {
                Some((0, _)) => artifacts.push(glyph),
                Some((leaf, order)) => tagged.push(Glyph {
                    zone: leaf,
                    order,
                    ..glyph
                }),
                None => rest.push(glyph),
            }
        }
        tagged.sort_by_key(|glyph| glyph.order);
        say(&mut tagged, &plan.actual);
        Self {
            by_leaf: by_leaf(tagged, plan.leaves),
            artifacts: lines(pieces(artifacts)),
            rest: lines(pieces(rest)),
        }
    }

    /// Marks superscripts linked to their own page, which normal links are not, as references to notes.
    pub(super) fn refer(&mut self, links: &[LinkArea], page: u32) {
        let here = format!("#page={page}");
        let links = links.iter().enumerate().take(LINKS);
        let links: Vec<(usize, Rect)> = links
            .filter(|(_, link)| link.target == here)
            .map(|(index, link)| (index, link.bounds))
            .collect();
        if links.is_empty() {
            return;
        }
        let lines = self.by_leaf.iter_mut().flatten();
        let glyphs = lines
            .flat_map(|line| &mut line.pieces)
            .flat_map(|piece| &mut piece.glyphs);
        for glyph in glyphs.filter(|glyph| glyph.script == Script::Super && glyph.link.is_none()) {
            let center = glyph.bounds.center();
            let found = links.iter().find(|(_, bounds)| bounds.contains(center));
            glyph.link = found.map(|(index, _)| *index);
        }
    }

    /// Whether the structure tree covers most of the text of the page.
    pub(super) fn is_whole(&self) -> bool {
        let count =
            |lines: &[Line]| -> usize { lines.iter().map(|line| line.glyphs().count()).sum() };
        let held: usize = self.by_leaf.iter().map(|lines| count(lines)).sum();
        let rest = count(&self.rest);
        held > 0 && rest * 10 <= held + rest
    }

    /// Whether all tagged text is in one leaf with more than `SHAPELESS` lines of different font sizes: no useful structure.
    pub(super) fn is_shapeless(&self) -> bool {
        let mut filled = self.by_leaf.iter().filter(|lines| !lines.is_empty());
        let (Some(only), None) = (filled.next(), filled.next()) else {
            return false;
        };
        let sizes = || only.iter().map(|line| line.size);
        let (least, most) = (
            sizes().fold(f32::MAX, f32::min),
            sizes().fold(0.0, f32::max),
        );
        only.len() > SHAPELESS && most > least * 1.1
    }

    /// Returns all lines in the structure tree.
    pub(super) fn all(&self) -> Vec<Line> {
        self.by_leaf.iter().flatten().cloned().collect()
    }
}

fn place(glyph: &Glyph, plan: &Plan) -> Option<(usize, usize)> {
    match glyph.tag {
        Tag::None => None,
        Tag::Artifact => Some((0, 0)),
        Tag::Content(id) => plan.contents.get(&id).copied(),
    }
}

/// Places characters without a tag in the leaf of the characters that are drawn before and after them on their line:
/// browsers do not tag generated content, such as quotation marks.
fn adopt(places: &mut [Option<(usize, usize)>], glyphs: &[Glyph]) {
    let mut last: Option<(usize, (usize, usize))> = None;
    for index in 0..places.len() {
        let Some(place) = places.get(index).copied().flatten() else {
            continue;
        };
        let Some((before, own)) = last.replace((index, place)) else {
            continue;
        };
        let between = before + 1..index;
        if own.0 == place.0
            && own.0 != 0
            && let Some(begin) = glyphs.get(before)
            && let Some(places) = places.get_mut(between.clone())
        {
            let glyphs = glyphs.get(between).unwrap_or_default();
            let untagged = places.iter_mut().zip(glyphs);
            for (place, _) in untagged.filter(|(_, glyph)| is_level(begin, glyph)) {
                *place = Some(own);
            }
        }
    }
}

fn is_level(one: &Glyph, other: &Glyph) -> bool {
    (one.baseline - other.baseline).abs() <= other.size * LEVEL
}

/// Returns the lines of each leaf, in the order of its content.
fn by_leaf(mut glyphs: Vec<Glyph>, leaves: usize) -> Vec<Vec<Line>> {
    for (order, glyph) in glyphs.iter_mut().enumerate() {
        glyph.order = order;
    }
    let mut all: Vec<(usize, Line)> = lines(pieces(glyphs))
        .into_iter()
        .map(|line| (first(&line), line))
        .collect();
    all.sort_by_key(|(order, _)| *order);
    let mut by_leaf = vec![Vec::new(); leaves + 1];
    for (_, line) in all {
        by_leaf
            .get_mut(line.zone())
            .into_iter()
            .for_each(|lines| lines.push(line.clone()));
    }
    by_leaf
}

fn first(line: &Line) -> usize {
    line.glyphs().map(|glyph| glyph.order).min().unwrap_or(0)
}

/// Applies replacement text (`ActualText`) to characters.
fn say(glyphs: &mut Vec<Glyph>, actual: &[(String, Vec<u32>)]) {
    let mut texts: HashMap<u32, usize> = HashMap::new();
    for (number, (_, contents)) in actual.iter().enumerate() {
        for id in contents {
            texts.entry(*id).or_insert(number);
        }
    }
    if texts.is_empty() {
        return;
    }
    let mut said: Vec<Glyph> = Vec::with_capacity(glyphs.len());
    let mut run: Vec<Glyph> = Vec::new();
    let mut open = None;
    for glyph in std::mem::take(glyphs) {
        let number = match glyph.tag {
            Tag::Content(id) => texts.get(&id).copied(),
            _ => None,
        };
        if number != open {
            said.append(&mut spoken(std::mem::take(&mut run), open, actual));
            open = number;
        }
        run.push(glyph);
    }
    said.append(&mut spoken(run, open, actual));
    *glyphs = said;
}

/// Returns characters with their replacement text; unchanged without one, or if it is right-to-left.
fn spoken(mut run: Vec<Glyph>, number: Option<usize>, actual: &[(String, Vec<u32>)]) -> Vec<Glyph> {
    let text = number
        .and_then(|number| actual.get(number))
        .map(|(text, _)| text);
    let Some(text) =
        text.filter(|text| !text.is_empty() && !text.chars().any(bidi::is_right_to_left))
    else {
        return run;
    };
    let drawn = run.iter().map(|glyph| glyph.text);
    if text.chars().eq(drawn) {
        return run;
    }
    // The space to the next text is no part of what is replaced.
    let space = run.pop_if(|last| last.text == ' ' && !text.ends_with(' '));
    let Some(last) = run.last().cloned() else {
        return run;
    };
    let mut glyphs = run.into_iter();
    let said = text.chars().map(|text| match glyphs.next() {
        Some(glyph) => Glyph { text, ..glyph },
        None => attached(&last, text),
    });
    let mut said: Vec<Glyph> = said.collect();
    // Characters drawn beyond the replacement text keep their space.
    if let Some(end) = said.last_mut()
        && (end.baseline - last.baseline).abs() < 1.0
    {
        end.bounds.right = end.bounds.right.max(last.bounds.right);
    }
    said.extend(space);
    said
}

/// Returns a zero-width character after another one.
fn attached(last: &Glyph, text: char) -> Glyph {
    let mut glyph = Glyph {
        text,
        ..last.clone()
    };
    glyph.bounds.left = glyph.bounds.right;
    glyph
}
