//! Removes the invisible text that an earlier OCR added to pages: the text-showing operators under text rendering mode 3
//! [ISO 32000-1, 9.3.6]. All other content stays unchanged.

use std::collections::BTreeSet;

use lopdf::{Dictionary, Document, IncrementalDocument, Object, ObjectId};
use pdf::objects::is_a;
use pdf::syntax::{is_regular, is_space};

use super::text_layer::compressed_stream;

/// Maximum bytes of the content of a page or form.
const MAX_CONTENT: usize = 64 * 1024 * 1024;
/// Text rendering modes.
const VISIBLE: f64 = 0.0;
const INVISIBLE: f64 = 3.0;
/// Maximum nesting of forms.
const MAX_DEPTH: usize = 8;

/// Removes invisible text from pages, visiting each form once.
#[derive(Default)]
pub(super) struct InvisibleTextRemover {
    seen: BTreeSet<ObjectId>,
}

impl InvisibleTextRemover {
    /// Removes invisible text from a page and the forms it draws.
    pub(super) fn clean(
        &mut self,
        document: &mut IncrementalDocument,
        page: ObjectId,
    ) -> lopdf::Result<()> {
        let before = document.get_prev_documents();
        let content = before.get_page_content_with_limit(page, MAX_CONTENT)?;
        let (own, inherited) = before.get_page_resources(page)?;
        let inherited = inherited
            .into_iter()
            .filter_map(|id| before.get_dictionary(id).ok());
        let forms: Vec<Form> = own
            .into_iter()
            .chain(inherited)
            .flat_map(|resources| forms(before, resources))
            .collect();
        let cleaned = remove_invisible_text(&content, VISIBLE);
        if let Some(cleaned) = cleaned.content {
            let stream = compressed_stream(Dictionary::new(), cleaned);
            let stream = document.new_document.add_object(stream);
            document.opt_clone_object_to_new_document(page)?;
            let page = document.new_document.get_dictionary_mut(page)?;
            page.set("Contents", stream);
        }
        self.clean_forms(document, forms, &cleaned.invisible_forms, MAX_DEPTH)
    }

    /// Cleans forms; `invisible_forms` are the names of forms drawn while the mode is invisible.
    fn clean_forms(
        &mut self,
        document: &mut IncrementalDocument,
        forms: Vec<Form>,
        invisible_forms: &BTreeSet<Vec<u8>>,
        depth: usize,
    ) -> lopdf::Result<()> {
        for (name, form) in forms {
            let mode = match invisible_forms.contains(&name) {
                true => INVISIBLE,
                false => VISIBLE,
            };
            self.clean_form(document, form, mode, depth)?;
        }
        Ok(())
    }

    fn clean_form(
        &mut self,
        document: &mut IncrementalDocument,
        id: ObjectId,
        mode: f64,
        depth: usize,
    ) -> lopdf::Result<()> {
        if depth == 0 || !self.seen.insert(id) {
            return Ok(());
        }
        let before = document.get_prev_documents();
        let form = before.get_object(id)?.as_stream()?;
        let content = form.decompressed_content_with_limit(MAX_CONTENT)?;
        let inner = match before.get_dict_in_dict(&form.dict, b"Resources") {
            Ok(resources) => forms(before, resources),
            Err(_) => Vec::new(),
        };
        let cleaned = remove_invisible_text(&content, mode);
        if let Some(cleaned) = cleaned.content {
            let mut dictionary = form.dict.clone();
            for coding in ["Filter", "DecodeParms", "Length"] {
                dictionary.remove(coding.as_bytes());
            }
            document
                .new_document
                .set_object(id, compressed_stream(dictionary, cleaned));
        }
        self.clean_forms(document, inner, &cleaned.invisible_forms, depth - 1)
    }
}

/// Resource name and object id of a form.
type Form = (Vec<u8>, ObjectId);

/// Returns the form XObjects of a resource dictionary.
fn forms(document: &Document, resources: &Dictionary) -> Vec<Form> {
    let Ok(objects) = document.get_dict_in_dict(resources, b"XObject") else {
        return Vec::new();
    };
    let is_form = |id: &ObjectId| {
        let stream = document.get_object(*id).and_then(Object::as_stream);
        stream.is_ok_and(|stream| is_a(&stream.dict, b"Form"))
    };
    let named = objects
        .iter()
        .filter_map(|(name, object)| Some((name.clone(), object.as_reference().ok()?)));
    named.filter(|(_, id)| is_form(id)).collect()
}

/// Result of cleaning a content stream.
#[derive(Default)]
struct Cleaned {
    /// The content without invisible text; `None` if it has none.
    content: Option<Vec<u8>>,
    /// Names of XObjects drawn while the mode is invisible; forms inherit the mode.
    invisible_forms: BTreeSet<Vec<u8>>,
}

