//! Checks of this machine's engines, which a local stack's engine functions use.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::operation::LANGUAGES;

use super::Check;

/// Default file name of the PDFium library.
const PDFIUM: &str = "libpdfium.so";
/// Oldest supported LibreOffice version.
const MIN_LIBREOFFICE: (u32, u32) = (24, 8);
/// Common font families of documents, or metric-compatible substitutes.
const FONTS: [&str; 4] = ["Liberation Sans", "Liberation Serif", "Carlito", "Caladea"];

/// Checks all engines of this machine.
pub(crate) fn checks(pdfium: &Path) -> Vec<Check> {
    vec![
        office(),
        library(pdfium),
        models(),
        browser(),
        heic(),
        ghostscript(),
        fonts(),
    ]
}

/// Returns the path of PDFium: the configured one, else next to the executable.
pub(crate) fn pdfium(configured: Option<PathBuf>) -> PathBuf {
    let sibling = || Some(std::env::current_exe().ok()?.with_file_name(PDFIUM));
    configured.or_else(sibling).unwrap_or_else(|| PDFIUM.into())
}

fn office() -> Check {
    let name = "soffice";
    match output("soffice", &["--version"]) {
        Ok(text) => match version(&text) {
            Some(found) if found >= MIN_LIBREOFFICE => Check::new(name, true, text.trim()),
            Some(_) => Check::new(
                name,
                false,
                format!("{}: version 24.8 or newer is required", text.trim()),
            ),
            None => Check::new(name, false, "prints no version"),
        },
        Err(error) => Check::new(name, false, error),
    }
}

/// Parses year and month from the output of `soffice --version`, such as `LibreOffice 25.2.3.2 520(Build:2)`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn library(path: &Path) -> Check {
    let name = "pdfium";
    match load_error(path) {
        Ok(None) => Check::new(name, true, path.display().to_string()),
        Ok(Some(error)) => Check::new(name, false, error),
        Err(error) => Check::new(name, false, format!("{}: {error}", path.display())),
    }
}

/// Preloads the library into another program and returns the dynamic linker's error messages.
fn load_error(path: &Path) -> std::io::Result<Option<String>> {
    let path = path.canonicalize()?;
    let done = Command::new("true").env("LD_PRELOAD", path).output()?;
    let message = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    Ok((!message.is_empty() || !done.status.success()).then_some(message))
}

/// Checks that Tesseract has a model for each supported language, and `osd` for orientation.
fn models() -> Check {
    let name = "tesseract";
    let installed = match output("tesseract", &["--list-langs"]) {
        Ok(installed) => installed,
        Err(error) => return Check::new(name, false, error),
    };
    let codes = LANGUAGES.iter().map(|language| language.code);
    let required: Vec<_> = codes.chain(["osd"]).collect();
    match missing(&required, &installed).as_slice() {
        [] => Check::new(name, true, required.join(", ")),
        missing => Check::new(name, false, format!("missing: {}", missing.join(", "))),
    }
}

/// Checks that the browser starts. `--no-sandbox` is safe because it opens no page, and required for root.
fn browser() -> Check {
    let name = "chromium";
    match output("chromium-headless-shell", &["--no-sandbox", "--version"]) {
        Ok(text) if text.contains("Chromium") => Check::new(name, true, text.trim()),
        Ok(_) => Check::new(name, false, "prints no version"),
        Err(error) => Check::new(name, false, error),
    }
}

/// Checks that libheif's decoder is installed, under its new or old name.
fn heic() -> Check {
    let name = "libheif";
    let found = ["heif-dec", "heif-convert"].map(|program| output(program, &["--help"]));
    match found.into_iter().flatten().next() {
        Some(text) => Check::new(name, true, text.lines().next().unwrap_or_default().trim()),
        None => Check::new(name, false, "neither heif-dec nor heif-convert starts"),
    }
}

/// Checks that Ghostscript starts.
fn ghostscript() -> Check {
    let name = "ghostscript";
    match output("gs", &["--version"]) {
        Ok(version) => Check::new(name, true, version.trim()),
        Err(error) => Check::new(name, false, error),
    }
}

/// Returns the names that are not lines of `list`.
fn missing<'a>(required: &[&'a str], list: &str) -> Vec<&'a str> {
    let is_there = |name: &str| list.lines().any(|line| line.trim() == name);
    let missing = required.iter().filter(|name| !is_there(name));
    missing.copied().collect()
}

fn fonts() -> Check {
    let name = "fonts";
    let families = match output("fc-list", &[":", "family"]) {
        Ok(families) => families,
        Err(error) => return Check::new(name, false, error),
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

/// Runs a program and returns its output.
fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new(program).args(arguments).output();
    let done = done.map_err(|error| format!("{program}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{program} failed: {}", done.status));
    }
    String::from_utf8(done.stdout).map_err(|_| format!("{program} printed invalid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_office_suite_is_compared_by_year_and_month() {
        let found = |text| version(text).unwrap_or_default();
        assert_eq!(found("LibreOffice 25.2.3.2 520(Build:2)"), (25, 2));
        assert!(found("LibreOffice 24.2.7.2 420(Build:2)") < MIN_LIBREOFFICE);
        assert!(found("LibreOffice 7.4.7.2 40(Build:2)") < MIN_LIBREOFFICE);
        assert_eq!(version("junk"), None);
    }

    #[test]
    fn models_are_matched_by_their_full_name() {
        let list = "List of available languages (2):\nchi_sim\nosd\n";
        assert_eq!(missing(&["chi_sim", "chi", "osd"], list), ["chi"]);
    }

    #[test]
    fn pdfium_is_next_to_the_executable_by_default() {
        let configured = PathBuf::from("/opt/libpdfium.so");
        assert_eq!(pdfium(Some(configured.clone())), configured);
        let directory = std::env::current_exe().unwrap();
        assert_eq!(
            pdfium(None),
            directory.parent().unwrap().join("libpdfium.so")
        );
    }

    #[test]
    fn an_invalid_library_fails() {
        assert!(!library(Path::new("/etc/hostname")).passed);
        assert!(!library(Path::new("/nowhere/libpdfium.so")).passed);
    }
}
