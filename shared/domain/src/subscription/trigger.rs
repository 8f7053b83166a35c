//! Triggers of automation hooks: events of the mobile app that uses the service.

mod data;
mod event;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::field::{self, FieldError};
use crate::plan::Plan;

pub use data::{
    GeotagCaptured, OcrCompleted, PdfExported, QrScanned, ScanCreated, TimestampCaptured,
};
pub use event::{TriggerEvent, TriggerEventError};

/// The `source` of the app's events on the bus.
pub const TRIGGER_SOURCE: &str = "octavo.app";

macro_rules! triggers {
    ($($variant:ident = $name:literal, $plan:ident, $doc:literal;)*) => {
        /// The trigger of an automation hook.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, Display, EnumString, IntoStaticStr, VariantArray)]
        #[strum(parse_err_ty = String, parse_err_fn = unknown)]
        pub enum Trigger {
            $(#[doc = $doc] #[serde(rename = $name)] #[strum(serialize = $name)] $variant,)*
        }

        impl Trigger {
            /// Every trigger, in the order of the table.
            pub const ALL: &'static [Self] = Self::VARIANTS;

            /// Returns the detail type on the bus.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.into()
            }

            /// Returns the description for the documentation.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }

            /// Returns the smallest plan that includes the trigger.
            #[must_use]
            pub fn plan(self) -> Plan {
                match self { $(Self::$variant => Plan::$plan,)* }
            }

            /// Checks the known members of `data`.
            ///
            /// # Errors
            /// The invalid members, as `$.data.<member>`.
            fn check(self, data: &Value) -> Result<(), Vec<FieldError>> {
                match self { $(Self::$variant => field::read::<data::$variant>(data, "$.data").map(drop),)* }
            }
        }
    };
}

triggers! {
    ScanCreated = "scan.created", Free, "A document is scanned in the mobile app.";
    PdfExported = "pdf.exported", Free, "A document group is exported as PDF.";
    GeotagCaptured = "geotag.captured", Pro, "A scan is tagged with location data.";
    TimestampCaptured = "timestamp.captured", Business, "An image with a time stamp is captured in the mobile app.";
    OcrCompleted = "ocr.completed", Pro, "On-device OCR text becomes available for a scan.";
    QrScanned = "qr.scanned", Free, "A QR code is scanned, with the decoded text.";
}

impl Trigger {
    /// Whether a plan includes the trigger.
    #[must_use]
    pub fn is_included_in(self, plan: Plan) -> bool {
        plan >= self.plan()
    }
}

fn unknown(name: &str) -> String {
    format!("unknown trigger {name:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trigger_has_its_plan() {
        let included = |plan| {
            let all = Trigger::ALL.iter();
            all.filter(|trigger| trigger.is_included_in(plan)).count()
        };
        let plans = [Plan::Free, Plan::Starter, Plan::Pro, Plan::Business];
        assert_eq!(plans.map(included), [3, 3, 5, 6]);
        for trigger in Trigger::ALL {
            assert_eq!(serde_json::to_value(trigger).unwrap(), trigger.name());
            assert_eq!(trigger.name().parse(), Ok(*trigger));
        }
    }
}
