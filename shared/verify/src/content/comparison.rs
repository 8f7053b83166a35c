//! Compares the words of a source with those of a result, in bounded memory: one pass over each, and a second one over the
//! text of the result if words are missing.

mod counts;
mod order;
mod passages;
mod recorded;
mod surplus;
mod wanted;

use task::{HiddenContent, Shortfall};

use self::counts::{Counts, MAX_DISTINCT};
pub(super) use self::order::Measured;
use self::recorded::Recorded;
use self::surplus::Surplus;
use self::wanted::Wanted;
use super::item::{Item, Place, Take, Unreadable};
use super::words::Figures;

/// Reads a document, from its beginning at each call.
pub(super) type ReadItems<'a> = &'a dyn Fn(Take<'_>) -> Result<(), Unreadable>;

/// How a source and its result are compared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rules {
    /// Whether a cell of text may become a number in the result.
    pub(super) texts_become_numbers: bool,
    /// Whether the result keeps images.
    pub(super) images: bool,
    /// Whether the result keeps tables.
    pub(super) tables: bool,
    /// Whether the result has a part for each slide or sheet.
    pub(super) parts: bool,
    /// Whether the text of the source is an approximation itself: that of a PDF, where symbols may be encoded as letters, and bold
    /// letters drawn twice.
    pub(super) approximate: bool,
    /// Whether the ends of lines of the result divide words.
    pub(super) divides_words: bool,
    /// Whether the result keeps numbers.
    pub(super) numbers: bool,
    /// Whether typed cells have the same values in the result.
    pub(super) values: bool,
    /// The comparison of shapes that slides do not show.
    pub(super) hidden_shapes: HiddenShapes,
    /// How numbers in text are compared: as a whole if some of them are in typed cells.
    pub(super) figures: Figures,
}

/// How shapes that slides do not show are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HiddenShapes {
    /// Not at all: the reader of the source reports those that it drops.
    #[default]
    Ignored,
    /// The result has none: they are counted.
    Counted,
    /// The result has them as well.
    Wanted,
}

/// What a result misses.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) words: Shortfall,
    pub(super) numbers: Shortfall,
    pub(super) images: Shortfall,
    pub(super) tables: Shortfall,
    pub(super) parts: Shortfall,
    /// Number of charts of the source.
    pub(super) charts: u64,
    /// Content of the source that slides do not show.
    pub(super) hidden: HiddenContent,
    /// Words that both have once.
    pub(super) order: Measured,
    /// Places of missing words, without repetitions in a row.
    pub(super) places: Vec<Place>,
}

/// Returns what the result misses.
///
/// # Errors
/// [`Unreadable`] if one of the documents cannot be read or is too large to be compared.
pub(super) fn compare(
    source: ReadItems<'_>,
    result: ReadItems<'_>,
    rules: Rules,
) -> Result<Difference, Unreadable> {
    let mut found = Counts::new(rules);
    let mut recorded = Recorded::default();
    result(&mut |item, _| {
        recorded.add(item);
        found.add(item);
    })?;
    found.add(Item::Break);
    if found.words.len() > MAX_DISTINCT {
        return Err(Unreadable);
    }
    let mut wanted = Wanted::new(&mut found, rules);
    source(&mut |item, place| wanted.add(item, place))?;
    wanted.end();
    let Wanted {
        mut missing,
        unsearched,
        words,
        numbers,
        images,
        tables,
        parts,
        charts,
        hidden,
        unknown,
        changed,
        changed_at,
        passages,
        ..
    } = wanted;
    let order = found.order.measure();
    // Numbers of the result may be those of the source that it calculates, or as it writes dates that have no value.
    let mut excused = found.unknown.saturating_sub(unknown);
    if !missing.is_empty() || (rules.numbers && numbers > found.numbers) {
        let mut surplus = Surplus::new(&mut found, rules, &missing);
        recorded.replay(&mut |item| surplus.add(item), |take| {
            result(&mut |item, _| take(item))
        })?;
        surplus.add(Item::Break);
        surplus.remove_from(&mut missing, words);
        let figures = surplus.figures;
        found.numbers += figures;
        excused += figures;
        missing.retain(|(word, _)| !found.accounts_for_marker(word));
    }
    if rules.approximate {
        // Symbols are encoded as letters.
        missing.retain(|(word, _)| word.len() > 1 || has_digit(word));
        passages.excuse_repeated(&mut missing);
    }
    let mut places: Vec<Place> = missing.iter().map(|(_, place)| *place).collect();
    let is_tolerated = rules.approximate && places.len() as u64 <= tolerated(words);
    if is_tolerated && let Some(inside) = passages.places(&missing) {
        places = inside;
    }
    let count = places.len() as u64 + unsearched;
    let changed = changed.saturating_sub(excused);
    if rules.numbers && changed > 0 {
        found.numbers = found.numbers.min(numbers.saturating_sub(changed));
        places.extend(changed_at);
        places.sort_by_key(|place| (place.number, place.cell));
    }
    places.dedup();
    let shortfall = |wanted: u64, found: u64| Shortfall {
        missing: wanted.saturating_sub(found),
        of: wanted,
    };
    Ok(Difference {
        words: Shortfall {
            missing: count,
            of: words,
        },
        charts,
        hidden,
        order,
        numbers: match rules.numbers {
            true => shortfall(numbers, found.numbers),
            false => Shortfall::default(),
        },
        images: match rules.images {
            true => shortfall(images, found.images),
            false => Shortfall::default(),
        },
        tables: match rules.tables {
            true => shortfall(tables, found.tables),
            false => Shortfall::default(),
        },
        parts: match rules.parts {
            true => shortfall(parts, found.parts),
            false => Shortfall::default(),
        },
        places,
    })
}

/// How many scattered words an approximate text may have more than a complete result.
fn tolerated(words: u64) -> u64 {
    (words / 100).max(2)
}

fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests;
