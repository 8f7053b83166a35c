//! Parts of a text that are shaped at once: of one direction, one script and one font, from left to right.

use task::Outcome;
use unicode_bidi::BidiInfo;
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script, UnicodeScript as _};
use unicode_segmentation::UnicodeSegmentation as _;

use super::faces::Faces;

/// A part of a text that is shaped at once.
pub(super) struct Item {
    /// The characters, in the order in which they are read.
    pub(super) text: String,
    /// Whether they stand from right to left.
    pub(super) is_leftward: bool,
    /// The font that has them.
    pub(super) face: usize,
}

/// The parts of a text, from left to right.
///
/// # Errors
/// The characters that no font has.
pub(super) fn items(text: &str, faces: &mut Faces) -> Outcome<Vec<Item>> {
    let text: String = text.nfc().collect();
    let bidi = BidiInfo::new(&text, None);
    let (mut items, mut missing) = (Vec::new(), String::new());
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let level = levels.get(run.start);
            let is_leftward = level.is_some_and(unicode_bidi::Level::is_rtl);
            let characters = text.get(run).unwrap_or_default();
            let mut parts = parts(characters, is_leftward, faces, &mut missing);
            if is_leftward {
                parts.reverse();
            }
            items.append(&mut parts);
        }
    }
    match missing.is_empty() {
        true => Ok(items),
        false => Err(super::unwritable(&missing)),
    }
}

/// The parts of a run of one direction, in the order in which they are read. A character that belongs to no script stays
/// with what goes before it, if that has a font with it.
fn parts(run: &str, is_leftward: bool, faces: &mut Faces, missing: &mut String) -> Vec<Item> {
    let mut parts: Vec<Item> = Vec::new();
    let mut script = None;
    for cluster in run.graphemes(true) {
        let shown: String = cluster.chars().filter(|c| !is_ignorable(*c)).collect();
        let own = shown
            .chars()
            .map(|character| character.script())
            .find(is_of_a_script);
        let same_script = own.is_none() || script.is_none() || own == script;
        if let Some(last) = parts.last_mut()
            && same_script
            && faces.has(last.face, &shown)
        {
            last.text.push_str(cluster);
        } else if let Some(face) = faces.find(&shown) {
            parts.push(Item {
                text: cluster.to_owned(),
                is_leftward,
                face,
            });
            script = None;
        } else {
            let new = shown.chars().filter(|c| !missing.contains(*c));
            missing.extend(new.collect::<Vec<_>>());
        }
        script = own.or(script);
    }
    parts
}

fn is_of_a_script(script: &Script) -> bool {
    !matches!(script, Script::Common | Script::Inherited | Script::Unknown)
}

/// Whether a character tells how others are written and is not seen itself [Unicode, Default_Ignorable_Code_Point].
fn is_ignorable(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}
