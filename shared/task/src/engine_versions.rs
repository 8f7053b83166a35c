//! Names and versions of the engines that are linked statically, for the record of a job.

/// Writes PDF.
pub const LOPDF: &str = "lopdf 0.47.0";
/// Writes PDF of drawings.
pub const KRILLA: &str = "krilla 0.8.2";
/// Writes GIF.
pub const GIF: &str = "gif 0.14.2";
/// Writes BMP.
pub const IMAGE: &str = "image 0.25.10";
/// Compresses with Deflate.
pub const LIBDEFLATE: &str = "libdeflater 1.26.1";
/// Writes JPEG.
pub const MOZJPEG: &str = "mozjpeg 0.10.13";
/// Writes PNG images of pages.
pub const PNG: &str = "png 0.18.1";
/// Optimizes PNG.
pub const OXIPNG: &str = "oxipng 10.2.1";
/// Rewrites PDF.
pub const QPDF: &str = "qpdf-sys 0.3.7";
/// Shapes text.
pub const HARFRUST: &str = "harfrust 0.12.0";
/// Writes AVIF.
pub const RAV1E: &str = "rav1e 0.8.1";
/// Subsets TrueType fonts.
pub const SKERA: &str = "skera 0.4.0";
/// Writes TIFF.
pub const TIFF: &str = "tiff 0.11.3";
/// Writes WebP.
pub const WEBP: &str = "libwebp-sys 0.9.6";

#[cfg(test)]
mod tests {
    #[test]
    fn versions_match_cargo_lock() {
        let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
        let lock = std::fs::read_to_string(lock).unwrap();
        for engine in [
            super::LOPDF,
            super::KRILLA,
            super::GIF,
            super::IMAGE,
            super::LIBDEFLATE,
            super::MOZJPEG,
            super::PNG,
            super::OXIPNG,
            super::QPDF,
            super::HARFRUST,
            super::RAV1E,
            super::SKERA,
            super::TIFF,
            super::WEBP,
        ] {
            let (name, version) = engine.split_once(' ').unwrap();
            let locked = format!("name = \"{name}\"\nversion = \"{version}\"");
            assert!(lock.contains(&locked), "{engine}");
        }
    }
}
