//! The version of LibreOffice whose C++ objects were measured. Their layout is not part of any interface, so it is used only with this
//! version, on x86-64.

/// The version.
pub(crate) const MEASURED_VERSION: &str = "25.2.3.2";

/// Whether the objects of a version were measured.
pub(crate) fn is_measured(version: &str) -> bool {
    cfg!(target_arch = "x86_64") && version == MEASURED_VERSION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_versions_were_not_measured() {
        assert_eq!(is_measured("25.2.3.2"), cfg!(target_arch = "x86_64"));
        for other in [
            "25.2.3.1",
            "25.2.3",
            "25.2.3.22",
            "26.8.2.1",
            "24.8.0.3",
            "",
        ] {
            assert!(!is_measured(other), "{other}");
        }
    }
}
