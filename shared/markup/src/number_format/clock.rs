//! Dates and times.

use super::code::Piece;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// The first day beyond the year 9999.
const END: f64 = 2_958_466.0;

/// A moment in its parts.
struct Moment {
    year: i64,
    month: usize,
    day: i64,
    weekday: usize,
    hour: i64,
    minute: i64,
    second: i64,
    /// Thousandths of a second.
    fraction: i64,
    /// Seconds since the beginning of all days.
    seconds: i64,
}

/// A number of days as a date or time; `None` if there is no such day.
pub(super) fn show(pieces: &[Piece], days: f64, since_1904: bool) -> Option<String> {
    let days = if since_1904 { days + 1_462.0 } else { days };
    if !(0.0..END).contains(&days) {
        return None;
    }
    let decimals = decimals(pieces);
    let moment = moment(days, decimals);
    let half = pieces.iter().any(|piece| matches!(piece, Piece::Noon(_)));
    let mut text = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Literal(literal) => text.push_str(literal),
            Piece::Date('m', count) if is_minute(pieces, index) => {
                push(&mut text, moment.minute, *count)
            }
            Piece::Date(letter, count) => text.push_str(&moment.part(*letter, *count, half)),
            Piece::Elapsed(letter, count) => push(&mut text, moment.elapsed(*letter), *count),
            Piece::Noon(long) => text.push_str(noon(moment.hour, *long)),
            Piece::Point => text.push('.'),
            Piece::Digit('0') if decimals > 0 && is_fraction(pieces, index) => {
                text.push_str(&decimal(moment.fraction, fraction_place(pieces, index)));
            }
            Piece::Slash => text.push('/'),
            Piece::Comma => text.push(','),
            _ => {}
        }
    }
    Some(text)
}

impl Moment {
    fn part(&self, letter: char, count: usize, half: bool) -> String {
        let month = MONTHS.get(self.month - 1).copied().unwrap_or_default();
        let day = DAYS.get(self.weekday).copied().unwrap_or_default();
        let start = |name: &str, letters: usize| name.chars().take(letters).collect::<String>();
        let hour = if half {
            (self.hour + 11) % 12 + 1
        } else {
            self.hour
        };
        match (letter, count) {
            ('y', 1 | 2) => format!("{:02}", self.year % 100),
            ('y', _) => format!("{:04}", self.year),
            ('m', 1 | 2) => format!("{:0count$}", self.month),
            ('m', 3) => start(month, 3),
            ('m', 5) => start(month, 1),
            ('m', _) => month.to_owned(),
            ('d', 1 | 2) => format!("{:0count$}", self.day),
            ('d', 3) => start(day, 3),
            ('d', _) => day.to_owned(),
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

/// The parts of a moment, rounded to what is shown of a second.
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

/// The date of a day since the end of 1899, with the 29th of February 1900 that spreadsheets count.
fn civil(days: i64) -> (i64, usize, i64) {
    match days {
        0 => return (1900, 1, 0),
        60 => return (1900, 2, 29),
        _ => {}
    }
    // Days since the 1st of March of the year 0.
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

/// An `m` is minutes where hours stand before it or seconds behind it.
fn is_minute(pieces: &[Piece], index: usize) -> bool {
    let parts = |piece: &&Piece| matches!(piece, Piece::Date(..) | Piece::Elapsed(..));
    let before = pieces.iter().take(index).rev().find(parts);
    let after = pieces.iter().skip(index + 1).find(parts);
    matches!(before, Some(Piece::Date('h', _) | Piece::Elapsed('h', _)))
        || matches!(after, Some(Piece::Date('s', _) | Piece::Elapsed('s', _)))
}

/// How many figures of a second's fraction are shown.
fn decimals(pieces: &[Piece]) -> usize {
    (0..pieces.len())
        .filter(|index| is_fraction(pieces, *index))
        .count()
        .min(3)
}

/// Whether a figure belongs to the fraction of a second.
fn is_fraction(pieces: &[Piece], index: usize) -> bool {
    pieces.get(index) == Some(&Piece::Digit('0')) && point(pieces, index).is_some()
}

/// Where the point before a figure stands.
fn point(pieces: &[Piece], index: usize) -> Option<usize> {
    let before = pieces.get(..index)?;
    let place = before
        .iter()
        .rposition(|piece| *piece != Piece::Digit('0'))?;
    (before.get(place) == Some(&Piece::Point)).then_some(place)
}

fn fraction_place(pieces: &[Piece], index: usize) -> usize {
    index - point(pieces, index).unwrap_or(index) - 1
}

fn decimal(fraction: i64, place: usize) -> String {
    format!("{fraction:03}")
        .chars()
        .nth(place)
        .map(String::from)
        .unwrap_or_else(|| "0".to_owned())
}

fn noon(hour: i64, long: bool) -> &'static str {
    match (hour < 12, long) {
        (true, true) => "AM",
        (false, true) => "PM",
        (true, false) => "A",
        (false, false) => "P",
    }
}

fn push(text: &mut String, number: i64, width: usize) {
    text.push_str(&format!("{number:0width$}", width = width.min(2)));
}
