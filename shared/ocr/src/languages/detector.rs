//! Detects the languages of a page: reads a part of it with the models of likely scripts, and identifies the language of the
//! text.

use std::path::Path;

use domain::operation::Script;
use task::{TaskError, TaskResult};

use super::super::enlarged::enlarged;
use super::super::ocr_page::{Block, Rectangle, confidence, words};
use super::super::picture::{Picture, number};
use super::super::tesseract::{OrientationDetector, Recognizer, Tesseract};
use super::first_models;
use super::identify::identify;

/// Minimum confidence of text of a script that was detected, and of text that needs no detection, in percent.
const CREDIBLE: f64 = 65.0;
const CERTAIN: f64 = 80.0;
/// Minimum confidence of a detected orientation.
const MIN_ORIENTATION_CONFIDENCE: f32 = 1.0;
/// Part of the height of a page that is read.
const PART: f64 = 0.2;
/// Scripts that Tesseract's script detection does not know, or sometimes mistakes for others.
const OTHERS: &[Script] = &[
    Script::Korean,
    Script::Thai,
    Script::Georgian,
    Script::Armenian,
    Script::Khmer,
    Script::Lao,
    Script::Myanmar,
    Script::Ethiopic,
    Script::Sinhala,
];
/// Minimum part of kana among the characters of Japanese text.
const KANA: f64 = 0.1;

/// Detects languages.
pub(super) struct Detector<'a> {
    tesseract: &'a Tesseract,
    models: &'a Path,
}

/// A text read with the model of a language.
struct Attempt {
    code: &'static str,
    text: String,
    confidence: f64,
}

impl<'a> Detector<'a> {
    pub(super) fn new(tesseract: &'a Tesseract, models: &'a Path) -> Self {
        Self { tesseract, models }
    }

    /// Returns the language of a page; `None` if it has too little text.
    pub(super) fn detect(&mut self, picture: &Picture) -> TaskResult<Option<&'static str>> {
        let enlarged = enlarged(picture).map(|(enlarged, _)| enlarged);
        let page = enlarged.as_ref().unwrap_or(picture);
        let part = densest_part(page);
        let english = self.read(&part, "eng")?;
        if english.confidence >= CERTAIN {
            return Ok(language(&english, Script::Latin));
        }
        let orientation = OrientationDetector::load(self.tesseract, self.models);
        let orientation = orientation.map_err(TaskError::Installation)?.detect(page);
        let Some(orientation) = orientation else {
            return Ok(None);
        };
        let is_turned = orientation.confidence >= MIN_ORIENTATION_CONFIDENCE;
        let turned = page.turned(orientation.degrees).filter(|_| is_turned);
        let attempt = match (orientation.script, turned) {
            (Some(Script::Latin), None) => Some((Script::Latin, english)),
            (Some(script), None) => Some((script, self.read_script(&part, script)?)),
            (Some(script), Some((turned, _))) => {
                Some((script, self.read_script(&densest_part(&turned), script)?))
            }
            (None, _) => None,
        };
        let attempt = attempt.filter(is_credible);
        if let Some(code) = attempt.and_then(|(script, attempt)| language(&attempt, script)) {
            return Ok(Some(code));
        }
        let others = OTHERS.iter();
        let others = others.map(|script| Ok((*script, self.read_script(&part, *script)?)));
        let others: Vec<(Script, Attempt)> = others.collect::<TaskResult<_>>()?;
        let best = others
            .into_iter()
            .filter(is_credible)
            .max_by(|(_, one), (_, other)| one.confidence.total_cmp(&other.confidence));
        Ok(best.and_then(|(script, attempt)| language(&attempt, script)))
    }

    /// Reads with the model of a script, or the best one of several.
    fn read_script(&self, part: &Picture, script: Script) -> TaskResult<Attempt> {
        let models = first_models(script);
        let attempts = models.iter().map(|code| self.read(part, code));
        let mut attempts: Vec<Attempt> = attempts.collect::<TaskResult<_>>()?;
        let is_east_asian = matches!(script, Script::Han | Script::Japanese);
        if is_east_asian && attempts.iter().all(|attempt| attempt.confidence < CREDIBLE) {
            let vertical = models.iter();
            let vertical = vertical.map(|code| self.read_with(part, code, &format!("{code}_vert")));
            attempts.extend(vertical.collect::<TaskResult<Vec<_>>>()?);
        }
        let best = attempts.into_iter().max_by(|one, other| {
            let rank = |attempt: &Attempt| match attempt.code {
                "jpn" if !has_kana(&attempt.text) => 0.0,
                _ => attempt.confidence,
            };
            rank(one).total_cmp(&rank(other))
        });
        best.ok_or_else(|| TaskError::Installation(format!("no language is written in {script:?}")))
    }

    fn read(&self, part: &Picture, code: &'static str) -> TaskResult<Attempt> {
        self.read_with(part, code, code)
    }

    /// Reads text in a language with a model.
    fn read_with(&self, part: &Picture, code: &'static str, model: &str) -> TaskResult<Attempt> {
        let recognizer = Recognizer::load(self.tesseract, self.models, model);
        let mut recognizer = recognizer.map_err(TaskError::Installation)?;
        let blocks = recognizer.recognize(part);
        let blocks = blocks.map_err(|_| TaskError::input_corrupt())?;
        Ok(Attempt {
            code,
            text: text(&blocks),
            confidence: confidence(words(&blocks)).unwrap_or(0.0),
        })
    }
}

