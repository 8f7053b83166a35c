//! Formats decimal numbers, percentages, scientific notation and fractions.

use super::code::{Section, Token};
use super::conventions::Conventions;

/// Formats a number with the General format: up to 15 significant digits, the precision of spreadsheets.
pub(super) fn general(value: f64, conventions: &Conventions) -> String {
    plain(value).replace('.', conventions.decimal_sign)
}

fn plain(value: f64) -> String {
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

/// Rounds half away from zero to this number of decimals, starting from the 15 significant digits that a spreadsheet keeps.
fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.14e}");
    let (number, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let mut figures: Vec<u8> = number
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|figure| figure - b'0')
        .collect();
    // Index of the first digit that is dropped.
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

/// Increments the last digit with carry; returns `true` if the carry leaves the first digit.
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

/// Formats a number by a section.
pub(super) fn show(section: &Section, value: f64, conventions: &Conventions) -> Option<String> {
    let tokens = section.tokens.as_slice();
    if tokens.contains(&Token::General) {
        return Some(with_general(tokens, value, conventions));
    }
    let is_fraction = tokens.contains(&Token::Slash)
        && tokens.iter().any(|token| matches!(token, Token::Digit(_)));
    let shown = match is_fraction {
        true => fraction(tokens, value.abs()),
        false => decimal(tokens, value.abs(), conventions),
    };
    let is_zero = !shown
        .chars()
        .any(|character| ('1'..='9').contains(&character));
    let has_figures = tokens.iter().any(|token| matches!(token, Token::Digit(_)));
    Some(if value < 0.0 && has_figures && !is_zero {
        format!("-{shown}")
    } else {
        shown
    })
}

fn with_general(tokens: &[Token], value: f64, conventions: &Conventions) -> String {
    let shown = tokens.iter().map(|token| match token {
        Token::General => general(value, conventions),
        Token::Literal(literal) => literal.clone(),
        _ => String::new(),
    });
    shown.collect()
}

/// The digit placeholders of a section.
struct Places {
    /// Before the decimal point, from left to right.
    whole: Vec<char>,
    decimals: Vec<char>,
    grouped: bool,
    /// Number of times the value is divided by 1,000.
    scale: i32,
    percent: i32,
    exponent: Option<(bool, usize)>,
}

fn decimal(tokens: &[Token], value: f64, conventions: &Conventions) -> String {
    let places = places(tokens);
    let value = value * 100_f64.powi(places.percent) / 1_000_f64.powi(places.scale);
    let (value, power) = match places.exponent {
        Some(_) => mantissa(value, &places),
        None => (value, 0),
    };
    let text = rounded(value, places.decimals.len().min(30));
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let whole = padded(whole, &places, conventions);
    let decimals = cut(decimals, &places.decimals);
    lay_out(tokens, &places, (&whole, &decimals), power, conventions)
}

/// Returns the mantissa and the exponent.
fn mantissa(value: f64, places: &Places) -> (f64, i32) {
    if value == 0.0 {
        return (0.0, 0);
    }
    let step = places.whole.len().max(1) as i32;
    let mut power = value.log10().floor() as i32;
    // With several digits before the point the exponent is a multiple of their number (engineering notation).
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

fn places(tokens: &[Token]) -> Places {
    let mut places = Places {
        whole: Vec::new(),
        decimals: Vec::new(),
        grouped: false,
        scale: 0,
        percent: 0,
        exponent: None,
    };
    let (mut behind_point, mut commas) = (false, 0);
    for token in tokens {
        match token {
            Token::Digit(digit) => {
                places.grouped |= commas > 0 && !behind_point;
                commas = 0;
                match &mut places.exponent {
                    Some((_, count)) => *count += 1,
                    None if behind_point => places.decimals.push(*digit),
                    None => places.whole.push(*digit),
                }
            }
            Token::Comma if places.whole.len() + places.decimals.len() > 0 => commas += 1,
            Token::Point => {
                places.scale += std::mem::take(&mut commas);
                behind_point = true;
            }
            Token::Percent => places.percent += 1,
            Token::Exponent(signed) => places.exponent = Some((*signed, 0)),
            _ => {}
        }
    }
    places.scale += commas;
    places
}

/// Pads the integer part to the required digits and groups thousands if the code does.
fn padded(whole: &str, places: &Places, conventions: &Conventions) -> String {
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
        let left = whole.len() - index;
        let ends_group = match conventions.groups_of_two {
            true => left == 3 || (left > 3 && left % 2 == 1),
            false => left.is_multiple_of(3),
        };
        if index > 0 && ends_group {
            text.push_str(conventions.thousands_separator);
        }
        text.push(figure);
    }
    text
}

/// Drops trailing zeros of the fraction beyond the required digits.
fn cut(decimals: &str, places: &[char]) -> String {
    let asked = places
        .iter()
        .rposition(|digit| *digit == '0')
        .map_or(0, |last| last + 1);
    let significant = decimals.trim_end_matches('0').len();
    decimals.chars().take(asked.max(significant)).collect()
}

/// Lays out the tokens with the digits in their placeholders: literals may be between digits.
fn lay_out(
    tokens: &[Token],
    places: &Places,
    (whole, decimals): (&str, &str),
    power: i32,
    conventions: &Conventions,
) -> String {
    let (mut text, mut behind_point, mut in_power) = (String::new(), false, false);
    let mut whole = spread(whole, places).into_iter();
    let mut decimals = Some(decimals);
    for token in tokens {
        match token {
            Token::Digit(_) if in_power => {}
            Token::Digit(_) if behind_point => text.push_str(decimals.take().unwrap_or_default()),
            Token::Digit(_) => text.push_str(whole.next().unwrap_or_default()),
            Token::Point => {
                behind_point = true;
                let shows = decimals.is_some_and(|decimals| !decimals.is_empty())
                    || places.decimals.is_empty();
                text.push_str(if shows { conventions.decimal_sign } else { "" });
            }
            Token::Percent => text.push('%'),
            Token::Literal(literal) => text.push_str(literal),
            Token::Exponent(signed) => {
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

/// Distributes the digits of the integer part over the placeholders; the first one takes the surplus.
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

/// Formats a mixed or a simple fraction.
fn fraction(tokens: &[Token], value: f64) -> String {
    let slash = tokens
        .iter()
        .position(|token| *token == Token::Slash)
        .unwrap_or(0);
    let (before, after) = tokens.split_at(slash);
    let figures = |tokens: &[Token]| {
        tokens
            .iter()
            .filter(|token| matches!(token, Token::Digit(_)))
            .count()
    };
    let groups = before
        .split(|token| !matches!(token, Token::Digit(_)))
        .filter(|group| !group.is_empty())
        .count();
    let whole = if groups > 1 { value.trunc() } else { 0.0 };
    let fixed = after.iter().find_map(|token| match token {
        Token::Literal(text) => text.trim().parse::<u32>().ok().filter(|number| *number > 0),
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

/// Returns the nearest fraction with a denominator of at most `most`.
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
