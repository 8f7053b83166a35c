//! Decimal numbers, percents, powers of ten and fractions.

use super::code::{Piece, Section};

/// A number as it is shown where nothing says how: fifteen figures that count, as many as a spreadsheet keeps.
pub(super) fn general(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return "0".to_owned();
    }
    if !(1e-9..1e15).contains(&magnitude) {
        return scientific(value);
    }
    let before = magnitude.log10().floor() as i32 + 1;
    let decimals = (15 - before).clamp(0, 20) as usize;
    trimmed(format!("{value:.decimals$}"))
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.14e}");
    let (number, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    format!(
        "{}E{}{:02}",
        trimmed(number.to_owned()),
        if power < 0 { '-' } else { '+' },
        power.abs()
    )
}

fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number with so many decimals. Halves are rounded away from zero, as people do, and of the figures only those that
/// a spreadsheet keeps count.
fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.14e}");
    let (number, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let mut figures: Vec<u8> = number
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|figure| figure - b'0')
        .collect();
    // The place of the first figure behind those that are kept.
    let kept = power + 1 + decimals as i32;
    if kept < 0 {
        return format!("{:.decimals$}", 0.0);
    }
    let up = figures
        .get(kept as usize)
        .is_some_and(|figure| *figure >= 5);
    figures.resize(kept as usize, 0);
    if up && carry(&mut figures) {
        figures.insert(0, 1);
    }
    let figures: String = figures
        .iter()
        .map(|figure| char::from(b'0' + figure))
        .collect();
    let width = decimals + 1;
    let figures = format!("{figures:0>width$}");
    let (whole, behind) = figures.split_at(figures.len() - decimals);
    if decimals == 0 {
        whole.to_owned()
    } else {
        format!("{whole}.{behind}")
    }
}

/// Adds one to the last figure; whether one is carried beyond the first.
fn carry(figures: &mut [u8]) -> bool {
    for figure in figures.iter_mut().rev() {
        if *figure < 9 {
            *figure += 1;
            return false;
        }
        *figure = 0;
    }
    true
}

/// A number by a section of a code; `None` if it is shown as if nothing said how.
pub(super) fn show(section: &Section, value: f64) -> Option<String> {
    let pieces = section.pieces.as_slice();
    if pieces.contains(&Piece::General) {
        return Some(with_general(pieces, value));
    }
    let is_fraction = pieces.contains(&Piece::Slash)
        && pieces.iter().any(|piece| matches!(piece, Piece::Digit(_)));
    let shown = match is_fraction {
        true => fraction(pieces, value.abs()),
        false => decimal(pieces, value.abs()),
    };
    let is_zero = !shown
        .chars()
        .any(|character| ('1'..='9').contains(&character));
    let has_figures = pieces.iter().any(|piece| matches!(piece, Piece::Digit(_)));
    Some(if value < 0.0 && has_figures && !is_zero {
        format!("-{shown}")
    } else {
        shown
    })
}

fn with_general(pieces: &[Piece], value: f64) -> String {
    let shown = pieces.iter().map(|piece| match piece {
        Piece::General => general(value),
        Piece::Literal(literal) => literal.clone(),
        _ => String::new(),
    });
    shown.collect()
}

/// The places of figures in a code.
struct Places {
    /// Before the point, from left to right.
    whole: Vec<char>,
    decimals: Vec<char>,
    grouped: bool,
    /// How many thousands the number is divided by.
    scale: i32,
    percent: i32,
    exponent: Option<(bool, usize)>,
}

fn decimal(pieces: &[Piece], value: f64) -> String {
    let places = places(pieces);
    let value = value * 100_f64.powi(places.percent) / 1_000_f64.powi(places.scale);
    let (value, power) = match places.exponent {
        Some(_) => mantissa(value, &places),
        None => (value, 0),
    };
    let text = rounded(value, places.decimals.len().min(30));
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let whole = padded(whole, &places);
    let decimals = cut(decimals, &places.decimals);
    laid_out(pieces, &places, (&whole, &decimals), power)
}

/// The number before its power of ten, and the power.
fn mantissa(value: f64, places: &Places) -> (f64, i32) {
    if value == 0.0 {
        return (0.0, 0);
    }
    let step = places.whole.len().max(1) as i32;
    let mut power = value.log10().floor() as i32;
    // Several places before the point make powers that they divide.
    power = if step > 1 {
        power.div_euclid(step) * step
    } else {
        power
    };
    let mantissa = value / 10_f64.powi(power);
    match rounded(mantissa, places.decimals.len().min(30)).parse::<f64>() {
        Ok(rounded) if rounded >= 10_f64.powi(step) => (mantissa / 10_f64.powi(step), power + step),
        _ => (mantissa, power),
    }
}

fn places(pieces: &[Piece]) -> Places {
    let mut places = Places {
        whole: Vec::new(),
        decimals: Vec::new(),
        grouped: false,
        scale: 0,
        percent: 0,
        exponent: None,
    };
    let (mut behind_point, mut commas) = (false, 0);
    for piece in pieces {
        match piece {
            Piece::Digit(digit) => {
                places.grouped |= commas > 0 && !behind_point;
                commas = 0;
                match &mut places.exponent {
                    Some((_, count)) => *count += 1,
                    None if behind_point => places.decimals.push(*digit),
                    None => places.whole.push(*digit),
                }
            }
            Piece::Comma if places.whole.len() + places.decimals.len() > 0 => commas += 1,
            Piece::Point => {
                places.scale += std::mem::take(&mut commas);
                behind_point = true;
            }
            Piece::Percent => places.percent += 1,
            Piece::Exponent(signed) => places.exponent = Some((*signed, 0)),
            _ => {}
        }
    }
    places.scale += commas;
    places
}

