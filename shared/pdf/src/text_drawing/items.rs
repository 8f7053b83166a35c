//! Splits text into shaping runs of one direction, script and font, in visual order.

use task::TaskResult;
use unicode_bidi::BidiInfo;
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script, UnicodeScript as _};
use unicode_segmentation::UnicodeSegmentation as _;

use super::faces::Faces;

/// A shaping run.
pub(super) struct Item {
    /// The characters, in logical order.
    pub(super) text: String,
    /// Whether it is right-to-left.
    pub(super) is_rtl: bool,
    /// The index of the font.
    pub(super) face: usize,
}

/// Returns the shaping runs of a text, in visual order.
///
/// # Errors
/// Lists the characters that no font has.
pub(super) fn shaping_runs(text: &str, faces: &mut Faces) -> TaskResult<Vec<Item>> {
    let text: String = text.nfc().collect();
    let bidi = BidiInfo::new(&text, None);
    let (mut items, mut missing) = (Vec::new(), String::new());
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let level = levels.get(run.start);
            let is_rtl = level.is_some_and(unicode_bidi::Level::is_rtl);
            let characters = text.get(run).unwrap_or_default();
            let mut subsets = subsets(characters, is_rtl, faces, &mut missing);
            if is_rtl {
                subsets.reverse();
            }
            items.append(&mut subsets);
        }
    }
    match missing.is_empty() {
        true => Ok(items),
        false => Err(super::missing_characters(&missing)),
    }
}

/// Splits a run of one direction, in logical order. A character of no specific script stays in the run before it, if that run's
/// font has it.
fn subsets(run: &str, is_rtl: bool, faces: &mut Faces, missing: &mut String) -> Vec<Item> {
    let mut subsets: Vec<Item> = Vec::new();
    let mut script = None;
    for cluster in run.graphemes(true) {
        let shown: String = cluster.chars().filter(|c| !is_ignorable(*c)).collect();
        let own = shown
            .chars()
            .map(|character| character.script())
            .find(is_of_a_script);
        let same_script = own.is_none() || script.is_none() || own == script;
        if let Some(last) = subsets.last_mut()
            && same_script
            && faces.has(last.face, &shown)
        {
            last.text.push_str(cluster);
        } else if let Some(face) = faces.find(&shown) {
            subsets.push(Item {
                text: cluster.to_owned(),
                is_rtl,
                face,
            });
            script = None;
        } else {
            let new = shown.chars().filter(|c| !missing.contains(*c));
            missing.extend(new.collect::<Vec<_>>());
        }
        script = own.or(script);
    }
    subsets
}

fn is_of_a_script(script: &Script) -> bool {
    !matches!(script, Script::Common | Script::Inherited | Script::Unknown)
}

/// Whether a character is an invisible format control [Unicode, Default_Ignorable_Code_Point].
fn is_ignorable(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}
