//! Maps namespaces (transitional, strict and older URIs) to canonical prefixes.

/// Returns the canonical prefix of a namespace; `?` if it is unknown.
pub(super) fn prefix(uri: &str) -> &'static str {
    match uri {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        | "http://purl.oclc.org/ooxml/wordprocessingml/main" => "w",
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        | "http://purl.oclc.org/ooxml/spreadsheetml/main" => "x",
        "http://schemas.openxmlformats.org/presentationml/2006/main"
        | "http://purl.oclc.org/ooxml/presentationml/main" => "p",
        "http://schemas.openxmlformats.org/drawingml/2006/main"
        | "http://purl.oclc.org/ooxml/drawingml/main" => "a",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        | "http://purl.oclc.org/ooxml/officeDocument/relationships" => "r",
        "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
        | "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing" => "wp",
        "http://schemas.openxmlformats.org/drawingml/2006/picture"
        | "http://purl.oclc.org/ooxml/drawingml/picture" => "pic",
        "http://schemas.openxmlformats.org/drawingml/2006/chart"
        | "http://purl.oclc.org/ooxml/drawingml/chart" => "c",
        "http://schemas.openxmlformats.org/drawingml/2006/diagram"
        | "http://purl.oclc.org/ooxml/drawingml/diagram" => "dgm",
        "http://schemas.openxmlformats.org/officeDocument/2006/math"
        | "http://purl.oclc.org/ooxml/officeDocument/math" => "m",
        "http://schemas.openxmlformats.org/markup-compatibility/2006" => "mc",
        "http://schemas.openxmlformats.org/package/2006/relationships" => "rel",
        "http://schemas.openxmlformats.org/package/2006/content-types" => "ct",
        "http://schemas.openxmlformats.org/package/2006/metadata/core-properties" => "cp",
        "http://schemas.microsoft.com/office/drawing/2008/diagram" => "dsp",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingShape" => "wps",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" => "wpg",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas" => "wpc",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing" => "wp14",
        "http://schemas.microsoft.com/office/word/2010/wordml" => "w14",
        "http://schemas.microsoft.com/office/word/2012/wordml" => "w15",
        "http://schemas.microsoft.com/office/drawing/2010/main" => "a14",
        "http://schemas.microsoft.com/office/powerpoint/2010/main" => "p14",
        "urn:schemas-microsoft-com:vml" => "v",
        "urn:schemas-microsoft-com:office:office" => "o",
        "http://purl.org/dc/elements/1.1/" => "dc",
        "http://www.w3.org/1999/xlink" => "xlink",
        "http://www.w3.org/XML/1998/namespace" => "xml",
        "http://www.w3.org/1998/Math/MathML" => "math",
        "urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0" => "field",
        "http://openoffice.org/2010/draw" => "drawooo",
        "http://www.idpf.org/2007/opf" => "opf",
        other => open_document(other),
    }
}

/// Returns the prefixes of OpenDocument, including those of OpenOffice.org 1.
fn open_document(uri: &str) -> &'static str {
    let name = uri.strip_prefix("urn:oasis:names:tc:opendocument:xmlns:");
    let Some(name) = name.and_then(|name| name.split(':').next()) else {
        return match uri.strip_prefix("http://openoffice.org/2000/") {
            Some("office") => "office",
            Some("text") => "text",
            Some("table") => "table",
            Some("style") => "style",
            Some("drawing") => "draw",
            _ => "?",
        };
    };
    match name {
        "office" => "office",
        "text" => "text",
        "table" => "table",
        "style" => "style",
        "drawing" => "draw",
        "presentation" => "presentation",
        "datastyle" => "number",
        "svg-compatible" => "svg",
        "xsl-fo-compatible" => "fo",
        "manifest" => "manifest",
        "meta" => "meta",
        "form" => "form",
        "container" => "container",
        _ => "?",
    }
}
