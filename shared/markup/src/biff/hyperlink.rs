//! Hyperlink targets of xls [MS-XLS, 2.4.140; MS-OSHARED, 2.3.7.1].

use super::bytes::{index_at, u32_at, wide_text};

const HAS_MONIKER: u32 = 0x0001;
const HAS_PLACE: u32 = 0x0008;
const HAS_DISPLAY_NAME: u32 = 0x0010;
const HAS_FRAME_NAME: u32 = 0x0080;
const MONIKER_SAVED_AS_STRING: u32 = 0x0100;
/// Class id of URL monikers.
const URL_MONIKER: [u8; 16] = 0x0BA9_4B00_AA00_828C_11CE_BAF9_79EA_C9E0_u128.to_le_bytes();

/// Returns the URL of an `HLink` record, or `#` and a place in the workbook; `None` if the target is a file.
pub(super) fn url(record: &[u8]) -> Option<String> {
    let flags = u32_at(record, 28)?;
    let mut place = 32_usize;
    for name in [HAS_DISPLAY_NAME, HAS_FRAME_NAME] {
        if flags & name != 0 {
            let bytes = index_at(record, place)?.checked_mul(2)?;
            place = place.checked_add(4)?.checked_add(bytes)?;
        }
    }
    let text = match flags & (HAS_MONIKER | MONIKER_SAVED_AS_STRING) {
        HAS_MONIKER if record.get(place..)?.starts_with(&URL_MONIKER) => {
            wide_text(record, place + 20, index_at(record, place + 16)? / 2)?
        }
        0 if flags & HAS_PLACE != 0 => {
            let text = wide_text(record, place + 4, index_at(record, place)?)?;
            format!("#{text}")
        }
        HAS_MONIKER | 0 | MONIKER_SAVED_AS_STRING => return None,
        _ => wide_text(record, place + 4, index_at(record, place)?)?,
    };
    // A GUID may follow the terminator of the URL.
    text.split('\0').next().map(str::to_owned)
}
