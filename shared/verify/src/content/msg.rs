//! Reads the subject, the recipients, the body and the names of attachments of an Outlook item [MS-OXMSG].

mod rich_text;

use std::path::Path;

use super::compound::Compound;
use super::item::{Take, Unreadable};
use super::scope::Scope;
use super::text::lines;
use super::{html, rtf};

/// Properties of the message [MS-OXPROPS] in the order of the result: subject and name of the sender.
const LINES: [&str; 2] = ["0037", "0042"];
const BODY: &str = "1000";
const RTF: &str = "1009";
const HTML: &str = "1013";
const FILE_NAME: &str = "3707";
const DISPLAY_NAME: &str = "3001";
/// Code page of the body in HTML.
const INTERNET_CODE_PAGE: [u8; 4] = [0x03, 0x00, 0xde, 0x3f];
/// Code page of strings that are not in Unicode.
const CODE_PAGE: [u8; 4] = [0x03, 0x00, 0xfd, 0x3f];

/// Calls `take` with the items of a mail.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let mut file = Compound::open(path)?;
    let properties = file.stream("/__properties_version1.0")?;
    let strings = code_page(&properties, CODE_PAGE);
    for name in LINES {
        lines(&string(&mut file, "", name, strings)?, take);
    }
    for recipient in file.storages("__recip_version1.0_") {
        lines(&string(&mut file, &recipient, DISPLAY_NAME, strings)?, take);
    }
    body(&mut file, &properties, scope, take)?;
    for attachment in file.storages("__attach_version1.0_") {
        let name = string(&mut file, &attachment, FILE_NAME, strings)?;
        // The body may show an image.
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let format = extension.and_then(domain::format::Format::from_extension);
        let category = format.map(|format| format.spec().category);
        if category != Some(domain::format::Category::Image) {
            lines(&name, take);
        }
    }
    Ok(())
}

fn body(
    file: &mut Compound,
    properties: &[u8],
    scope: Scope,
    take: Take<'_>,
) -> Result<(), Unreadable> {
    if let Some(bytes) = file.optional(&stream("", HTML, "0102"))?
        && !bytes.is_empty()
    {
        let encoding = code_page(properties, INTERNET_CODE_PAGE);
        let encoding = encoding.unwrap_or(encoding_rs::UTF_8);
        let (text, _) = match std::str::from_utf8(&bytes) {
            Ok(text) => (text.into(), false),
            Err(_) => encoding.decode_without_bom_handling(&bytes),
        };
        html::read_framed(&text, scope, take);
        return Ok(());
    }
    if let Some(bytes) = file.optional(&stream("", HTML, "001F"))? {
        html::read_framed(&utf16(&bytes), scope, take);
        return Ok(());
    }
    let plain = string(file, "", BODY, code_page(properties, CODE_PAGE))?;
    let rich = file.optional(&stream("", RTF, "0102"))?;
    let rich = rich.filter(|bytes| !bytes.is_empty());
    let rich = rich.and_then(|bytes| rich_text::decompressed(&bytes));
    match rich {
        Some(rich) if rich_text::is_markup(&rich) || plain.trim().is_empty() => {
            rtf::read_bytes(&rich, scope, take)
        }
        _ if scope.tables_only => Ok(()),
        _ => {
            lines(&plain, take);
            Ok(())
        }
    }
}

/// The name of the stream of a property.
fn stream(storage: &str, id: &str, kind: &str) -> String {
    format!("{storage}/__substg1.0_{id}{kind}")
}

fn string(
    file: &mut Compound,
    storage: &str,
    id: &str,
    encoding: Option<&'static encoding_rs::Encoding>,
) -> Result<String, Unreadable> {
    if let Some(bytes) = file.optional(&stream(storage, id, "001F"))? {
        return Ok(utf16(&bytes));
    }
    let bytes = file
        .optional(&stream(storage, id, "001E"))?
        .unwrap_or_default();
    let encoding = encoding.unwrap_or(encoding_rs::WINDOWS_1252);
    Ok(encoding.decode_without_bom_handling(&bytes).0.into_owned())
}

fn utf16(bytes: &[u8]) -> String {
    let (text, _) = encoding_rs::UTF_16LE.decode_without_bom_handling(bytes);
    text.into_owned()
}

/// The encoding of the code page in an entry of 16 bytes that begins with this tag, after a header of 32 bytes.
fn code_page(properties: &[u8], tag: [u8; 4]) -> Option<&'static encoding_rs::Encoding> {
    let (entries, _) = properties.get(32..)?.as_chunks::<16>();
    let entry = entries.iter().find(|entry| entry.starts_with(&tag))?;
    let page = entry.get(8..)?.first_chunk::<4>().copied();
    codepage::to_encoding(u16::try_from(u32::from_le_bytes(page?)).ok()?)
}
