//! Mails by feature: Internet messages and Outlook items.

use std::io::{Cursor, Write as _};

use cfb::CompoundFile;
use domain::format::Format;
use domain::job::JobErrorCode;
use markup::{Document, MarkupError};

use crate::made::{lines, opened, warnings};

/// A picture of one pixel.
const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

fn eml(text: &str) -> Document {
    opened(text.replace('\n', "\r\n").as_bytes(), Format::Eml).unwrap()
}

fn fault(bytes: &[u8], format: Format) -> Option<JobErrorCode> {
    opened(bytes, format).unwrap_err().code()
}

#[test]
fn header_body_and_attachments_are_read_in_order() {
    let document = eml(
        "Received: from x\nFrom: =?utf-8?Q?J=C3=B6rg?= <joerg@a.example>\nTo: \"Doe, Ann\" <ann@b.example>,\n\tbob@b.example\nCc: c@b.example\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\nDate: Wed, 2 Dec 2026 10:31:33 +0100\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b 1\"\n\npreamble\n--b 1\nContent-Type: multipart/alternative; boundary=b2\n\n--b2\nContent-Type: text/plain; charset=utf-8\n\nplain only\n--b2\nContent-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n<html><head><title>t</title><style>p{}</style></head><body><h2>=F0=D2=C9</h2><p>see <a href=3D\"https://a.example/\">here</a></p></body></html>\n--b2--\n--b 1\nContent-Type: application/pdf; name=\"a.pdf\"\nContent-Disposition: attachment; filename=\"report.pdf\"\nContent-Transfer-Encoding: base64\n\nYWJjZA==\n--b 1\nContent-Type: message/rfc822\n\nSubject: Nested one\n\nnested body\n--b 1\nContent-Type: application/ms-tnef; name=winmail.dat\n\nx\n--b 1--\n",
    );
    let found = lines(&document);
    let expected = [
        "h1: Grüße",
        "p: ⟨From:|b⟩ Jörg <joerg@a.example>⏎⟨To:|b⟩ \"Doe, Ann\" <ann@b.example>, bob@b.example⏎⟨Cc:|b⟩ c@b.example⏎⟨Date:|b⟩ Wed, 2 Dec 2026 10:31:33 +0100",
        "rule",
        "h2: При",
        "p: see ⟨here|→https://a.example/⟩",
        "rule",
        "h2: Attachments (3)",
        "u0 •: report.pdf (application/pdf, 4 bytes)",
        "u0 •: Nested one (message/rfc822, 34 bytes)",
        "u0 •: winmail.dat (application/ms-tnef, 1 bytes)",
    ];
    assert_eq!(found, expected);
    assert_eq!(document.metadata.title.as_deref(), Some("Grüße"));
    assert_eq!(warnings(&document), []);
}

#[test]
fn attached_images_are_shown_and_remote_ones_are_not() {
    let document = eml(&format!(
        "From: a\nTo: b\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p style=\"background:url(http://a.example/x.png)\">x<img src=\"cid:p%201@a\"><img src=\"http://a.example/b.png\" alt=\"remote\"><img src=\"cid:gone\"></p>\n--b\nContent-Type: image/gif\nContent-ID: <p 1@a>\nContent-Transfer-Encoding: base64\n\n{GIF}\n--b\nContent-Type: image/tiff; name=scan.tif\nContent-ID: <t>\n\nII*\n--b--\n"
    ));
    assert_eq!(document.pictures.count(), 1);
    let found = lines(&document);
    assert!(
        found.iter().any(|line| line.contains("remote")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|line| line.contains("scan.tif (image/tiff")),
        "{found:?}"
    );
    assert!(
        !found.iter().any(|line| line.contains("image/gif")),
        "{found:?}"
    );
    assert_eq!(
        warnings(&document),
        [("external_link_blocked", 2), ("picture_missing", 1)]
    );
    let between = eml(&format!(
        "From: a\nTo: b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nbefore\n--b\nContent-Type: image/gif\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\n{GIF}\n--b\n\nafter\n--b--\n"
    ));
    assert_eq!(between.pictures.count(), 1);
    let found = lines(&between).join("\n");
    assert!(found.find("before") < found.find("after") && !found.contains("Attachments"));
}

