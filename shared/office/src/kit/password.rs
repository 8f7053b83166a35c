//! The question for a document's password, which LibreOffice asks while it loads: first to open the document, then to change
//! it. The first is answered once; being asked again, or not loading after that, means that the answer was wrong. Documents
//! are not changed here.

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use super::LoadError;
use super::interface::{Office, c_string};

/// `LOK_CALLBACK_DOCUMENT_PASSWORD` and `LOK_CALLBACK_DOCUMENT_PASSWORD_TO_MODIFY` (`LibreOfficeKitEnums.h`).
const TO_OPEN: c_int = 20;
const TO_MODIFY: c_int = 21;
/// `LOK_FEATURE_DOCUMENT_PASSWORD` and `LOK_FEATURE_DOCUMENT_PASSWORD_TO_MODIFY`: LibreOffice asks.
const ASKS: u64 = 0b11;

/// The question and its answer.
#[derive(Default)]
pub(super) struct Question {
    office: AtomicPtr<Office>,
    answer: Mutex<Answer>,
    asked: AtomicU32,
}

#[derive(Default)]
struct Answer {
    url: CString,
    password: Option<CString>,
}

impl Question {
    /// Has a document's question answered so.
    pub(super) fn answer_with(
        &self,
        office: &Office,
        url: &std::ffi::CStr,
        password: Option<&str>,
    ) {
        let password = password.and_then(|password| c_string(password.as_bytes()).ok());
        if let Ok(mut answer) = self.answer.lock() {
            *answer = Answer {
                url: url.to_owned(),
                password,
            };
        }
        self.asked.store(0, Ordering::Relaxed);
        self.office
            .store(std::ptr::from_ref(office).cast_mut(), Ordering::Relaxed);
        office.set_features(ASKS);
        office.register(told, std::ptr::from_ref(self).cast_mut().cast());
    }

    /// What a document that was not loaded asked for.
    pub(super) fn outcome(&self) -> Option<LoadError> {
        let given = self
            .answer
            .lock()
            .is_ok_and(|answer| answer.password.is_some());
        match (self.asked.load(Ordering::Relaxed), given) {
            (0, _) => None,
            (_, false) => Some(LoadError::PasswordRequired),
            (_, true) => Some(LoadError::PasswordIncorrect),
        }
    }

    fn answer(&self, office: &Office, kind: c_int) {
        let first = kind == TO_OPEN && self.asked.fetch_add(1, Ordering::Relaxed) == 0;
        if let Ok(answer) = self.answer.lock() {
            let password = answer.password.as_deref().filter(|_| first);
            office.set_password(&answer.url, password);
        }
    }
}

/// Told of everything that happens while a document is loaded.
#[expect(unsafe_code, reason = "C code calls it")]
unsafe extern "C" fn told(kind: c_int, _: *const c_char, question: *mut c_void) {
    if !matches!(kind, TO_OPEN | TO_MODIFY) {
        return;
    }
    // SAFETY: the question and the office that it was given both live as long as the kit that is loading.
    unsafe {
        let question = &*question.cast::<Question>();
        if let Some(office) = question.office.load(Ordering::Relaxed).as_ref() {
            question.answer(office, kind);
        }
    }
}