/// The figures before the point, with as many as the code asks for and groups of three if it does.
fn padded(whole: &str, places: &Places) -> String {
    let asked = places
        .whole
        .iter()
        .position(|digit| *digit == '0')
        .map_or(0, |first| places.whole.len() - first);
    let whole = whole.trim_start_matches('0');
    let whole = format!("{}{whole}", "0".repeat(asked.saturating_sub(whole.len())));
    if !places.grouped {
        return whole;
    }
    let mut text = String::new();
    for (index, figure) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(figure);
    }
    text
}

/// The figures behind the point, without zeros that the code does not ask for.
fn cut(decimals: &str, places: &[char]) -> String {
    let asked = places
        .iter()
        .rposition(|digit| *digit == '0')
        .map_or(0, |last| last + 1);
    let said = decimals.trim_end_matches('0').len();
    decimals.chars().take(asked.max(said)).collect()
}

/// The pieces of a code with the figures in their places: all that come before the point at its first place, and so on.
fn laid_out(
    pieces: &[Piece],
    places: &Places,
    (whole, decimals): (&str, &str),
    power: i32,
) -> String {
    let (mut text, mut behind_point, mut in_power) = (String::new(), false, false);
    let mut whole = spread(whole, places).into_iter();
    let mut decimals = Some(decimals);
    for piece in pieces {
        match piece {
            Piece::Digit(_) if in_power => {}
            Piece::Digit(_) if behind_point => text.push_str(decimals.take().unwrap_or_default()),
            Piece::Digit(_) => text.push_str(whole.next().unwrap_or_default()),
            Piece::Point => {
                behind_point = true;
                let shows = decimals.is_some_and(|decimals| !decimals.is_empty())
                    || places.decimals.is_empty();
                text.push_str(if shows { "." } else { "" });
            }
            Piece::Percent => text.push('%'),
            Piece::Literal(literal) => text.push_str(literal),
            Piece::Exponent(signed) => {
                in_power = true;
                let width = places.exponent.map_or(1, |(_, count)| count.clamp(1, 5));
                let sign = if power < 0 {
                    "-"
                } else if *signed {
                    "+"
                } else {
                    ""
                };
                text.push_str(&format!("E{sign}{:0width$}", power.abs()));
            }
            _ => {}
        }
    }
    text
}

/// The figures before the point by their places: the first place takes all that have none of their own.
fn spread<'a>(whole: &'a str, places: &Places) -> Vec<&'a str> {
    let count = places.whole.len();
    if places.grouped {
        return vec![whole];
    }
    let beyond = whole.len().saturating_sub(count.saturating_sub(1));
    let short = count.saturating_sub(whole.len());
    let mut spread = vec![""; short.min(count.saturating_sub(1))];
    let (first, mut rest) = whole.split_at(if short > 0 {
        whole.len().min(1)
    } else {
        beyond
    });
    spread.push(first);
    while !rest.is_empty() {
        let (figure, behind) = rest.split_at(1);
        spread.push(figure);
        rest = behind;
    }
    spread
}

/// A whole number and a fraction, or a fraction alone.
fn fraction(pieces: &[Piece], value: f64) -> String {
    let slash = pieces
        .iter()
        .position(|piece| *piece == Piece::Slash)
        .unwrap_or(0);
    let (before, after) = pieces.split_at(slash);
    let figures = |pieces: &[Piece]| {
        pieces
            .iter()
            .filter(|piece| matches!(piece, Piece::Digit(_)))
            .count()
    };
    let groups = before
        .split(|piece| !matches!(piece, Piece::Digit(_)))
        .filter(|group| !group.is_empty())
        .count();
    let whole = if groups > 1 { value.trunc() } else { 0.0 };
    let fixed = after.iter().find_map(|piece| match piece {
        Piece::Literal(text) => text.trim().parse::<u32>().ok().filter(|number| *number > 0),
        _ => None,
    });
    let most = 10_u32.pow(figures(after).clamp(1, 3) as u32) - 1;
    let (above, below) = match fixed {
        Some(below) => (((value - whole) * f64::from(below)).round(), below),
        None => nearest(value - whole, most),
    };
    let (whole, above) = if above >= f64::from(below) && groups > 1 {
        (whole + 1.0, 0.0)
    } else {
        (whole, above)
    };
    match (
        whole > 0.0 || (groups > 1 && above == 0.0),
        above > 0.0 || groups < 2,
    ) {
        (true, true) => format!("{whole} {above}/{below}"),
        (true, false) => format!("{whole}"),
        _ => format!("{above}/{below}"),
    }
}

/// The nearest fraction with a denominator of at most so much.
fn nearest(value: f64, most: u32) -> (f64, u32) {
    let mut best = (value.round(), 1, f64::INFINITY);
    for below in 1..=most {
        let above = (value * f64::from(below)).round();
        let distance = (value - above / f64::from(below)).abs();
        if distance + 1e-12 < best.2 {
            best = (above, below, distance);
        }
    }
    (best.0, best.1)
}