#[test]
fn text_in_any_character_set_is_read() {
    let of = |charset: &str, bytes: &[u8]| {
        let head = format!("From: a\r\nTo: b\r\nContent-Type: text/plain{charset}\r\n\r\n");
        let document = opened(&[head.as_bytes(), bytes].concat(), Format::Eml).unwrap();
        lines(&document).pop().unwrap()
    };
    assert_eq!(of("; charset=Shift_JIS", b"\x93\xfa\x96\x7b"), "p: 日本");
    assert_eq!(
        of("; charset=utf-8; format=flowed", b"one \r\ntwo\r\nthree"),
        "p: one two⏎three"
    );
    let latin = b"Les \xe9l\xe8ves fran\xe7ais \xe9taient l\xe0 avant l'\xe9t\xe9.";
    assert_eq!(
        of("", latin),
        "p: Les élèves français étaient là avant l'été."
    );
    let unknown = of("; charset=x-unknown", "früher Tag".as_bytes());
    assert_eq!(unknown, "p: früher Tag");
}

#[test]
fn encrypted_mails_are_rejected() {
    let of = |head: &str, body: &str| {
        let mail = format!("From: a\r\nTo: b\r\n{head}\r\n\r\n{body}\r\n");
        let error = opened(mail.as_bytes(), Format::Eml).unwrap_err();
        assert_eq!(
            error.code(),
            Some(JobErrorCode::PermissionDenied),
            "{error}"
        );
        error.to_string()
    };
    let smime =
        "Content-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64";
    // SEQUENCE { OBJECT IDENTIFIER envelopedData … }, and signedData
    assert!(of(smime, "MIAGCSqGSIb3DQEHA6CAMIACAQAxggE=").contains("encrypted with S/MIME"));
    assert!(of(smime, "MIAGCSqGSIb3DQEHAqCAMIACAQExDTA=").contains("opaque S/MIME signature"));
    let pgp = "Content-Type: multipart/encrypted; boundary=b";
    let parts = "--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--";
    assert!(of(pgp, parts).contains("OpenPGP"));
    assert!(of("X: y", "-----BEGIN PGP MESSAGE-----\r\n\r\nx").contains("OpenPGP"));
    let rights = "Content-Type: multipart/mixed; boundary=b";
    let parts = "--b\r\n\r\nThis message is protected.\r\n--b\r\nContent-Type: application/x-microsoft-rpmsg-message; name=message.rpmsg\r\n\r\nx\r\n--b--";
    assert!(of(rights, parts).contains("rights management"));
}

