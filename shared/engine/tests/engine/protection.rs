//! Operations `encrypt` and `decrypt`, passwords and permissions.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{DecryptOptions, EncryptOptions, Operation, Password, Permission};

use crate::sample_documents::numbered;
use crate::{corpus, harness, poppler, qpdf};

fn password(text: &str) -> Option<Password> {
    Some(Password::try_from(text.to_owned()).unwrap())
}

fn decrypt(text: Option<&str>) -> Operation {
    Operation::Decrypt(DecryptOptions {
        password: text.and_then(password),
    })
}

#[test]
fn protected_documents_open_with_their_password_only() {
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
        let run = |text| harness::code(harness::run(&source, Format::Pdf, &[decrypt(text)]));
        assert_eq!(
            run(None).err(),
            Some(JobErrorCode::PasswordRequired),
            "{file}"
        );
        let wrong = run(Some("wrong")).err();
        assert_eq!(wrong, Some(JobErrorCode::PasswordIncorrect), "{file}");
        let result = run(Some(opens)).unwrap_or_else(|code| panic!("{file}: {code:?}"));
        assert_eq!(poppler::field(result.path(), "Encrypted"), "no", "{file}");
        assert_eq!(poppler::pages(result.path()), result.artifact.pages);
        qpdf::check(result.path(), "");
    }
}

#[test]
fn documents_with_an_owner_password_only_need_no_password() {
    for file in ["enc-R3,V2,O=master.pdf", "pr6531_2.pdf"] {
        let source = corpus::file(&format!("pdf-encrypted/{file}"));
        let result = harness::run(&source, Format::Pdf, &[decrypt(None)]).unwrap();
        assert_eq!(poppler::field(result.path(), "Encrypted"), "no", "{file}");
        assert_eq!(result.warnings(), Vec::<&str>::new());
    }
    let open = harness::run_bytes(&numbered("page", 1), Format::Pdf, &[decrypt(None)]).unwrap();
    assert_eq!(poppler::texts(open.path()), ["page 1"]);
}

#[test]
fn encrypt_uses_aes_256_and_sets_permissions() {
    let step = Operation::Encrypt(EncryptOptions {
        user_password: password("pässword -- @1"),
        owner_password: password("--owner"),
        permissions: Some(vec![Permission::Print, Permission::FillForms]),
    });
    let result = harness::run_bytes(&numbered("page", 2), Format::Pdf, &[step]).unwrap();
    assert_eq!(result.artifact.pages, 2);
    qpdf::check(result.path(), "pässword -- @1");
    qpdf::check(result.path(), "--owner");
    let reported = qpdf::encryption(result.path(), "pässword -- @1");
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
        assert!(reported.contains(line), "{line}: {reported}");
    }
    let again = harness::run(
        result.path(),
        Format::Pdf,
        &[decrypt(Some("pässword -- @1"))],
    )
    .unwrap();
    assert_eq!(poppler::texts(again.path()), ["page 1", "page 2"]);
    let rejected = harness::run(result.path(), Format::Pdf, &[harness::convert(Format::Txt)]);
    assert_eq!(
        harness::code(rejected).err(),
        Some(JobErrorCode::PasswordRequired)
    );
}

#[test]
fn owner_password_alone_leaves_the_document_readable() {
    let step = Operation::Encrypt(EncryptOptions {
        owner_password: password("owner"),
        permissions: Some(Vec::new()),
        ..EncryptOptions::default()
    });
    let result = harness::run_bytes(&numbered("page", 1), Format::Pdf, &[step]).unwrap();
    let reported = poppler::field(result.path(), "Encrypted");
    assert!(
        reported.starts_with("yes (print:no copy:no change:no addNotes:no"),
        "{reported}"
    );
    assert_eq!(poppler::texts(result.path()), ["page 1"]);
}

#[test]
fn encrypting_a_protected_document_is_rejected() {
    let source = corpus::file("pdf-encrypted/aes-128.pdf");
    let step = Operation::Encrypt(EncryptOptions {
        user_password: password("new"),
        ..EncryptOptions::default()
    });
    let rejected = harness::run(&source, Format::Pdf, &[step]);
    assert_eq!(
        harness::code(rejected).err(),
        Some(JobErrorCode::PasswordRequired)
    );
}

