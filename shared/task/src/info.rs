//! The result of the operation `info`.

use domain::format::Format;
use domain::operation::Permission;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Information about an image.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageInfo {
    /// The format.
    pub format: Format,
    /// Number of pages; 1 unless it is a TIFF.
    pub pages: u32,
    /// Width of the first page in pixels, after applying its orientation.
    pub width: u32,
    /// Height in pixels, likewise.
    pub height: u32,
    /// Horizontal and vertical resolution in pixels per inch, if the file has it.
    pub density: Option<(f32, f32)>,
}

/// Information about a PDF.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PdfInfo {
    /// The format.
    pub format: Format,
    /// Number of pages.
    pub pages: u32,
    /// Whether it is encrypted, even if it opens without a password.
    pub encrypted: bool,
    /// User access permissions.
    pub permissions: Vec<Permission>,
    /// The PDF version, such as `1.7`.
    pub pdf_version: Option<String>,
    /// Title. This and the next members come from the XMP packet or the information dictionary.
    pub title: Option<String>,
    /// Author.
    pub author: Option<String>,
    /// Subject.
    pub subject: Option<String>,
    /// Keywords.
    pub keywords: Option<String>,
    /// The application that wrote the PDF.
    pub producer: Option<String>,
    /// The application that created the original document.
    pub creator: Option<String>,
    /// Creation date: as much of an RFC 3339 timestamp as the document has.
    pub created: Option<String>,
    /// Modification date, likewise.
    pub modified: Option<String>,
    /// Whether it is a tagged PDF.
    pub tagged: bool,
    /// Whether it has an interactive form.
    pub forms: bool,
    /// The fields of the form; `None` if it has no form.
    pub form: Option<FormInfo>,
    /// Number of attached files.
    pub attachment_count: u32,
    /// The first 1,000 attached files.
    pub attachments: Vec<AttachmentInfo>,
    /// The invoice that is attached as XML; `None` if it is no Factur-X or ZUGFeRD document.
    pub e_invoice: Option<EInvoice>,
    /// The size of each page.
    pub page_sizes: Vec<PageSize>,
}

/// An attached file of a PDF. Everything but the page is as the document states it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentInfo {
    /// The name. It may be a path, and several files may have the same.
    pub name: String,
    /// The description.
    pub description: Option<String>,
    /// The media type.
    pub media_type: Option<String>,
    /// The size in bytes.
    pub size: Option<u64>,
    /// What the file is to the document, such as `Alternative` [ISO 32000-2, table 43].
    pub relationship: Option<String>,
    /// The page of the annotation that attaches it, from 1; `None` if it is attached to the document.
    pub page: Option<u32>,
}

/// The invoice of a Factur-X or ZUGFeRD document. Amounts are decimal numbers as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EInvoice {
    /// The name of the attached file.
    pub file: String,
    /// The identifier of the guideline that the invoice follows.
    pub guideline: Option<String>,
    /// The profile; `None` if it is unknown.
    pub profile: Option<InvoiceProfile>,
    /// The invoice number.
    pub number: Option<String>,
    /// The type code of UNTDID 1001, such as `380`.
    pub type_code: Option<String>,
    /// The date of issue, `YYYY-MM-DD`.
    pub issue_date: Option<String>,
    /// The name of the seller.
    pub seller: Option<String>,
    /// The name of the buyer.
    pub buyer: Option<String>,
    /// The currency by ISO 4217.
    pub currency: Option<String>,
    /// The total without tax.
    pub net_total: Option<String>,
    /// The total tax.
    pub tax_total: Option<String>,
    /// The total with tax.
    pub gross_total: Option<String>,
    /// The amount due for payment.
    pub amount_due: Option<String>,
}

/// The profile of an electronic invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InvoiceProfile {
    /// Factur-X MINIMUM.
    Minimum,
    /// Factur-X BASIC WL (without lines).
    BasicWl,
    /// Factur-X or ZUGFeRD BASIC.
    Basic,
    /// Factur-X EN 16931.
    En16931,
    /// ZUGFeRD 1.0 COMFORT.
    Comfort,
    /// Factur-X or ZUGFeRD EXTENDED.
    Extended,
    /// `XRechnung`, the German specification of EN 16931.
    Xrechnung,
}

/// The form of a PDF.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormInfo {
    /// Whether it has an XFA form.
    pub xfa: bool,
    /// The fields.
    pub fields: Vec<FieldInfo>,
    /// Whether the form has more fields.
    pub truncated: bool,
}

/// A field of a form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldInfo {
    /// The full name.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// The value, as the operation `fill` accepts it; `null` if it has none.
    pub value: Value,
    /// The values that a list, a check box or a group of radio buttons accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// Whether it must have a value.
    pub required: bool,
    /// Whether users cannot change it.
    pub read_only: bool,
    /// The page of its first widget, from 1.
    pub page: Option<u32>,
    /// The maximum number of characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
}

/// The type of a form field.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FieldType {
    /// Text.
    Text,
    /// A check box.
    Checkbox,
    /// A group of radio buttons.
    Radio,
    /// A drop-down list.
    Dropdown,
    /// A list.
    List,
    /// A push button.
    Button,
    /// A signature.
    Signature,
}

/// The size of a page as displayed, after rotation.
#[derive(Serialize, Deserialize)]
pub struct PageSize {
    /// Page number, from 1.
    pub number: u32,
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
}
