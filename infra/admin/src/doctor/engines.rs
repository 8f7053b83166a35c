//! Looks at the engines of this machine, on which a local stack's processors run.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::operation::LANGUAGES;

use super::Check;

/// The library's file name where nothing names the library.
const PDFIUM: &str = "libpdfium.so";
/// The oldest LibreOffice whose results are tested.
const OFFICE: (u32, u32) = (24, 8);
/// Families that documents ask for most, or their metric twins.
const FONTS: [&str; 4] = ["Liberation Sans", "Liberation Serif", "Carlito", "Caladea"];

/// Every check of this machine's engines.
pub(crate) fn checks(pdfium: &Path) -> Vec<Check> {
    vec![
        office(),
        library(pdfium),
        models(),
        browser(),
        heic(),
        fonts(),
    ]
}

/// Where PDFium is: as named, else beside the executable.
pub(crate) fn pdfium(named: Option<PathBuf>) -> PathBuf {
    let beside = || Some(std::env::current_exe().ok()?.with_file_name(PDFIUM));
    named.or_else(beside).unwrap_or_else(|| PDFIUM.into())
}

fn office() -> Check {
    let name = "soffice";
    match output("soffice", &["--version"]) {
        Ok(text) => match version(&text) {
            Some(found) if found >= OFFICE => Check::new(name, true, text.trim()),
            Some(_) => Check::new(name, false, format!("{}: older than 24.8", text.trim())),
            None => Check::new(name, false, "tells no version"),
        },
        Err(fault) => Check::new(name, false, fault),
    }
}

/// Year and month of what `soffice --version` says: `LibreOffice 25.2.3.2 520(Build:2)`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn library(path: &Path) -> Check {
    let name = "pdfium";
    match loading_fault(path) {
        Ok(None) => Check::new(name, true, path.display().to_string()),
        Ok(Some(fault)) => Check::new(name, false, fault),
        Err(error) => Check::new(name, false, format!("{}: {error}", path.display())),
    }
}

/// What the dynamic linker says when it loads the library and all that it needs into another program.
fn loading_fault(path: &Path) -> std::io::Result<Option<String>> {
    let path = path.canonicalize()?;
    let done = Command::new("true").env("LD_PRELOAD", path).output()?;
    let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    Ok((!said.is_empty() || !done.status.success()).then_some(said))
}

/// Whether there is a model for each language that text is recognised in, and the one of orientations.
fn models() -> Check {
    let name = "tesseract";
    let installed = match output("tesseract", &["--list-langs"]) {
        Ok(installed) => installed,
        Err(fault) => return Check::new(name, false, fault),
    };
    let codes = LANGUAGES.iter().map(|language| language.code);
    let wanted: Vec<_> = codes.chain(["osd"]).collect();
    match missing(&wanted, &installed).as_slice() {
        [] => Check::new(name, true, wanted.join(", ")),
        missing => Check::new(name, false, format!("missing: {}", missing.join(", "))),
    }
}

/// Whether the browser starts: without a sandbox of its own, which a superuser's does not have, since it opens nothing.
fn browser() -> Check {
    let name = "chromium";
    match output("chromium-headless-shell", &["--no-sandbox", "--version"]) {
        Ok(text) if text.contains("Chromium") => Check::new(name, true, text.trim()),
        Ok(_) => Check::new(name, false, "tells no version"),
        Err(fault) => Check::new(name, false, fault),
    }
}

/// Whether libheif's program is there, under its newer or its older name.
fn heic() -> Check {
    let name = "libheif";
    let found = ["heif-dec", "heif-convert"].map(|program| output(program, &["--help"]));
    match found.into_iter().flatten().next() {
        Some(text) => Check::new(name, true, text.lines().next().unwrap_or_default().trim()),
        None => Check::new(name, false, "neither heif-dec nor heif-convert starts"),
    }
}

/// What is not a line of a list.
fn missing<'a>(wanted: &[&'a str], list: &str) -> Vec<&'a str> {
    let is_there = |name: &str| list.lines().any(|line| line.trim() == name);
    let missing = wanted.iter().filter(|name| !is_there(name));
    missing.copied().collect()
}

fn fonts() -> Check {
    let name = "fonts";
    let families = match output("fc-list", &[":", "family"]) {
        Ok(families) => families,
        Err(fault) => return Check::new(name, false, fault),
    };
    let missing: Vec<_> = FONTS
        .into_iter()
        .filter(|font| !families.contains(font))
        .collect();
    match missing.as_slice() {
        [] => Check::new(name, true, FONTS.join(", ")),
        missing => Check::new(name, false, format!("missing: {}", missing.join(", "))),
    }
}

/// What a program prints, if it ends well.
fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new(program).args(arguments).output();
    let done = done.map_err(|error| format!("{program}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{program} failed: {}", done.status));
    }
    String::from_utf8(done.stdout).map_err(|_| format!("{program} printed no text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_office_suite_is_compared_by_year_and_month() {
        let found = |text| version(text).unwrap_or_default();
        assert_eq!(found("LibreOffice 25.2.3.2 520(Build:2)"), (25, 2));
        assert!(found("LibreOffice 24.2.7.2 420(Build:2)") < OFFICE);
        assert!(found("LibreOffice 7.4.7.2 40(Build:2)") < OFFICE);
        assert_eq!(version("junk"), None);
    }

    #[test]
    fn a_model_counts_by_its_whole_name() {
        let list = "List of available languages (2):\nchi_sim\nosd\n";
        assert_eq!(missing(&["chi_sim", "chi", "osd"], list), ["chi"]);
    }

    #[test]
    fn a_library_that_nothing_names_lies_beside_the_executable() {
        let named = PathBuf::from("/opt/libpdfium.so");
        assert_eq!(pdfium(Some(named.clone())), named);
        let directory = std::env::current_exe().unwrap();
        assert_eq!(
            pdfium(None),
            directory.parent().unwrap().join("libpdfium.so")
        );
    }

    #[test]
    fn a_file_that_is_no_library_is_told() {
        assert!(!library(Path::new("/etc/hostname")).good);
        assert!(!library(Path::new("/nowhere/libpdfium.so")).good);
    }
}