/// A document of two pages encrypted by qpdf, with restrictions.
fn protected(
    kind: &[&str],
    passwords: (&str, &str),
    restrictions: &[&str],
) -> tempfile::NamedTempFile {
    let plain = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(plain.path(), numbered("page", 2)).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let status = std::process::Command::new("qpdf")
        .args(["--allow-weak-crypto", "--encrypt", passwords.0, passwords.1])
        .args(kind)
        .args(restrictions)
        .arg("--")
        .args([plain.path(), file.path()])
        .status();
    assert!(status.unwrap().success());
    file
}

/// Every encryption scheme of PDF, as qpdf's arguments.
const KINDS: [&[&str]; 5] = [
    &["40"],
    &["128", "--use-aes=n"],
    &["128", "--use-aes=y"],
    &["256", "--force-R5"],
    &["256"],
];

fn step(options: serde_json::Value) -> Operation {
    Operation::read(&options, "$").unwrap_or_else(|fault| panic!("{options}: {fault:?}"))
}

fn convert(to: &str, password: Option<&str>) -> Operation {
    let mut options = serde_json::json!({"operation": "convert", "format": to});
    if let Some(password) = password {
        options["password"] = password.into();
    }
    step(options)
}

#[test]
fn protected_documents_convert_with_either_password() {
    for kind in KINDS {
        let file = protected(kind, ("user", "owner"), &[]);
        for to in ["txt", "png", "jpeg", "webp"] {
            let run = |password| {
                let steps = [convert(to, password)];
                harness::code(harness::run(file.path(), Format::Pdf, &steps))
            };
            assert_eq!(
                run(None).err(),
                Some(JobErrorCode::PasswordRequired),
                "{kind:?} {to}"
            );
            let wrong = run(Some("wrong")).err();
            assert_eq!(
                wrong,
                Some(JobErrorCode::PasswordIncorrect),
                "{kind:?} {to}"
            );
            for password in ["user", "owner"] {
                let result =
                    run(Some(password)).unwrap_or_else(|code| panic!("{kind:?} {to}: {code:?}"));
                assert_eq!(result.artifact.pages, 2);
                assert_eq!(result.warnings(), Vec::<&str>::new());
                if to == "txt" {
                    assert_eq!(result.bytes(), b"page 1\n\x0cpage 2\n", "{kind:?}");
                }
            }
        }
    }
}

#[test]
fn unprotected_documents_ignore_a_password() {
    let result = harness::run_bytes(
        &numbered("page", 1),
        Format::Pdf,
        &[convert("txt", Some("any"))],
    );
    assert_eq!(result.unwrap().bytes(), b"page 1\n");
}

#[test]
fn decryption_normalizes_the_password() {
    let source = corpus::file("pdf-encrypted/saslprep-r6.pdf");
    let result = harness::run(
        &source,
        Format::Pdf,
        &[convert("png", Some("SªSL\u{ad}prep"))],
    );
    assert_eq!(result.unwrap().artifact.pages, 1);
}

#[test]
fn encryption_normalizes_passwords_with_saslprep() {
    let step = Operation::Encrypt(EncryptOptions {
        user_password: password("S\u{aa}SL\u{ad}prep"),
        owner_password: password("\u{2168}"),
        ..EncryptOptions::default()
    });
    let result = harness::run_bytes(&numbered("page", 1), Format::Pdf, &[step]).unwrap();
    qpdf::check(result.path(), "SaSLprep");
    qpdf::check(result.path(), "IX");
    for typed in ["S\u{aa}SL\u{ad}prep", "SaSLprep", "\u{2168}"] {
        let open = harness::run(result.path(), Format::Pdf, &[decrypt(Some(typed))]).unwrap();
        assert_eq!(poppler::texts(open.path()), ["page 1"], "{typed}");
    }
}

