//! Splits the text of an amount into its number, and its sign, unit and place.

/// Currency symbols and codes before or after an amount.
const CURRENCIES: [&str; 16] = [
    "$", "€", "£", "¥", "₹", "₩", "₽", "₪", "₺", "CHF", "USD", "EUR", "GBP", "JPY", "kr", "zł",
];
const MINUS: [char; 2] = ['-', '\u{2212}'];
const SPACES: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// A number with what surrounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amount<'a> {
    /// The number, which may have a sign.
    pub(super) number: &'a str,
    /// Whether it is in parentheses, as negative amounts in accounting.
    pub(super) is_in_parentheses: bool,
    /// Whether a minus sign follows it, or precedes its currency.
    pub(super) has_outer_minus: bool,
    pub(super) is_percentage: bool,
    pub(super) currency: Option<Currency>,
}

/// A currency and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Currency {
    pub(super) symbol: &'static str,
    pub(super) is_first: bool,
    pub(super) has_space: bool,
}

impl<'a> Amount<'a> {
    /// Splits a text.
    pub(super) fn of(text: &'a str) -> Self {
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let mut amount = Self {
            number: inner.unwrap_or(text),
            is_in_parentheses: inner.is_some(),
            has_outer_minus: false,
            is_percentage: false,
            currency: None,
        };
        if let Some(body) = amount.number.strip_suffix('%') {
            (amount.number, amount.is_percentage) = (body.trim_end(), true);
            return amount;
        }
        amount.take_currency();
        let number = amount.number;
        if let Some(body) = number.strip_suffix(MINUS) {
            (amount.number, amount.has_outer_minus) = (body.trim_end_matches(SPACES), true);
        } else if let Some(body) = number.strip_prefix(MINUS) {
            amount.number = body;
            amount.has_outer_minus = amount.currency.is_none() && amount.take_currency();
            if !amount.has_outer_minus {
                amount.number = number;
            }
            return amount;
        }
        if amount.currency.is_none() {
            amount.take_currency();
        }
        amount
    }

    /// Splits off a currency, and returns whether there is one.
    fn take_currency(&mut self) -> bool {
        for symbol in CURRENCIES {
            let first = self.number.strip_prefix(symbol);
            let Some(body) = first.or_else(|| self.number.strip_suffix(symbol)) else {
                continue;
            };
            let number = body.trim_matches(SPACES);
            self.currency = Some(Currency {
                symbol,
                is_first: first.is_some(),
                has_space: number.len() < body.len(),
            });
            self.number = number;
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Amount;

    #[test]
    fn signs_and_units_are_split_off() {
        let parts = |text| {
            let amount = Amount::of(text);
            let currency = amount
                .currency
                .map(|currency| (currency.symbol, currency.is_first));
            (
                amount.number,
                amount.is_in_parentheses,
                amount.has_outer_minus,
                currency,
            )
        };
        assert_eq!(
            parts("($1,234.50)"),
            ("1,234.50", true, false, Some(("$", true)))
        );
        assert_eq!(
            parts("12,50 €"),
            ("12,50", false, false, Some(("€", false)))
        );
        assert_eq!(parts("-$5.00"), ("5.00", false, true, Some(("$", true))));
        assert_eq!(parts("$-5.00"), ("-5.00", false, false, Some(("$", true))));
        assert_eq!(parts("-5.00"), ("-5.00", false, false, None));
        assert_eq!(parts("12.50-"), ("12.50", false, true, None));
        assert_eq!(
            parts("CHF 1'000"),
            ("1'000", false, false, Some(("CHF", true)))
        );
        assert!(Amount::of("(5 %)").is_percentage);
    }
}
