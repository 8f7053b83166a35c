//! Headers of ICC profiles [ICC.1:2010, 7.2].

use super::Report;

/// What the header of a profile states.
pub(super) struct IccHeader {
    version: u8,
    class: [u8; 4],
    /// The color space of the device.
    pub(super) space: [u8; 4],
}

/// Length of the header in bytes.
const LENGTH: usize = 128;

impl IccHeader {
    /// Reads the header of a profile; `None` if it is no profile.
    pub(super) fn read(profile: &[u8]) -> Option<Self> {
        let header = profile.get(..LENGTH)?;
        let field = |at: usize| header.get(at..at + 4)?.try_into().ok();
        let size = usize::try_from(u32::from_be_bytes(field(0)?)).ok()?;
        let is_profile = field(36)? == *b"acsp" && (LENGTH..=profile.len()).contains(&size);
        is_profile.then_some(Self {
            version: *header.get(8)?,
            class: field(12)?,
            space: field(16)?,
        })
    }

    /// Whether the version of the profile is allowed: 2 in ISO 19005-1, up to 4 in the other parts.
    pub(super) fn has_allowed_version(&self, report: &Report) -> bool {
        self.version <= if report.is_part_1() { 2 } else { 4 }
    }

    /// Whether it is the profile of an output device or a monitor.
    pub(super) fn is_of_output(&self) -> bool {
        matches!(&self.class, b"prtr" | b"mntr")
    }

    /// Whether a color space can be based on it.
    pub(super) fn is_of_colors(&self) -> bool {
        self.is_of_output() || matches!(&self.class, b"scnr" | b"spac")
    }

    /// Number of color components; `None` if a color space of PDF cannot be based on it.
    pub(super) fn components(&self) -> Option<i64> {
        match &self.space {
            b"GRAY" => Some(1),
            b"RGB " | b"Lab " => Some(3),
            b"CMYK" => Some(4),
            _ => None,
        }
    }
}
