//! Formats dates and times.

use super::code::Token;
use super::conventions::Conventions;

/// The first day after the year 9999.
const END: f64 = 2_958_466.0;

/// A date and time, by component.
struct Moment {
    year: i64,
    month: usize,
    day: i64,
    weekday: usize,
    hour: i64,
    minute: i64,
    second: i64,
    /// Milliseconds.
    fraction: i64,
    /// Seconds since day 0.
    seconds: i64,
}

/// Formats a serial date; `None` if it is out of range.
pub(super) fn show(
    tokens: &[Token],
    days: f64,
    since_1904: bool,
    conventions: &Conventions,
) -> Option<String> {
    let days = if since_1904 { days + 1_462.0 } else { days };
    if !(0.0..END).contains(&days) {
        return None;
    }
    let decimals = decimals(tokens);
    let moment = moment(days, decimals);
    let half = tokens.iter().any(|token| matches!(token, Token::Noon(_)));
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Literal(literal) => text.push_str(literal),
            Token::Date('m', count) if is_minute(tokens, index) => {
                push(&mut text, moment.minute, *count)
            }
            Token::Date('m', count) if *count > 2 => {
                let (month, follows_day) = (moment.month, has_day(tokens));
                let name = |is_short| conventions.month(month, (is_short, follows_day));
                match count {
                    3 => text.push_str(name(true)),
                    5 => text.extend(name(false).chars().take(1)),
                    _ => text.push_str(name(false)),
                }
            }
            Token::Date('d', count) if *count > 2 => {
                text.push_str(conventions.weekday(moment.weekday, *count == 3));
            }
            Token::Date(letter, count) => text.push_str(&moment.part(*letter, *count, half)),
            Token::Elapsed(letter, count) => push(&mut text, moment.elapsed(*letter), *count),
            Token::Noon(long) => {
                let name = conventions.noon.get(usize::from(moment.hour >= 12));
                let name = name.copied().unwrap_or_default();
                let letters = if *long { usize::MAX } else { 1 };
                text.extend(name.chars().take(letters));
            }
            Token::Point if is_fraction(tokens, index + 1) => {
                text.push_str(conventions.decimal_sign)
            }
            Token::Point => text.push('.'),
            Token::Digit('0') if decimals > 0 && is_fraction(tokens, index) => {
                text.push_str(&decimal(moment.fraction, fraction_place(tokens, index)));
            }
            Token::Slash => text.push_str(conventions.date_separator),
            Token::Comma => text.push(','),
            _ => {}
        }
    }
    Some(text)
}

impl Moment {
    fn part(&self, letter: char, count: usize, half: bool) -> String {
        let hour = if half {
            (self.hour + 11) % 12 + 1
        } else {
            self.hour
        };
        match (letter, count) {
            ('y', 1 | 2) => format!("{:02}", self.year % 100),
            ('y', _) => format!("{:04}", self.year),
            ('m', _) => format!("{:0count$}", self.month),
            ('d', _) => format!("{:0count$}", self.day),
            ('h', _) => format!("{hour:0width$}", width = count.min(2)),
            _ => format!("{:0width$}", self.second, width = count.min(2)),
        }
    }

    fn elapsed(&self, letter: char) -> i64 {
        match letter {
            'h' => self.seconds / 3_600,
            'm' => self.seconds / 60,
            _ => self.seconds,
        }
    }
}

/// Splits a serial date into components, rounded to the displayed fraction of a second.
fn moment(days: f64, decimals: usize) -> Moment {
    let step = 10_i64.pow(3 - decimals.min(3) as u32);
    let thousandths = ((days * 86_400_000.0) / step as f64).round() as i64 * step;
    let (seconds, fraction) = (thousandths / 1_000, thousandths % 1_000);
    let (whole, within) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(whole);
    Moment {
        year,
        month,
        day,
        weekday: ((whole + 6) % 7) as usize,
        hour: within / 3_600,
        minute: within / 60 % 60,
        second: within % 60,
        fraction,
        seconds,
    }
}

/// Converts a day number, counted from the end of 1899, to a date. Day 60 is 29 February 1900, which spreadsheets count as a
/// leap day.
fn civil(days: i64) -> (i64, usize, i64) {
    match days {
        0 => return (1900, 1, 0),
        60 => return (1900, 2, 29),
        _ => {}
    }
    // Days since 1 March of the year 0.
    let days = days + 693_899 + i64::from(days < 60);
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (
        year_of_era + era * 400 + i64::from(month <= 2),
        month as usize,
        day,
    )
}

/// Whether a day of the month is displayed, which changes the names of months in many languages.
fn has_day(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|token| matches!(token, Token::Date('d', 1 | 2)))
}

/// `m` means minutes after hours or before seconds, otherwise months.
fn is_minute(tokens: &[Token], index: usize) -> bool {
    let parts = |token: &&Token| matches!(token, Token::Date(..) | Token::Elapsed(..));
    let before = tokens.iter().take(index).rev().find(parts);
    let after = tokens.iter().skip(index + 1).find(parts);
    matches!(before, Some(Token::Date('h', _) | Token::Elapsed('h', _)))
        || matches!(after, Some(Token::Date('s', _) | Token::Elapsed('s', _)))
}

/// Returns the number of displayed digits of the fraction of a second.
fn decimals(tokens: &[Token]) -> usize {
    (0..tokens.len())
        .filter(|index| is_fraction(tokens, *index))
        .count()
        .min(3)
}

/// Whether a digit belongs to the fraction of a second.
fn is_fraction(tokens: &[Token], index: usize) -> bool {
    tokens.get(index) == Some(&Token::Digit('0')) && point(tokens, index).is_some()
}

/// Returns the index of the decimal point before a digit.
fn point(tokens: &[Token], index: usize) -> Option<usize> {
    let before = tokens.get(..index)?;
    let place = before
        .iter()
        .rposition(|token| *token != Token::Digit('0'))?;
    (before.get(place) == Some(&Token::Point)).then_some(place)
}

fn fraction_place(tokens: &[Token], index: usize) -> usize {
    index - point(tokens, index).unwrap_or(index) - 1
}

fn decimal(fraction: i64, place: usize) -> String {
    format!("{fraction:03}")
        .chars()
        .nth(place)
        .map(String::from)
        .unwrap_or_else(|| "0".to_owned())
}

fn push(text: &mut String, number: i64, width: usize) {
    text.push_str(&format!("{number:0width$}", width = width.min(2)));
}
