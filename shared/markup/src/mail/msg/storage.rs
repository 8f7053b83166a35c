//! Storages and properties of an Outlook item [MS-OXMSG, 2].

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;

use cfb::CompoundFile;
use domain::limits::MAIL_BYTES;
use encoding_rs::{Encoding, WINDOWS_1252};

use crate::error::{MarkupError, Result};

const DAMAGED: &str = "its compound file cannot be read";
const PROPERTIES: &str = "__properties_version1.0";
/// `PidTagMessageCodepage`: that of strings that are not in Unicode.
const CODE_PAGE: u16 = 0x3ffd;
/// Types of properties [MS-OXCDATA, 2.11.1].
const INTEGER: u16 = 0x0003;
const TIME: u16 = 0x0040;
/// Maximum number of attachments, and of recipients.
const ITEMS: usize = 20_000;

/// The streams of an item. Streams may share sectors, so the bytes that are read are counted.
pub(super) struct Storage {
    file: CompoundFile<File>,
    bytes_left: u64,
    encoding: &'static Encoding,
    /// Paths of attachments and recipients.
    attachments: Vec<String>,
    recipients: Vec<String>,
}

/// A message, an attachment or a recipient, with its properties of fixed length.
pub(super) struct Item {
    path: String,
    values: HashMap<u16, (u16, [u8; 8])>,
}

impl Item {
    pub(super) fn number(&self, id: u16) -> Option<u32> {
        let (_, [a, b, c, d, ..]) = self.values.get(&id).filter(|(kind, _)| *kind == INTEGER)?;
        Some(u32::from_le_bytes([*a, *b, *c, *d]))
    }

    pub(super) fn time(&self, id: u16) -> Option<u64> {
        let (_, value) = self.values.get(&id).filter(|(kind, _)| *kind == TIME)?;
        Some(u64::from_le_bytes(*value))
    }

    /// The encoding of the code page in a property.
    pub(super) fn encoding(&self, id: u16) -> Option<&'static Encoding> {
        let page = u16::try_from(self.number(id)?).ok()?;
        codepage::to_encoding(page)
    }
}

impl Storage {
    pub(super) fn open(file: File) -> Result<Self> {
        let file =
            CompoundFile::open(file).map_err(|error| MarkupError::reading(error, DAMAGED))?;
        if !file.is_stream(format!("/{PROPERTIES}")) {
            return Err(MarkupError::Mismatch);
        }
        let (mut attachments, mut recipients) = (Vec::new(), Vec::new());
        for entry in file.read_root_storage() {
            let items = match entry.name() {
                name if name.starts_with("__attach_version1.0_") => &mut attachments,
                name if name.starts_with("__recip_version1.0_") => &mut recipients,
                _ => continue,
            };
            items.push(format!("/{}/", entry.name()));
            if items.len() > ITEMS {
                return Err(MarkupError::TooLarge("it has too many parts"));
            }
        }
        Ok(Self {
            file,
            bytes_left: 2 * MAIL_BYTES,
            encoding: WINDOWS_1252,
            attachments,
            recipients,
        })
    }

    pub(super) fn attachments(&self) -> Vec<String> {
        self.attachments.clone()
    }

    pub(super) fn recipients(&self) -> Vec<String> {
        self.recipients.clone()
    }

    /// Reads the message itself, whose property stream has a header of 32 bytes.
    pub(super) fn message(&mut self) -> Result<Item> {
        let message = self.item_with_header("/", 32)?;
        self.encoding = message.encoding(CODE_PAGE).unwrap_or(WINDOWS_1252);
        Ok(message)
    }

    /// Reads an attachment or a recipient.
    pub(super) fn item(&mut self, path: &str) -> Result<Item> {
        self.item_with_header(path, 8)
    }

    fn item_with_header(&mut self, path: &str, header: usize) -> Result<Item> {
        let stream = self.stream(&format!("{path}{PROPERTIES}"))?;
        let bytes = stream.unwrap_or_default();
        let (entries, _) = bytes.get(header..).unwrap_or_default().as_chunks::<16>();
        let values = entries.iter().map(|entry| {
            let [k0, k1, i0, i1, _, _, _, _, value @ ..] = *entry;
            let (kind, id) = (u16::from_le_bytes([k0, k1]), u16::from_le_bytes([i0, i1]));
            (id, (kind, value))
        });
        Ok(Item {
            path: path.to_owned(),
            values: values.collect(),
        })
    }

    /// Reads a string; an empty one if the item has none.
    pub(super) fn string(&mut self, item: &Item, id: u16) -> Result<String> {
        let text = match self.stream(&name(item, id, "001F"))? {
            Some(bytes) => encoding_rs::UTF_16LE
                .decode_without_bom_handling(&bytes)
                .0
                .into_owned(),
            None => {
                let bytes = self.stream(&name(item, id, "001E"))?.unwrap_or_default();
                let encoding = self.encoding;
                encoding.decode_without_bom_handling(&bytes).0.into_owned()
            }
        };
        Ok(text.trim_end_matches('\0').to_owned())
    }

    /// Reads the first of some strings that is not empty.
    pub(super) fn first_string(&mut self, item: &Item, ids: &[u16]) -> Result<String> {
        for id in ids {
            let text = self.string(item, *id)?;
            if !text.trim().is_empty() {
                return Ok(text);
            }
        }
        Ok(String::new())
    }

    /// Reads the first of some strings that is an Internet address; others are names in a directory.
    pub(super) fn address(&mut self, item: &Item, ids: &[u16]) -> Result<String> {
        for id in ids {
            let text = self.string(item, *id)?;
            if text.contains('@') {
                return Ok(text.trim().to_owned());
            }
        }
        Ok(String::new())
    }

    /// Reads binary data.
    pub(super) fn binary(&mut self, item: &Item, id: u16) -> Result<Option<Vec<u8>>> {
        self.stream(&name(item, id, "0102"))
    }

    /// The number of bytes of binary data.
    pub(super) fn size(&self, item: &Item, id: u16) -> Option<u64> {
        let name = name(item, id, "0102");
        self.file.entry(name).ok().map(|entry| entry.len())
    }

    /// Reads the first bytes of binary data.
    pub(super) fn head(&mut self, item: &Item, id: u16) -> Result<Vec<u8>> {
        let name = name(item, id, "0102");
        match self.file.is_stream(&name) {
            true => self.read(&name, 64),
            false => Ok(Vec::new()),
        }
    }

    fn stream(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        if !self.file.is_stream(name) {
            return Ok(None);
        }
        self.read(name, u64::MAX).map(Some)
    }

    fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>> {
        let fault = |error| MarkupError::reading(error, DAMAGED);
        let stream = self.file.open_stream(name).map_err(fault)?;
        let mut bytes = Vec::new();
        let limit = most.min(self.bytes_left + 1);
        stream.take(limit).read_to_end(&mut bytes).map_err(fault)?;
        let left = self.bytes_left.checked_sub(bytes.len() as u64);
        self.bytes_left = left.ok_or(MarkupError::TooLarge("its parts are too large"))?;
        Ok(bytes)
    }
}

/// The name of the stream of a property.
fn name(item: &Item, id: u16, kind: &str) -> String {
    format!("{}__substg1.0_{id:04X}{kind}", item.path)
}
