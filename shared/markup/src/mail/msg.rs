//! Reads Outlook items: properties in streams of a compound file [MS-OXMSG].

mod compressed_rtf;
mod storage;

use std::fs::File;

use domain::format::Format;
use domain::limits::MAIL_BYTES;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use self::storage::{Item, Storage};
use super::attachment::{Attachment, image_format};
use super::{Body, Mail, plain_text, protection};
use crate::error::{MarkupError, Result};
use crate::limits::Options;
use crate::rtf::{self, Encapsulated};
use crate::{html, text};

/// Properties [MS-OXPROPS].
mod property {
    pub(super) const MESSAGE_CLASS: u16 = 0x001a;
    pub(super) const SUBJECT: u16 = 0x0037;
    pub(super) const SUBMIT_TIME: u16 = 0x0039;
    pub(super) const SENDER_NAMES: [u16; 2] = [0x0042, 0x0c1a];
    pub(super) const SENDER_ADDRESSES: [u16; 4] = [0x5d02, 0x5d01, 0x0065, 0x0c1f];
    pub(super) const RECIPIENT_TYPE: u16 = 0x0c15;
    pub(super) const DELIVERY_TIME: u16 = 0x0e06;
    /// `PidTagDisplayTo`, `Cc` and `Bcc`, by the type of a recipient.
    pub(super) const DISPLAYED: [(&str, u32, u16); 3] =
        [("To", 1, 0x0e04), ("Cc", 2, 0x0e03), ("Bcc", 3, 0x0e02)];
    pub(super) const ATTACHMENT_SIZE: u16 = 0x0e20;
    pub(super) const BODY: u16 = 0x1000;
    pub(super) const RTF: u16 = 0x1009;
    pub(super) const HTML: u16 = 0x1013;
    pub(super) const DISPLAY_NAME: u16 = 0x3001;
    pub(super) const RECIPIENT_ADDRESSES: [u16; 2] = [0x39fe, 0x3003];
    pub(super) const DATA: u16 = 0x3701;
    pub(super) const FILE_NAMES: [u16; 3] = [0x3707, 0x3704, 0x3001];
    pub(super) const METHOD: u16 = 0x3705;
    pub(super) const MEDIA_TYPE: u16 = 0x370e;
    pub(super) const CONTENT_ID: u16 = 0x3712;
    pub(super) const LOCATION: u16 = 0x3713;
    pub(super) const INTERNET_CODE_PAGE: u16 = 0x3fde;
}

/// `afEmbeddedMessage`: an attachment that is an Outlook item [MS-OXCMSG, 2.2.2.9].
const EMBEDDED_MESSAGE: u32 = 5;

/// Class of a message with an S/MIME message in its attachment [MS-OXOSMIME].
const SMIME_CLASS: &str = "IPM.NOTE.SMIME";

/// Reads a mail.
pub(super) fn read(file: File, options: &Options) -> Result<Mail> {
    let mut storage = Storage::open(file)?;
    let message = storage.message()?;
    let attachments = attachments(&mut storage)?;
    check_protection(&mut storage, &message, &attachments)?;
    Ok(Mail {
        subject: line(&storage.string(&message, property::SUBJECT)?),
        fields: fields(&mut storage, &message)?,
        bodies: Vec::from_iter(body(&mut storage, &message, options)?),
        attachments,
        damaged: 0,
    })
}

fn check_protection(storage: &mut Storage, message: &Item, attachments: &[Attachment]) -> Result {
    let mut parts = attachments.iter();
    let found = parts.find_map(|part| protection::of_part(&part.media_type, &part.name));
    if let Some(protection) = found {
        return Err(protection);
    }
    let class = storage.string(message, property::MESSAGE_CLASS)?;
    if class.eq_ignore_ascii_case(SMIME_CLASS) {
        let items = storage.attachments();
        let first = items.into_iter().next();
        let item = first.map(|name| storage.item(&name)).transpose()?;
        let content = item.map(|item| storage.binary(&item, property::DATA));
        let content = content.transpose()?.flatten();
        return Err(protection::of_smime(&content.unwrap_or_default()));
    }
    Ok(())
}

fn fields(storage: &mut Storage, message: &Item) -> Result<Vec<(&'static str, String)>> {
    let mut fields = Vec::new();
    let mut add = |name, value: String| {
        if !value.is_empty() {
            fields.push((name, value));
        }
    };
    let name = storage.first_string(message, &property::SENDER_NAMES)?;
    let address = storage.address(message, &property::SENDER_ADDRESSES)?;
    add("From", person(&name, &address));
    let mut recipients = Vec::new();
    for recipient in storage.recipients() {
        let item = storage.item(&recipient)?;
        let name = storage.string(&item, property::DISPLAY_NAME)?;
        let address = storage.address(&item, &property::RECIPIENT_ADDRESSES)?;
        recipients.push((
            item.number(property::RECIPIENT_TYPE),
            person(&name, &address),
        ));
    }
    for (name, kind, displayed) in property::DISPLAYED {
        let all = recipients.iter().filter(|(found, _)| *found == Some(kind));
        let all: Vec<&str> = all.map(|(_, person)| person.as_str()).collect();
        match all.is_empty() {
            true => add(name, line(&storage.string(message, displayed)?)),
            false => add(name, all.join(", ")),
        }
    }
    let times = [property::SUBMIT_TIME, property::DELIVERY_TIME];
    let time = times.iter().find_map(|id| message.time(*id));
    add("Date", time.and_then(date).unwrap_or_default());
    Ok(fields)
}

