//! Inline images [ISO 32000-1, 8.9.7].

use crate::pdf_a::tokens::Token;

/// A member of the dictionary of an inline image.
pub(super) struct Entry<'t> {
    /// The key, abbreviated.
    pub(super) key: &'t str,
    /// The value, or the items of the array.
    pub(super) values: &'t [Token],
}

/// The filters that are allowed, with their abbreviations.
pub(super) const FILTERS: &[&str] = &[
    "/AHx",
    "/ASCIIHexDecode",
    "/A85",
    "/ASCII85Decode",
    "/Fl",
    "/FlateDecode",
    "/RL",
    "/RunLengthDecode",
    "/CCF",
    "/CCITTFaxDecode",
    "/DCT",
    "/DCTDecode",
];

/// Divides the operands of `ID` into members.
pub(super) fn entries(operands: &[Token]) -> impl Iterator<Item = Entry<'_>> {
    let mut rest = operands;
    std::iter::from_fn(move || {
        let (Token::Name(key), tail) = rest.split_first()? else {
            return None;
        };
        let end = match tail.first() {
            Some(Token::Word(word)) if word == "[" => position(tail, "]"),
            Some(Token::Word(word)) if word == "<<" => position(tail, ">>"),
            _ => 1,
        };
        let (values, following) = tail.split_at_checked(end).unwrap_or((tail, &[]));
        rest = following;
        let key = match key.as_str() {
            "/ColorSpace" => "/CS",
            "/Filter" => "/F",
            "/Interpolate" => "/I",
            key => key,
        };
        Some(Entry { key, values })
    })
}

/// The position after the first bracket of a kind.
fn position(tokens: &[Token], bracket: &str) -> usize {
    let is_bracket = |token: &Token| matches!(token, Token::Word(word) if word == bracket);
    tokens
        .iter()
        .position(is_bracket)
        .map_or(tokens.len(), |at| at + 1)
}

/// The names among the values of a member.
impl<'t> Entry<'t> {
    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        let names = self.values.iter().map(|value| match value {
            Token::Name(name) => Some(name.as_str()),
            _ => None,
        });
        names.flatten()
    }
}