#[test]
fn user_password_does_not_lift_restrictions() {
    let encrypted = |permissions| {
        let step = Operation::Encrypt(EncryptOptions {
            user_password: password("user"),
            permissions,
            ..EncryptOptions::default()
        });
        let result = harness::run_bytes(&numbered("page", 1), Format::Pdf, &[step]).unwrap();
        qpdf::check(result.path(), "user");
        qpdf::encryption(result.path(), "user")
    };
    const OWNER: &str = "Supplied password is owner password";
    let restricted = encrypted(Some(vec![Permission::Print]));
    assert!(!restricted.contains(OWNER), "{restricted}");
    assert!(
        restricted.contains("modify other: not allowed"),
        "{restricted}"
    );
    let free = encrypted(None);
    assert!(free.contains(OWNER), "{free}");
}

#[test]
fn rewritten_documents_get_a_protection_removed_warning() {
    let source = protected(&["256"], ("", "owner"), &["--print=none"]);
    for operation in ["metadata", "repair"] {
        let steps = [step(match operation {
            "metadata" => serde_json::json!({"operation": "metadata", "title": "Title"}),
            _ => serde_json::json!({"operation": operation}),
        })];
        let result = harness::run(source.path(), Format::Pdf, &steps).unwrap();
        assert_eq!(result.warnings(), ["protection_removed"], "{operation}");
    }
}

#[test]
fn unchanged_documents_stay_protected() {
    let source = protected(&["256"], ("", "owner"), &["--print=none"]);
    let read = step(serde_json::json!({"operation": "ocr", "output": "pdf"}));
    let result = harness::run(source.path(), Format::Pdf, &[read]).unwrap();
    assert_eq!(result.bytes(), std::fs::read(source.path()).unwrap());
    assert_eq!(result.warnings(), ["text_kept"]);
}

#[test]
fn ocr_needs_extract_and_modify_permissions() {
    const KIND: &[&str] = &["128", "--use-aes=n"];
    let read = step(serde_json::json!({"operation": "ocr", "output": "pdf", "mode": "force"}));
    for (allowed, expected) in [
        (&["--extract=y"][..], false),
        (&["--modify-other=y"], false),
        (&["--modify-other=y", "--accessibility=y"], true),
        (&["--modify-other=y", "--extract=y"], true),
    ] {
        let name = |option: &str| option.split('=').next().unwrap().to_owned();
        let is_other = |option: &&str| allowed.iter().all(|one| name(one) != name(option));
        let mut restrictions: Vec<&str> = NOTHING.into_iter().filter(is_other).collect();
        restrictions.extend(allowed);
        let file = protected(KIND, ("", "owner"), &restrictions);
        let steps = std::slice::from_ref(&read);
        let rejected = harness::code(harness::run(file.path(), Format::Pdf, steps)).err();
        let denied = (!expected).then_some(JobErrorCode::PermissionDenied);
        assert_eq!(rejected, denied, "{allowed:?}");
    }
}

/// Every operation on PDF with the permissions it needs.
fn operations() -> Vec<(Operation, &'static [&'static str])> {
    use serde_json::json;
    const ASSEMBLING: &[&str] = &["--assemble=y", "--modify-other=y"];
    const CHANGING: &[&str] = &["--modify-other=y"];
    const FINISHING: &[&str] = &["--modify-other=y", "--form=y"];
    const READING: &[&str] = &["--extract=y", "--accessibility=y"];
    [
        (json!({"operation": "convert", "format": "png"}), &[][..]),
        (json!({"operation": "convert", "format": "txt"}), READING),
        (json!({"operation": "ocr", "output": "text"}), READING),
        (json!({"operation": "info"}), &[]),
        (json!({"operation": "optimize"}), CHANGING),
        (json!({"operation": "repair"}), CHANGING),
        (json!({"operation": "decrypt"}), &[]),
        (json!({"operation": "split"}), ASSEMBLING),
        (
            json!({"operation": "extract-pages", "pages": "1"}),
            ASSEMBLING,
        ),
        (
            json!({"operation": "delete-pages", "pages": "1"}),
            ASSEMBLING,
        ),
        (json!({"operation": "reorder", "order": [2, 1]}), ASSEMBLING),
        (json!({"operation": "rotate", "angle": 90}), ASSEMBLING),
        (json!({"operation": "watermark", "text": "DRAFT"}), CHANGING),
        (json!({"operation": "page-numbers"}), CHANGING),
        (json!({"operation": "metadata", "title": "Title"}), CHANGING),
        (json!({"operation": "flatten"}), FINISHING),
    ]
    .map(|(options, needs)| (step(options), needs))
    .to_vec()
}

