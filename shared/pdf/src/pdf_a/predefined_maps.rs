//! Names of predefined CMaps in place of the copies that Ghostscript embeds [ISO 19005-2, 6.2.11.3.3].
//!
//! PDFium reads no text with a copy. PDF/A-1 requires one.

use lopdf::{Document, Object};

use crate::objects::is_a;
use crate::patch::Patch;

/// The CMaps of ISO 32000-1, table 118, without their writing mode.
const PREDEFINED: &str = " GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16 \
    B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 UniCNS-UTF16 \
    83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16 \
    KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16 ";

/// Sets the names in the fonts, except for names under which the source embeds a map of its own.
pub(super) fn set_names(source: &Document, converted: &Document, patch: &mut Patch) {
    let own: Vec<&[u8]> = source.objects.values().filter_map(map_name).collect();
    for (id, object) in &converted.objects {
        let Ok(font) = object.as_dict() else { continue };
        let map = font.get_deref(b"Encoding", converted);
        if let Some(name) = map.ok().and_then(map_name)
            && is_a(font, b"Type0")
            && is_predefined(name)
            && !own.contains(&name)
        {
            let mut font = font.clone();
            font.set("Encoding", Object::Name(name.to_vec()));
            patch.set(*id, &font.into());
        }
    }
}

/// The name of an embedded CMap.
fn map_name(object: &Object) -> Option<&[u8]> {
    let map = object.as_stream().ok()?;
    map.dict.get(b"CMapName").and_then(Object::as_name).ok()
}

fn is_predefined(name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else {
        return false;
    };
    let map = name.strip_suffix("-H").or_else(|| name.strip_suffix("-V"));
    matches!(name, "H" | "V") || map.is_some_and(|map| PREDEFINED.contains(&format!(" {map} ")))
}
