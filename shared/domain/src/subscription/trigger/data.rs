//! Data of triggers: the known members. The app may add members, which are passed on.

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
        /// Identifier of the scan in the app.
        scan_id: String,
        /// Identifier of the scan's group in the app.
        group_id: String,
        /// Name of the scan.
        filename: String,
        /// Number of pages.
        page_count: u32,
    }
    /// Data of `pdf.exported`.
    PdfExported {
        /// Identifier of the group in the app.
        group_id: String,
        /// Name of the PDF.
        filename: String,
        /// Number of pages.
        page_count: u32,
        /// Size in bytes.
        size_bytes: u64,
    }
    /// Data of `geotag.captured`.
    GeotagCaptured {
        /// Identifier of the scan in the app.
        scan_id: String,
        /// Latitude in degrees, -90 to 90.
        #[serde(deserialize_with = "latitude")]
        #[schemars(range(min = -90, max = 90))]
        latitude: f64,
        /// Longitude in degrees, -180 to 180.
        #[serde(deserialize_with = "longitude")]
        #[schemars(range(min = -180, max = 180))]
        longitude: f64,
        /// Accuracy of the position in meters.
        accuracy: f64,
    }
    /// Data of `timestamp.captured`.
    TimestampCaptured {
        /// Identifier of the scan in the app.
        scan_id: String,
        /// Captured time, in Unix milliseconds.
        captured_at: Timestamp,
    }
    /// Data of `ocr.completed`.
    OcrCompleted {
        /// Identifier of the scan in the app.
        scan_id: String,
        /// The recognized text.
        text: String,
        /// Language of the text, as a BCP 47 tag.
        language: String,
    }
    /// Data of `qr.scanned`.
    QrScanned {
        /// Identifier of the scan in the app.
        scan_id: String,
        /// Decoded text of the code.
        text: String,
    }
}

fn latitude<'de, D: Deserializer<'de>>(value: D) -> Result<Option<f64>, D::Error> {
    within(value, 90.0)
}

fn longitude<'de, D: Deserializer<'de>>(value: D) -> Result<Option<f64>, D::Error> {
    within(value, 180.0)
}

fn within<'de, D: Deserializer<'de>>(value: D, max: f64) -> Result<Option<f64>, D::Error> {
    let degrees = Option::<f64>::deserialize(value)?;
    match degrees {
        Some(degrees) if !(-max..=max).contains(&degrees) => {
            Err(D::Error::custom(format!("must be from -{max} to {max}")))
        }
        degrees => Ok(degrees),
    }
}
