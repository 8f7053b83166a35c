//! Parses number format codes into tokens.

use super::conventions::Conventions;

/// A section of a format code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    pub(super) tokens: Vec<Token>,
    pub(super) condition: Option<Condition>,
    /// Those that the section names, without a currency.
    pub(super) conventions: Option<&'static Conventions>,
}

/// A token of a format code.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Literal(String),
    /// `0`, `#` or `?`.
    Digit(char),
    Point,
    Comma,
    Percent,
    /// Exponent; `true` displays the sign always, `false` only a negative one.
    Exponent(bool),
    Slash,
    General,
    /// The text of the cell (`@`).
    Text,
    /// A date or time component: its letter in lower case and the repeat count.
    Date(char, usize),
    /// Elapsed time, such as `[h]`: its letter and the repeat count.
    Elapsed(char, usize),
    /// AM/PM (`true`) or A/P.
    Noon(bool),
}

/// The condition of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Condition {
    sign: [bool; 3],
    value: f64,
}

impl Condition {
    pub(super) fn holds(self, value: f64) -> bool {
        let [less, equal, greater] = self.sign;
        (less && value < self.value)
            || (equal && value == self.value)
            || (greater && value > self.value)
    }

    fn parse(text: &str) -> Option<Self> {
        let number = text.trim_start_matches(['<', '>', '=']);
        let sign = match text.strip_suffix(number)? {
            "<" => [true, false, false],
            "<=" => [true, true, false],
            "=" => [false, true, false],
            ">=" => [false, true, true],
            ">" => [false, false, true],
            "<>" => [true, false, true],
            _ => return None,
        };
        Some(Self {
            sign,
            value: number.trim().parse().ok()?,
        })
    }
}

impl Section {
    pub(super) fn is_date(&self) -> bool {
        self.tokens
            .iter()
            .any(|token| matches!(token, Token::Date(..) | Token::Elapsed(..)))
    }

    pub(super) fn is_text(&self) -> bool {
        self.tokens.contains(&Token::Text)
    }
}

/// Maximum length of a code that is parsed; spreadsheets allow 255 characters.
const CHARACTERS: usize = 512;

/// Parses the sections of a code.
pub(super) fn sections(code: &str) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut rest = code.chars().take(CHARACTERS).peekable();
    while let Some(character) = rest.next() {
        if character == ';' {
            sections.push(Section::default());
            continue;
        }
        let Some(section) = sections.last_mut() else {
            break;
        };
        match character {
            '[' => {
                let inside: String = rest.by_ref().take_while(|next| *next != ']').collect();
                bracketed(&inside, section);
            }
            '"' => section.literal(
                &rest
                    .by_ref()
                    .take_while(|next| *next != '"')
                    .collect::<String>(),
            ),
            '\\' | '!' => section.literal(&rest.next().map(String::from).unwrap_or_default()),
            '_' => {
                rest.next();
                section.literal(" ");
            }
            '*' => {
                rest.next();
            }
            other => unquoted(other, &mut rest, section),
        }
    }
    sections
}

type Rest<'a> = std::iter::Peekable<std::iter::Take<std::str::Chars<'a>>>;

fn unquoted(character: char, rest: &mut Rest<'_>, section: &mut Section) {
    let token = match character {
        '0' | '#' | '?' => Token::Digit(character),
        '.' => Token::Point,
        ',' => Token::Comma,
        '%' => Token::Percent,
        '/' => Token::Slash,
        '@' => Token::Text,
        'E' | 'e' if matches!(rest.peek(), Some('+' | '-')) => {
            Token::Exponent(rest.next() == Some('+'))
        }
        'G' | 'g' if follows(rest, "eneral") => Token::General,
        'A' | 'a' if follows(rest, "m/pm") => Token::Noon(true),
        'A' | 'a' if follows(rest, "/p") => Token::Noon(false),
        'y' | 'm' | 'd' | 'h' | 's' | 'Y' | 'M' | 'D' | 'H' | 'S' => {
            let letter = character.to_ascii_lowercase();
            Token::Date(letter, 1 + repeated(letter, rest))
        }
        // Era years are not supported and displayed as years.
        'e' | 'b' => Token::Date('y', 4.max(repeated(character, rest))),
        other => return section.literal(other.encode_utf8(&mut [0; 4])),
    };
    section.tokens.push(token);
}

/// Counts and consumes the repetitions of a letter.
fn repeated(letter: char, rest: &mut Rest<'_>) -> usize {
    let mut count = 0;
    while rest
        .next_if(|next| next.eq_ignore_ascii_case(&letter))
        .is_some()
    {
        count += 1;
    }
    count
}

/// Consumes a word if it follows.
fn follows(rest: &mut Rest<'_>, word: &str) -> bool {
    let mut ahead = rest.clone();
    let found = word.chars().all(|letter| {
        ahead
            .next()
            .is_some_and(|next| next.eq_ignore_ascii_case(&letter))
    });
    if found {
        *rest = ahead;
    }
    found
}

fn bracketed(inside: &str, section: &mut Section) {
    if let Some(named) = inside.strip_prefix('$') {
        let (currency, locale) = named.split_once('-').unwrap_or((named, ""));
        match currency {
            "" => section.conventions = Conventions::named(locale),
            currency => section.literal(currency),
        }
        return;
    }
    if let Some(condition) = Condition::parse(inside) {
        section.condition = Some(condition);
        return;
    }
    let lower = inside.to_ascii_lowercase();
    match lower.chars().next() {
        Some(letter @ ('h' | 'm' | 's')) if lower.chars().all(|other| other == letter) => {
            section.tokens.push(Token::Elapsed(letter, lower.len()));
        }
        // Colors, and digits of other scripts.
        _ => {}
    }
}

impl Section {
    fn literal(&mut self, text: &str) {
        match self.tokens.last_mut() {
            Some(Token::Literal(last)) => last.push_str(text),
            _ => self.tokens.push(Token::Literal(text.to_owned())),
        }
    }
}

/// Returns the code of a built-in format [ECMA-376-1, 18.8.30] that is the same in all locales.
pub(super) fn built_in(number: u32) -> &'static str {
    match number {
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        12 => "# ?/?",
        13 => "# ??/??",
        32 => "h:mm",
        33 => "h:mm:ss",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mm:ss.0",
        48 => "##0.0E+0",
        49 => "@",
        _ => "General",
    }
}