#[test]
fn damaged_and_hostile_messages_are_bounded() {
    // Without a boundary, and without the last one
    let document = eml("From: a\nTo: b\nContent-Type: multipart/mixed\n\n--x\n\nwords\n");
    assert!(lines(&document).join(" ").contains("words"));
    let document = eml(
        "From: a\nTo: b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\none\n--x\n\ntwo\n",
    );
    let found = lines(&document).join(" ");
    assert!(found.contains("one") && found.contains("two"), "{found}");
    // Nested mails are listed, not read.
    let nested = |depth: usize| {
        let level = "From: a\nTo: b\nSubject: s\nContent-Type: message/rfc822\n\n";
        level.repeat(depth) + "From: a\nTo: b\n\ninnermost"
    };
    let found = lines(&eml(&nested(1_000))).join(" ");
    assert!(
        found.contains("Attachments (1)") && !found.contains("innermost"),
        "{found}"
    );
    let containers = nested(5_000);
    let too_large = Some(JobErrorCode::InputTooLarge);
    assert_eq!(fault(containers.as_bytes(), Format::Eml), too_large);
    lines(&eml(&nested(3_900)));
    let part =
        "--x\nContent-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\n1,2\n";
    let many = format!(
        "From: a\nTo: b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nbody\n{}--x--\n",
        part.repeat(10_000)
    );
    assert!(lines(&eml(&many)).contains(&"h2: Attachments (10000)".to_owned()));
    let multipart: String = (0..1_500)
        .map(|level| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n"))
        .collect();
    opened(
        format!("From: a\nTo: b\n{multipart}\n\ndeep").as_bytes(),
        Format::Eml,
    )
    .ok();
}

/// Property streams of an item.
struct Item(CompoundFile<Cursor<Vec<u8>>>);

impl Item {
    fn new(code_page: u32) -> Self {
        let mut item = Self(CompoundFile::create(Cursor::new(Vec::new())).unwrap());
        let mut properties = vec![0; 32];
        // Time of 2026-12-02 09:31:33 UTC
        let time = 134_406_774_930_000_000_u64;
        for (tag, value) in [(0x3fde_0003_u32, u64::from(code_page)), (0x0039_0040, time)] {
            properties.extend(tag.to_le_bytes());
            properties.extend([0; 4]);
            properties.extend(value.to_le_bytes());
        }
        item.stream("/__properties_version1.0", &properties);
        item
    }

    fn stream(&mut self, path: &str, bytes: &[u8]) {
        self.0
            .create_stream(path)
            .unwrap()
            .write_all(bytes)
            .unwrap();
    }

    fn string(&mut self, path: &str, text: &str) {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        self.stream(path, &bytes);
    }

    fn attachment(&mut self, number: u32, name: &str, media_type: &str, content: &[u8]) {
        let storage = format!("/__attach_version1.0_#{number:08X}");
        self.0.create_storage(&storage).unwrap();
        self.stream(&format!("{storage}/__properties_version1.0"), &[0; 8]);
        self.string(&format!("{storage}/__substg1.0_3707001F"), name);
        self.string(&format!("{storage}/__substg1.0_370E001F"), media_type);
        self.stream(&format!("{storage}/__substg1.0_37010102"), content);
    }

    fn bytes(self) -> Vec<u8> {
        self.0.into_inner().into_inner()
    }
}

#[test]
fn outlook_items_are_read() {
    let mut item = Item::new(1251);
    item.string("/__substg1.0_0037001F", "Grüße");
    item.string("/__substg1.0_0042001F", "Jörg");
    item.string("/__substg1.0_5D02001F", "joerg@a.example");
    item.string("/__substg1.0_0E04001F", "Ann; Bob");
    item.string("/__substg1.0_1000001F", "plain only");
    item.stream(
        "/__substg1.0_10130102",
        b"<p>\xcf\xf0\xe8 <img src=\"cid:image001.gif@01D\"></p>",
    );
    item.attachment(0, "a.pdf", "", b"%PDF-");
    item.attachment(
        1,
        "image001.gif",
        "image/gif",
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;",
    );
    let document = opened(&item.bytes(), Format::Msg).unwrap();
    let found = lines(&document);
    assert_eq!(found.first().map(String::as_str), Some("h1: Grüße"));
    let header = found.get(1).unwrap();
    for wanted in ["Jörg <joerg@a.example>", "⟨To:|b⟩ Ann; Bob", "02 Dec 2026"] {
        assert!(header.contains(wanted), "{header}");
    }
    assert!(
        found.iter().any(|line| line.starts_with("p: При")),
        "{found:?}"
    );
    assert_eq!(
        found.last().unwrap(),
        "u0 •: a.pdf (application/pdf, 5 bytes)"
    );
    assert_eq!(document.pictures.count(), 1);
}

#[test]
fn outlook_items_with_rich_text_are_read() {
    let of = |rtf: &str, plain: &str| {
        let mut item = Item::new(1252);
        let size = u32::try_from(rtf.len()).unwrap().to_le_bytes();
        let compressed = [&[0; 4], &size, b"MELA", &[0; 4], rtf.as_bytes()].concat();
        item.stream("/__substg1.0_10090102", &compressed);
        item.string("/__substg1.0_1000001F", plain);
        lines(&opened(&item.bytes(), Format::Msg).unwrap())
            .pop()
            .unwrap()
    };
    let markup = "{\\rtf1\\ansi\\fromhtml1{\\*\\htmltag64 <h3>}\\htmlrtf {\\b \\htmlrtf0 title{\\*\\htmltag72 </h3>}}";
    assert_eq!(of(markup, "other"), "h3: title");
    assert_eq!(of("{\\rtf1\\ansi{\\b bold}}", "plain"), "p: plain");
    assert_eq!(of("{\\rtf1\\ansi{\\b bold}}", ""), "p: bold");
}

#[test]
fn damaged_and_encrypted_outlook_items_are_rejected() {
    let other = CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    let other = opened(&other.into_inner().into_inner(), Format::Msg);
    assert!(matches!(other, Err(MarkupError::Mismatch)));
    assert_eq!(
        fault(b"\xd0\xcf\x11\xe0", Format::Msg),
        Some(JobErrorCode::InputCorrupt)
    );
    let denied = Some(JobErrorCode::PermissionDenied);
    let mut smime = Item::new(1252);
    smime.string("/__substg1.0_001A001F", "IPM.Note.SMIME");
    smime.attachment(0, "smime.p7m", "application/pkcs7-mime", b"x");
    assert_eq!(fault(&smime.bytes(), Format::Msg), denied);
    let mut rights = Item::new(1252);
    rights.attachment(0, "message.rpmsg", "", b"x");
    assert_eq!(fault(&rights.bytes(), Format::Msg), denied);
}
