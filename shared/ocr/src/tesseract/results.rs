//! Converts Tesseract's results of a page.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::NonNull;

use super::super::ocr_page::{Block, Line, Rectangle, Word};
use super::super::spacing::Spacing;
use super::{
    Handle, RIL_BLOCK, RIL_PARA, RIL_TEXTLINE, RIL_WORD, Tesseract, WRITING_DIRECTION_RIGHT_TO_LEFT,
};

/// Iterates over recognized words in reading order.
pub(super) struct Results<'a> {
    tesseract: &'a Tesseract,
    handle: NonNull<c_void>,
}

impl<'a> Results<'a> {
    /// Takes ownership of a Tesseract iterator, which is positioned at its first word.
    pub(super) fn new(tesseract: &'a Tesseract, handle: NonNull<c_void>) -> Self {
        Self { tesseract, handle }
    }

    /// Returns all paragraphs.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut region = 0;
        let mut spacing = Spacing::default();
        loop {
            region += usize::from(self.is_at_start_of(RIL_BLOCK));
            if self.is_at_start_of(RIL_PARA) {
                blocks.push(Block::new(region, self.rectangle(RIL_PARA)));
            }
            if self.is_at_start_of(RIL_TEXTLINE)
                || blocks.last().is_some_and(|block| block.lines.is_empty())
            {
                let line = self.line();
                spacing = Spacing::of(self.text(RIL_TEXTLINE).unwrap_or_default());
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(line);
                }
            }
            let line = blocks.last_mut().and_then(|block| block.lines.last_mut());
            if let (Some(line), Some(word)) = (line, self.word()) {
                let joins = spacing.joins(line.words.last(), &word);
                match joins.then(|| line.words.last_mut()) {
                    Some(Some(last)) => last.append(&word),
                    _ => line.words.push(word),
                }
            }
            // SAFETY: the iterator is valid.
            if unsafe { (self.tesseract.iterator_next)(self.handle.as_ptr(), RIL_WORD) } == 0 {
                return blocks;
            }
        }
    }

    fn page(&self) -> Handle {
        // SAFETY: the iterator is valid; the function returns the same object as another type.
        unsafe { (self.tesseract.iterator_page)(self.handle.as_ptr()) }
    }

    fn is_at_start_of(&self, level: c_int) -> bool {
        // SAFETY: the iterator is valid.
        unsafe { (self.tesseract.is_at_beginning_of)(self.page(), level) != 0 }
    }

    fn word(&self) -> Option<Word> {
        let text = self.text(RIL_WORD)?;
        // SAFETY: the iterator is valid.
        let confidence =
            unsafe { (self.tesseract.iterator_confidence)(self.handle.as_ptr(), RIL_WORD) };
        Word::new(
            &text,
            self.rectangle(RIL_WORD),
            Some(confidence.clamp(0.0, 100.0)),
        )
    }

    fn text(&self, level: c_int) -> Option<String> {
        // SAFETY: the iterator is valid; the text is copied and then freed by the library.
        unsafe {
            let text = NonNull::new((self.tesseract.iterator_text)(self.handle.as_ptr(), level))?;
            let copy = CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned();
            (self.tesseract.delete_text)(text.as_ptr());
            Some(copy)
        }
    }

    fn line(&self) -> Line {
        let (mut turned, mut direction, mut order, mut skew) = (0, 0, 0, 0.0);
        // SAFETY: the iterator and the output pointers are valid.
        unsafe {
            (self.tesseract.orientation)(
                self.page(),
                &raw mut turned,
                &raw mut direction,
                &raw mut order,
                &raw mut skew,
            );
        }
        Line {
            rectangle: self.rectangle(RIL_TEXTLINE),
            baseline: self.four_values(self.tesseract.baseline, RIL_TEXTLINE),
            is_vertical: false,
            right_to_left: direction == WRITING_DIRECTION_RIGHT_TO_LEFT,
            words: Vec::new(),
        }
    }

    fn rectangle(&self, level: c_int) -> Rectangle {
        let [left, top, right, bottom] = self
            .four_values(self.tesseract.bounding_box, level)
            .unwrap_or_default();
        Rectangle {
            left,
            top,
            right,
            bottom,
        }
    }

    /// Calls a function with four output values for the element at a level.
    fn four_values(&self, function: FourValues, level: c_int) -> Option<[f64; 4]> {
        let (mut first, mut second, mut third, mut fourth) = (0, 0, 0, 0);
        // SAFETY: the iterator and the output pointers are valid.
        let found = unsafe {
            function(
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

type FourValues =
    unsafe extern "C" fn(Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;

impl Drop for Results<'_> {
    fn drop(&mut self) {
        // SAFETY: created by the library and deleted once.
        unsafe { (self.tesseract.iterator_delete)(self.handle.as_ptr()) };
    }
}