fn is_credible((_, attempt): &(Script, Attempt)) -> bool {
    attempt.confidence >= CREDIBLE
}

/// Returns the language of a text that was read with the model of a script. Text of languages that cannot be told apart is in
/// that of the model.
fn language(attempt: &Attempt, script: Script) -> Option<&'static str> {
    match script {
        Script::Han | Script::Japanese => Some(attempt.code),
        Script::Latin => identify(&attempt.text, Some(script)).map(|row| row.code),
        _ => identify(&attempt.text, Some(script)).map_or(Some(attempt.code), |row| Some(row.code)),
    }
}

fn text(blocks: &[Block]) -> String {
    let words: Vec<&str> = words(blocks).map(|word| word.text.as_str()).collect();
    words.join(" ")
}

fn has_kana(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (kana, all) = letters.fold((0, 0), |(kana, all), letter| {
        let is_kana = matches!(letter, '\u{3041}'..='\u{30ff}');
        (kana + usize::from(is_kana), all + 1)
    });
    number(kana) >= KANA * number(all)
}

/// Returns the horizontal strip of a page that has the most contrast.
fn densest_part(page: &Picture) -> Picture {
    let rows: Vec<u64> = page
        .samples
        .chunks(page.width.max(1) as usize)
        .map(contrast)
        .collect();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "less than the height of a page"
    )]
    let height = ((number(rows.len()) * PART) as usize).max(1);
    let sums = rows.windows(height).map(|strip| strip.iter().sum::<u64>());
    let top = sums.enumerate().max_by_key(|(_, sum)| *sum);
    let top = number(top.map_or(0, |(index, _)| index));
    let strip = Rectangle {
        left: 0.0,
        top,
        right: page.width.into(),
        bottom: top + number(height),
    };
    page.cut(strip, 0.0).0
}

/// Returns the sum of differences between adjacent samples, sampled.
fn contrast(row: &[u8]) -> u64 {
    let pairs = row.iter().zip(row.iter().skip(2)).step_by(2);
    pairs
        .map(|(one, next)| u64::from(one.abs_diff(*next)))
        .filter(|difference| *difference > 40)
        .sum()
}

#[cfg(test)]
mod tests {
    use domain::operation::LANGUAGES;

    use super::*;

    #[test]
    fn the_strip_with_text_is_read() {
        let mut page = Picture {
            samples: vec![255; 100 * 100],
            width: 100,
            height: 100,
            resolution: Some(300),
        };
        for row in page.samples.chunks_mut(100).skip(60).take(30) {
            row.iter_mut().step_by(4).for_each(|sample| *sample = 0);
        }
        let part = densest_part(&page);
        assert_eq!((part.width, part.height), (100, 20));
        let dark = part.samples.iter().filter(|sample| **sample == 0).count();
        assert_eq!(dark, 20 * 25);
    }

    #[test]
    fn every_script_has_a_model() {
        for row in LANGUAGES {
            let models = first_models(row.script);
            let codes = LANGUAGES.iter().map(|row| row.code);
            assert!(!models.is_empty(), "{row:?}");
            assert!(
                models
                    .iter()
                    .all(|code| codes.clone().any(|other| other == *code))
            );
        }
    }

    #[test]
    fn japanese_has_kana() {
        assert!(has_kana("世界人権宣言のすべての構成員"));
        assert!(!has_kana("世界人权宣言序言"));
    }
}
