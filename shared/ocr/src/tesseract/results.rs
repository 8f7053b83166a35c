//! What the library recognised on a page.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::NonNull;

use super::super::layout::{Block, Line, Rectangle, Word};
use super::{Handle, LINE, PARAGRAPH, REGION, RIGHT_TO_LEFT, Tesseract, WORD};

/// Goes through what was recognised, word by word in reading order.
pub(super) struct Results<'a> {
    tesseract: &'a Tesseract,
    handle: NonNull<c_void>,
}

impl<'a> Results<'a> {
    /// Takes an iterator over, which stands before its first word.
    pub(super) fn new(tesseract: &'a Tesseract, handle: NonNull<c_void>) -> Self {
        Self { tesseract, handle }
    }

    /// All paragraphs.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut region = 0;
        loop {
            region += usize::from(self.begins(REGION));
            if self.begins(PARAGRAPH) {
                blocks.push(Block::new(region, self.rectangle(PARAGRAPH)));
            }
            if self.begins(LINE) || blocks.last().is_some_and(|block| block.lines.is_empty()) {
                let line = self.line();
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(line);
                }
            }
            let line = blocks.last_mut().and_then(|block| block.lines.last_mut());
            if let (Some(line), Some(word)) = (line, self.word()) {
                line.words.push(word);
            }
            // SAFETY: the iterator is alive.
            if unsafe { (self.tesseract.iterator_next)(self.handle.as_ptr(), WORD) } == 0 {
                return blocks;
            }
        }
    }

    fn page(&self) -> Handle {
        // SAFETY: the iterator is alive; the answer is the same object.
        unsafe { (self.tesseract.iterator_page)(self.handle.as_ptr()) }
    }

    fn begins(&self, level: c_int) -> bool {
        // SAFETY: the iterator is alive.
        unsafe { (self.tesseract.is_first_of)(self.page(), level) != 0 }
    }

    fn word(&self) -> Option<Word> {
        // SAFETY: the iterator is alive; the text is copied and given back to the library.
        let text = unsafe {
            let text = NonNull::new((self.tesseract.iterator_text)(self.handle.as_ptr(), WORD))?;
            let copy = CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned();
            (self.tesseract.free_text)(text.as_ptr());
            copy
        };
        // SAFETY: the iterator is alive.
        let confidence =
            unsafe { (self.tesseract.iterator_confidence)(self.handle.as_ptr(), WORD) };
        Word::new(
            &text,
            self.rectangle(WORD),
            Some(confidence.clamp(0.0, 100.0)),
        )
    }

    fn line(&self) -> Line {
        let (mut turned, mut direction, mut order, mut skew) = (0, 0, 0, 0.0);
        // SAFETY: the iterator is alive, and the places are valid for the call.
        unsafe {
            (self.tesseract.directions)(
                self.page(),
                &raw mut turned,
                &raw mut direction,
                &raw mut order,
                &raw mut skew,
            );
        }
        Line {
            rectangle: self.rectangle(LINE),
            baseline: self.four(self.tesseract.baseline, LINE),
            leftward: direction == RIGHT_TO_LEFT,
            words: Vec::new(),
        }
    }

    fn rectangle(&self, level: c_int) -> Rectangle {
        let [left, top, right, bottom] = self
            .four(self.tesseract.rectangle, level)
            .unwrap_or_default();
        Rectangle {
            left,
            top,
            right,
            bottom,
        }
    }

    /// Four numbers about the element at a level.
    fn four(&self, ask: Four, level: c_int) -> Option<[f64; 4]> {
        let (mut first, mut second, mut third, mut fourth) = (0, 0, 0, 0);
        // SAFETY: the iterator is alive, and the places are valid for the call.
        let found = unsafe {
            ask(
                self.page(),
                level,
                &raw mut first,
                &raw mut second,
                &raw mut third,
                &raw mut fourth,
            )
        };
        (found != 0).then(|| [first, second, third, fourth].map(f64::from))
    }
}

type Four =
    unsafe extern "C" fn(Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;

impl Drop for Results<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library and deleted once.
        unsafe { (self.tesseract.iterator_delete)(self.handle.as_ptr()) };
    }
}