/// The name and the address of a person, once if they are the same.
fn person(name: &str, address: &str) -> String {
    let name = line(name).trim_matches('\'').to_owned();
    match (name.is_empty(), address.is_empty()) {
        (_, true) => name,
        (true, false) => address.to_owned(),
        _ if name.eq_ignore_ascii_case(address) => address.to_owned(),
        _ => format!("{name} <{address}>"),
    }
}

/// Text without line breaks and repeated spaces.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A date in UTC from the number of 100 ns since 1601 [MS-DTYP, 2.3.3].
fn date(ticks: u64) -> Option<String> {
    const SECONDS_TO_1970: i64 = 11_644_473_600;
    let seconds = i64::try_from(ticks / 10_000_000).ok()?;
    let time = OffsetDateTime::from_unix_timestamp(seconds - SECONDS_TO_1970).ok()?;
    time.format(&Rfc2822).ok()
}

/// The body in the format with the most structure.
fn body(storage: &mut Storage, message: &Item, options: &Options) -> Result<Option<Body>> {
    if let Some(bytes) = storage
        .binary(message, property::HTML)?
        .filter(|bytes| !bytes.is_empty())
    {
        let encoding = message.encoding(property::INTERNET_CODE_PAGE);
        let encoding = encoding.or_else(|| html::declared(&bytes));
        return Ok(Some(Body::Html(text::decode(bytes, encoding)?)));
    }
    let markup = storage.string(message, property::HTML)?;
    if !markup.trim().is_empty() {
        return Ok(Some(Body::Html(markup)));
    }
    let plain = storage.string(message, property::BODY)?;
    let compressed = storage.binary(message, property::RTF)?;
    let rich = compressed.filter(|bytes| !bytes.is_empty());
    let rich = rich.map(|bytes| compressed_rtf::decompressed(&bytes, options.limits.page_bytes));
    let rich = match rich.transpose() {
        // The plain text is complete without the rich text.
        Err(MarkupError::Corrupt(_)) if !plain.trim().is_empty() => None,
        rich => rich?,
    };
    let as_plain = |text: &str| Some(Body::Text(plain_text::html(text, false)));
    let is_empty = plain.trim().is_empty();
    Ok(match rich.map(|rich| rtf::encapsulated(&rich)) {
        Some(Encapsulated::Html(text)) => Some(Body::Html(text)),
        Some(Encapsulated::Text(text)) if is_empty => as_plain(&text),
        _ if is_empty => None,
        _ => as_plain(&plain),
    })
}

fn attachments(storage: &mut Storage) -> Result<Vec<Attachment>> {
    let mut attachments = Vec::new();
    for name in storage.attachments() {
        let item = storage.item(&name)?;
        let name = line(&storage.first_string(&item, &property::FILE_NAMES)?);
        let declared = storage.string(&item, property::MEDIA_TYPE)?;
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let format = extension.and_then(Format::from_extension);
        let is_message = item.number(property::METHOD) == Some(EMBEDDED_MESSAGE);
        let media_type = match (is_message, declared.is_empty(), format) {
            (true, ..) => Format::Msg.mime_type().to_owned(),
            (_, false, _) => line(&declared).to_ascii_lowercase(),
            (.., Some(format)) => format.mime_type().to_owned(),
            _ => "application/octet-stream".to_owned(),
        };
        let size = match storage.size(&item, property::DATA) {
            Some(size) => size,
            None => u64::from(item.number(property::ATTACHMENT_SIZE).unwrap_or(0)),
        };
        let head = storage.head(&item, property::DATA)?;
        let image = image_format(&head).filter(|_| size <= MAIL_BYTES);
        let image = image.map(|format| {
            let bytes = storage.binary(&item, property::DATA)?;
            Ok::<_, MarkupError>((format, bytes.unwrap_or_default()))
        });
        let id = line(&storage.string(&item, property::CONTENT_ID)?);
        let id = id.trim_matches(['<', '>']).to_owned();
        let location = line(&storage.string(&item, property::LOCATION)?);
        attachments.push(Attachment {
            name,
            media_type,
            size,
            content_id: Some(id).filter(|id| !id.is_empty()),
            location: Some(location).filter(|location| !location.is_empty()),
            image: image.transpose()?,
            is_shown: false,
        });
    }
    Ok(attachments)
}