/// All permissions denied, as qpdf's arguments.
const NOTHING: [&str; 7] = [
    "--accessibility=n",
    "--extract=n",
    "--print=none",
    "--assemble=n",
    "--annotate=n",
    "--form=n",
    "--modify-other=n",
];

/// All permissions denied except one.
fn only(allowed: &str) -> Vec<&str> {
    let name = |option: &str| option.split('=').next().unwrap().to_owned();
    let others = NOTHING
        .into_iter()
        .filter(|option| name(option) != name(allowed));
    others.chain([allowed]).collect()
}

#[test]
fn denied_permissions_are_enforced() {
    // AES encryption always allows extraction for accessibility.
    const KIND: &[&str] = &["128", "--use-aes=n"];
    let forbidden = protected(KIND, ("", "owner"), &NOTHING);
    harness::each(operations(), |(operation, needs)| {
        let run = |file: &tempfile::NamedTempFile| {
            let steps = std::slice::from_ref(&operation);
            harness::code(harness::run(file.path(), Format::Pdf, steps)).err()
        };
        let name = operation.name();
        let expected = (!needs.is_empty()).then_some(JobErrorCode::PermissionDenied);
        assert_eq!(run(&forbidden), expected, "{name}");
        for need in needs {
            let file = protected(KIND, ("", "owner"), &only(need));
            assert_eq!(run(&file), None, "{name} with {need}");
        }
        let others = ["--print=full", "--annotate=y", "--form=y"];
        for other in others.into_iter().filter(|other| !needs.contains(other)) {
            let file = protected(KIND, ("", "owner"), &only(other));
            assert_eq!(run(&file), expected, "{name} with {other}");
        }
    });
}

#[test]
fn every_encryption_scheme_enforces_permissions() {
    for kind in KINDS {
        let restrictions: &[&str] = match kind {
            ["40"] => &["--modify=n"],
            _ => &["--modify-other=n", "--assemble=n"],
        };
        let file = protected(kind, ("", "owner"), restrictions);
        let turn = || step(serde_json::json!({"operation": "rotate", "angle": 90}));
        let rejected = harness::code(harness::run(file.path(), Format::Pdf, &[turn()])).err();
        assert_eq!(rejected, Some(JobErrorCode::PermissionDenied), "{kind:?}");
        // A request for decryption is allowed.
        let free = step(serde_json::json!({"operation": "decrypt", "password": "owner"}));
        let result = harness::run(file.path(), Format::Pdf, &[free, turn()]).unwrap();
        assert_eq!(result.artifact.pages, 2, "{kind:?}");
    }
}

#[test]
fn owner_password_lifts_restrictions() {
    for kind in KINDS {
        let restrictions: &[&str] = match kind {
            ["40"] => &["--extract=n"],
            ["128", "--use-aes=n"] => &["--extract=n", "--accessibility=n"],
            _ => continue,
        };
        let file = protected(kind, ("user", "owner"), restrictions);
        let text = |password| {
            let steps = [convert("txt", Some(password))];
            harness::code(harness::run(file.path(), Format::Pdf, &steps)).err()
        };
        assert_eq!(
            text("user"),
            Some(JobErrorCode::PermissionDenied),
            "{kind:?}"
        );
        assert_eq!(text("owner"), None, "{kind:?}");
    }
}

#[test]
fn only_the_owner_may_change_the_passwords_of_a_restricted_document() {
    let encrypt = || step(serde_json::json!({"operation": "encrypt", "userPassword": "new"}));
    let open = protected(&["256"], ("", "owner"), &[]);
    let result = harness::run(open.path(), Format::Pdf, &[encrypt()]).unwrap();
    qpdf::check(result.path(), "new");
    let restricted = protected(&["256"], ("", "owner"), &["--print=none"]);
    let rejected = harness::code(harness::run(restricted.path(), Format::Pdf, &[encrypt()])).err();
    assert_eq!(rejected, Some(JobErrorCode::PermissionDenied));
}