/// Cleans content that starts in a text rendering mode.
fn remove_invisible_text(content: &[u8], mode: f64) -> Cleaned {
    let mut cleaned = Cleaned::default();
    let mut kept = Vec::with_capacity(content.len());
    let (mut mode, mut saved) = (mode, Vec::new());
    // Start of the bytes not yet copied, and start of the operands of the next operator.
    let (mut copied, mut operands) = (0, 0);
    let mut last = 0.0;
    let mut tokens = Tokens { content, at: 0 };
    while let Some(token) = tokens.next_token() {
        match token {
            Token::Operand(number) => {
                last = number.unwrap_or(last);
                continue;
            }
            Token::Operator(b"Tr") => mode = last,
            Token::Operator(b"q") => saved.push(mode),
            Token::Operator(b"Q") => mode = saved.pop().unwrap_or(mode),
            Token::Operator(operator @ (b"Tj" | b"TJ" | b"'" | b"\"")) if mode == INVISIBLE => {
                kept.extend_from_slice(content.get(copied..operands).unwrap_or_default());
                // These two operators start a new line first.
                if operator.len() == 1 {
                    kept.extend_from_slice(b" T*");
                }
                copied = tokens.at;
            }
            Token::Operator(b"Do") if mode == INVISIBLE => {
                let drawn = content.get(operands..tokens.at - 2).unwrap_or_default();
                let name = drawn.trim_ascii().strip_prefix(b"/");
                cleaned.invisible_forms.extend(name.map(<[u8]>::to_vec));
            }
            Token::Operator(_) => {}
        }
        operands = tokens.at;
    }
    if copied > 0 {
        kept.extend_from_slice(content.get(copied..).unwrap_or_default());
        cleaned.content = Some(kept);
    }
    cleaned
}

/// A token of a content stream.
enum Token<'a> {
    /// A number, or (a part of) another operand.
    Operand(Option<f64>),
    /// An operator; an inline image counts as one.
    Operator(&'a [u8]),
}

/// Tokenizer of a content stream [ISO 32000-1, 7.8.2].
struct Tokens<'a> {
    content: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    fn next_token(&mut self) -> Option<Token<'a>> {
        self.skip(is_space);
        let first = self.peek()?;
        let start = self.at;
        self.at += 1;
        match first {
            b'%' => self.skip(|byte| !matches!(byte, b'\n' | b'\r')),
            b'(' => self.skip_string(),
            b'<' if self.peek() == Some(b'<') => self.at += 1,
            b'<' => {
                self.skip(|byte| byte != b'>');
                self.at += 1;
            }
            b'/' => self.skip(is_regular),
            byte if is_regular(byte) => {
                self.skip(is_regular);
                return Some(self.word(start));
            }
            _ => {}
        }
        Some(Token::Operand(None))
    }

    fn word(&mut self, start: usize) -> Token<'a> {
        let word = self.content.get(start..self.at).unwrap_or_default();
        let text = std::str::from_utf8(word).unwrap_or_default();
        match (text, text.parse()) {
            ("true" | "false" | "null", _) => Token::Operand(None),
            (_, Ok(number)) if word.first().is_some_and(|byte| !byte.is_ascii_alphabetic()) => {
                Token::Operand(Some(number))
            }
            ("ID", _) => {
                self.skip_inline_image();
                Token::Operator(b"EI")
            }
            // A malformed number is not an operator.
            _ if word
                .first()
                .is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.')) =>
            {
                Token::Operand(None)
            }
            _ => Token::Operator(word),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.content.get(self.at).copied()
    }

    fn skip(&mut self, skipped: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&skipped) {
            self.at += 1;
        }
    }

    /// Skips to the closing parenthesis of a string.
    fn skip_string(&mut self) {
        let mut depth = 1;
        while let Some(byte) = self.peek().filter(|_| depth > 0) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
        }
    }

    /// Skips to the end of inline image data: `EI` between white space, followed by text.
    fn skip_inline_image(&mut self) {
        while let Some(rest) = self.content.get(self.at..).filter(|rest| !rest.is_empty()) {
            let ends = matches!(rest, [before, b'E', b'I', ..] if is_space(*before))
                && rest.get(3).is_none_or(|after| is_space(*after))
                && rest
                    .iter()
                    .skip(3)
                    .take(16)
                    .all(|byte| byte.is_ascii_graphic() || is_space(*byte));
            if ends {
                self.at += 3;
                return;
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(content: &str) -> Option<String> {
        let cleaned = remove_invisible_text(content.as_bytes(), VISIBLE).content;
        cleaned.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_form_inherits_the_text_rendering_mode() {
        let page = remove_invisible_text(b"/Seen Do 3 Tr q /Unseen Do Q 0 Tr /Last Do", VISIBLE);
        assert_eq!(page.invisible_forms, BTreeSet::from([b"Unseen".to_vec()]));
        let form = remove_invisible_text(b"BT (a) Tj 0 Tr (b) Tj ET", INVISIBLE);
        assert_eq!(form.content.unwrap(), b"BT 0 Tr (b) Tj ET");
    }

    #[test]
    fn only_invisible_text_is_removed() {
        for (content, expected) in [
            ("BT (seen) Tj ET", None),
            ("BT 3 Tr 0 Tr (seen) Tj ET", None),
            ("q 3 Tr Q BT (seen) Tj ET", None),
            ("BT 3 Tr (a) Tj ET", Some("BT 3 Tr ET")),
            (
                "BT 3 Tr 1 0 0 1 2 3 Tm [(a\\)) -3 <41>] TJ 0 Tr(b)Tj ET",
                Some("BT 3 Tr 1 0 0 1 2 3 Tm 0 Tr(b)Tj ET"),
            ),
            ("BT 3 Tr (a) ' 1 2 (b) \" ET", Some("BT 3 Tr T* T* ET")),
            (
                "3 Tr BI /W 1 ID 3 Tr (x) Tj EI /I Do (a) Tj",
                Some("3 Tr BI /W 1 ID 3 Tr (x) Tj EI /I Do"),
            ),
            ("% (3 Tr\n/3 Tr (a) Tj", None),
        ] {
            assert_eq!(cleaned(content).as_deref(), expected, "{content}");
        }
    }
}
