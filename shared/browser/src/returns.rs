//! Command results with only the members that the driver reads; the types of `chromiumoxide_cdp` require more.

use chromiumoxide_cdp::cdp::browser_protocol::io::StreamHandle;
use serde::Deserialize;
use serde_json::Value;

use crate::event::Frame;

/// The result of `Page.getFrameTree`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetFrameTree {
    /// The page's frames.
    pub(crate) frame_tree: FrameTree,
}

/// The frames of a page.
#[derive(Debug, Deserialize)]
pub(crate) struct FrameTree {
    /// The main frame.
    pub(crate) frame: Frame,
}

/// The result of `Page.navigate`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Navigate {
    /// Why the navigation failed.
    pub(crate) error_text: Option<String>,
}

/// The result of `Runtime.evaluate`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate {
    /// The value.
    pub(crate) result: RemoteObject,
    /// The exception that the script threw.
    pub(crate) exception_details: Option<ExceptionDetails>,
}

/// A value of a script.
#[derive(Debug, Deserialize)]
pub(crate) struct RemoteObject {
    /// The value; `None` if it is `undefined`.
    pub(crate) value: Option<Value>,
}

/// An exception of a script.
#[derive(Debug, Deserialize)]
pub(crate) struct ExceptionDetails {
    /// The message.
    pub(crate) text: String,
}

/// The result of `Page.getLayoutMetrics`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetLayoutMetrics {
    /// The size of the whole page.
    pub(crate) css_content_size: Size,
}

/// A size in CSS pixels.
#[derive(Debug, Deserialize)]
pub(crate) struct Size {
    /// The width.
    pub(crate) width: f64,
    /// The height.
    pub(crate) height: f64,
}

/// The result of `Page.printToPDF`.
#[derive(Debug, Deserialize)]
pub(crate) struct PrintToPdf {
    /// The PDF.
    pub(crate) stream: Option<StreamHandle>,
}
