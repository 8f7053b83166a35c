//! PDF under passwords, and freed of them.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{DecryptOptions, EncryptOptions, Operation, Password, Permission};

use crate::documents::numbered;
use crate::{corpus, poppler, qpdf, rig};

fn password(text: &str) -> Option<Password> {
    Some(Password::try_from(text.to_owned()).unwrap())
}

fn decrypt(text: Option<&str>) -> Operation {
    Operation::Decrypt(DecryptOptions {
        password: text.and_then(password),
    })
}

#[test]
fn every_protected_document_opens_with_its_password_only() {
    for (file, opens) in [
        ("enc-R2,V1,U=view,O=master.pdf", "view"),
        ("enc-R2,V1,U=view,O=master.pdf", "master"),
        ("enc-R3,V2,U=view,O=master.pdf", "view"),
        ("enc-XI-R6,V5,U=view,O=master.pdf", "view"),
        ("issue6010_2.pdf", "æøå"),
        ("aes-128.pdf", "foo"),
        ("aes-256-r6.pdf", "usersecret"),
        ("libreoffice-writer-password.pdf", "openpassword"),
        ("saslprep-r6.pdf", "SaSLprep"),
        ("simple-open-password.pdf", "password"),
    ] {
        let source = corpus::file(&format!("pdf-encrypted/{file}"));
        let run = |text| rig::code(rig::run(&source, Format::Pdf, &[decrypt(text)]));
        assert_eq!(
            run(None).err(),
            Some(JobErrorCode::PasswordRequired),
            "{file}"
        );
        let wrong = run(Some("wrong")).err();
        assert_eq!(wrong, Some(JobErrorCode::PasswordIncorrect), "{file}");
        let made = run(Some(opens)).unwrap_or_else(|code| panic!("{file}: {code:?}"));
        assert_eq!(poppler::field(made.path(), "Encrypted"), "no", "{file}");
        assert_eq!(poppler::pages(made.path()), made.artifact.pages);
        qpdf::check(made.path(), "");
    }
}

#[test]
fn what_anybody_can_open_needs_no_password() {
    for file in ["enc-R3,V2,O=master.pdf", "pr6531_2.pdf"] {
        let source = corpus::file(&format!("pdf-encrypted/{file}"));
        let made = rig::run(&source, Format::Pdf, &[decrypt(None)]).unwrap();
        assert_eq!(poppler::field(made.path(), "Encrypted"), "no", "{file}");
        assert_eq!(made.warnings(), Vec::<&str>::new());
    }
    let open = rig::run_bytes(&numbered("page", 1), Format::Pdf, &[decrypt(None)]).unwrap();
    assert_eq!(poppler::texts(open.path()), ["page 1"]);
}

#[test]
fn a_document_is_put_under_aes_256_and_may_do_what_is_allowed() {
    let step = Operation::Encrypt(EncryptOptions {
        user_password: password("pässword -- @1"),
        owner_password: password("--owner"),
        permissions: Some(vec![Permission::Print, Permission::FillForms]),
    });
    let made = rig::run_bytes(&numbered("page", 2), Format::Pdf, &[step]).unwrap();
    assert_eq!(made.artifact.pages, 2);
    qpdf::check(made.path(), "pässword -- @1");
    qpdf::check(made.path(), "--owner");
    let told = qpdf::encryption(made.path(), "pässword -- @1");
    for line in [
        "R = 6",
        "extract for any purpose: not allowed",
        "print high resolution: allowed",
        "modify document assembly: not allowed",
        "modify forms: allowed",
        "modify annotations: not allowed",
        "modify other: not allowed",
        "stream encryption method: AESv3",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let again = rig::run(made.path(), Format::Pdf, &[decrypt(Some("pässword -- @1"))]).unwrap();
    assert_eq!(poppler::texts(again.path()), ["page 1", "page 2"]);
    let refused = rig::run(made.path(), Format::Pdf, &[rig::convert(Format::Txt)]);
    assert_eq!(
        rig::code(refused).err(),
        Some(JobErrorCode::PasswordRequired)
    );
}

#[test]
fn an_owner_alone_lets_anybody_open_the_document() {
    let step = Operation::Encrypt(EncryptOptions {
        owner_password: password("owner"),
        permissions: Some(Vec::new()),
        ..EncryptOptions::default()
    });
    let made = rig::run_bytes(&numbered("page", 1), Format::Pdf, &[step]).unwrap();
    let told = poppler::field(made.path(), "Encrypted");
    assert!(
        told.starts_with("yes (print:no copy:no change:no addNotes:no"),
        "{told}"
    );
    assert_eq!(poppler::texts(made.path()), ["page 1"]);
}

#[test]
fn a_protected_document_is_not_put_under_another_password() {
    let source = corpus::file("pdf-encrypted/aes-128.pdf");
    let step = Operation::Encrypt(EncryptOptions {
        user_password: password("new"),
        ..EncryptOptions::default()
    });
    let refused = rig::run(&source, Format::Pdf, &[step]);
    assert_eq!(
        rig::code(refused).err(),
        Some(JobErrorCode::PasswordRequired)
    );
}
