//! Answers LibreOffice's password prompts while a document is loaded.
//!
//! LibreOffice prompts for the password to open the document, then for the one to modify it. Only the first prompt is answered
//! with the password; a second prompt or a failed load after it means that the password is wrong. Documents are never modified.

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use super::LoadError;
use super::interface::{Office, c_string};

/// `LOK_CALLBACK_DOCUMENT_PASSWORD` and `LOK_CALLBACK_DOCUMENT_PASSWORD_TO_MODIFY` (`LibreOfficeKitEnums.h`).
const TO_OPEN: c_int = 20;
const TO_MODIFY: c_int = 21;
/// `LOK_FEATURE_DOCUMENT_PASSWORD` and `LOK_FEATURE_DOCUMENT_PASSWORD_TO_MODIFY`: enable the prompts.
const PASSWORD_FEATURES: u64 = 0b11;

/// Answers LibreOffice's password prompts and counts them.
#[derive(Default)]
pub(super) struct PasswordPrompt {
    office: AtomicPtr<Office>,
    credentials: Mutex<Credentials>,
    prompts: AtomicU32,
}

#[derive(Default)]
struct Credentials {
    url: CString,
    password: Option<CString>,
}

impl PasswordPrompt {
    /// Sets the password for a document and registers the callback.
    pub(super) fn prepare(&self, office: &Office, url: &std::ffi::CStr, password: Option<&str>) {
        let password = password.and_then(|password| c_string(password.as_bytes()).ok());
        if let Ok(mut credentials) = self.credentials.lock() {
            *credentials = Credentials {
                url: url.to_owned(),
                password,
            };
        }
        self.prompts.store(0, Ordering::Relaxed);
        self.office
            .store(std::ptr::from_ref(office).cast_mut(), Ordering::Relaxed);
        office.set_features(PASSWORD_FEATURES);
        office.register(on_event, std::ptr::from_ref(self).cast_mut().cast());
    }

    /// The password error of a document that failed to load; `None` if there was no prompt.
    pub(super) fn outcome(&self) -> Option<LoadError> {
        let given = self
            .credentials
            .lock()
            .is_ok_and(|credentials| credentials.password.is_some());
        match (self.prompts.load(Ordering::Relaxed), given) {
            (0, _) => None,
            (_, false) => Some(LoadError::PasswordRequired),
            (_, true) => Some(LoadError::PasswordIncorrect),
        }
    }

    fn reply(&self, office: &Office, kind: c_int) {
        let first = kind == TO_OPEN && self.prompts.fetch_add(1, Ordering::Relaxed) == 0;
        if let Ok(credentials) = self.credentials.lock() {
            let password = credentials.password.as_deref().filter(|_| first);
            office.set_password(&credentials.url, password);
        }
    }
}

/// Event callback during the loading of a document.
#[expect(unsafe_code, reason = "C code calls it")]
unsafe extern "C" fn on_event(kind: c_int, _: *const c_char, prompt: *mut c_void) {
    if !matches!(kind, TO_OPEN | TO_MODIFY) {
        return;
    }
    // SAFETY: the prompt and its office outlive the loading of the document.
    unsafe {
        let prompt = &*prompt.cast::<PasswordPrompt>();
        if let Some(office) = prompt.office.load(Ordering::Relaxed).as_ref() {
            prompt.reply(office, kind);
        }
    }
}
