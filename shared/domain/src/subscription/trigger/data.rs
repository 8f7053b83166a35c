//! What each trigger says: the members that are known. The app may add others, which are passed on.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::timestamp::Timestamp;

macro_rules! data {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($(#[$field_doc])*
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub $field: Option<$type>,)*
        }
    )*};
}

data! {
    /// Data of `scan.created`.
    ScanCreated {
        /// The app's name for the scan.
        scan_id: String,
        /// The app's name for the group that it belongs to.
        group_id: String,
        /// What the scan is called.
        filename: String,
        /// How many pages it has.
        page_count: u32,
    }
    /// Data of `pdf.exported`.
    PdfExported {
        /// The app's name for the group.
        group_id: String,
        /// What the PDF is called.
        filename: String,
        /// How many pages it has.
        page_count: u32,
        /// Its size in bytes.
        size_bytes: u64,
    }
    /// Data of `geotag.captured`.
    GeotagCaptured {
        /// The app's name for the scan.
        scan_id: String,
        /// Degrees north, -90 to 90.
        #[serde(deserialize_with = "latitude")]
        #[schemars(range(min = -90, max = 90))]
        latitude: f64,
        /// Degrees east, -180 to 180.
        #[serde(deserialize_with = "longitude")]
        #[schemars(range(min = -180, max = 180))]
        longitude: f64,
        /// How far off it may be, in metres.
        accuracy: f64,
    }
    /// Data of `timestamp.captured`.
    TimestampCaptured {
        /// The app's name for the scan.
        scan_id: String,
        /// The moment that was stamped, in Unix milliseconds.
        captured_at: Timestamp,
    }
    /// Data of `ocr.completed`.
    OcrCompleted {
        /// The app's name for the scan.
        scan_id: String,
        /// The text.
        text: String,
        /// Its language, as a BCP 47 tag.
        language: String,
    }
    /// Data of `qr.scanned`.
    QrScanned {
        /// The app's name for the scan.
        scan_id: String,
        /// What the code says.
        text: String,
    }
}

fn latitude<'de, D: Deserializer<'de>>(value: D) -> Result<Option<f64>, D::Error> {
    within(value, 90.0)
}

fn longitude<'de, D: Deserializer<'de>>(value: D) -> Result<Option<f64>, D::Error> {
    within(value, 180.0)
}

fn within<'de, D: Deserializer<'de>>(value: D, most: f64) -> Result<Option<f64>, D::Error> {
    let degrees = Option::<f64>::deserialize(value)?;
    match degrees {
        Some(degrees) if !(-most..=most).contains(&degrees) => {
            Err(D::Error::custom(format!("must be from -{most} to {most}")))
        }
        degrees => Ok(degrees),
    }
}
