//! LibreOffice's user profile: no macros, no updates of links or fields, no backup files, A4 paper.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::font_substitutes::font_substitutes;
use crate::kit::WORKING_DIRECTORY;

/// Name of the fontconfig file in the profile's directory.
const FONTS_FILE: &str = "fonts.conf";

/// Settings: path below `/org.openoffice`, property, value. `Common/Security/Scripting/DisableActiveContent` is omitted on
/// purpose: it would remove charts and equations.
const SETTINGS: [(&str, &str, &str); 22] = [
    ("Setup/L10N", "ooSetupSystemLocale", "en-US"),
    ("Office.Linguistic/General", "DefaultLocale", "en-US"),
    (
        "Office.Common/Security/Scripting",
        "MacroSecurityLevel",
        "3",
    ),
    (
        "Office.Common/Security/Scripting",
        "DisableMacrosExecution",
        "true",
    ),
    (
        "Office.Common/Security/Scripting",
        "DisablePythonRuntime",
        "true",
    ),
    (
        "Office.Common/Security/Scripting",
        "BlockUntrustedRefererLinks",
        "true",
    ),
    // Never update links to other files.
    ("Office.Writer/Content/Update", "Link", "2"),
    ("Office.Writer/Content/Update", "Field", "false"),
    ("Office.Calc/Content/Update", "Link", "2"),
    // Never recalculate formulas; show the values stored in the file.
    ("Office.Calc/Formula/Load", "OOXMLRecalcMode", "1"),
    ("Office.Calc/Formula/Load", "ODFRecalcMode", "1"),
    ("Office.Common/Misc", "UseDocumentOOoLockFile", "false"),
    (
        "Office.Common/Misc",
        "UseDocumentSystemFileLocking",
        "false",
    ),
    ("Office.Common/Misc", "FirstRun", "false"),
    ("Office.Common/Misc", "CrashReport", "false"),
    ("Office.Common/Misc", "UseOpenCL", "false"),
    ("Office.Common/Save/Document", "CreateBackup", "false"),
    // Write links as absolute URLs, so that those below the working directory differ from the document's own.
    ("Office.Common/Save/URL", "FileSystem", "false"),
    ("Office.Recovery/RecoveryInfo", "Enabled", "false"),
    ("Office.Recovery/AutoSave", "Enabled", "false"),
    ("Office.Linguistic/SpellChecking", "IsSpellAuto", "false"),
    ("Office.Common/Help", "Tip", "false"),
];

/// Writes the profile and the fontconfig file to the zygote's directory. Returns the environment variables for LibreOffice.
pub(crate) fn write_profile(home: &Path) -> std::io::Result<Vec<(&'static str, OsString)>> {
    let user = home.join("user");
    std::fs::create_dir_all(&user)?;
    std::fs::write(user.join("registrymodifications.xcu"), registry())?;
    // LibreOffice extracts the fonts embedded in a document to this directory.
    symlink(WORKING_DIRECTORY, user.join("temp"))?;
    let fonts = home.join(FONTS_FILE);
    std::fs::write(&fonts, font_substitutes())?;
    Ok(vec![
        ("PATH", "/usr/local/bin:/usr/bin:/bin".into()),
        ("LANG", "C.UTF-8".into()),
        ("TZ", "UTC".into()),
        ("HOME", home.into()),
        // Resolves to the scratch directory in each fork, although LibreOffice reads the variable in the zygote.
        ("TMPDIR", WORKING_DIRECTORY.into()),
        ("FONTCONFIG_FILE", fonts.into()),
        // Deny linked content from all hosts. Seccomp denies sockets as well.
        ("LOK_HOST_ALLOWLIST", "^nothing$".into()),
        // Run the main loop in this thread.
        ("SAL_LOK_OPTIONS", "unipoll".into()),
        // Sheets loaded by several threads have a nondeterministic order.
        ("MAX_CONCURRENCY", "1".into()),
        ("SAL_USE_VCLPLUGIN", "svp".into()),
        ("SAL_DISABLE_OPENCL", "1".into()),
    ])
}

/// The names of the temporary directories that LibreOffice created in its working directory.
pub(super) fn temporary_directories(home: &Path) -> Vec<OsString> {
    let entries = std::fs::read_dir(home).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.file_name())
        .filter(|name| name.as_encoded_bytes().starts_with(b"lu"))
        .collect()
}

/// Removes the color palettes, which every document with a shape would load and only interactive users need.
const PALETTES: &str = r#"<item oor:path="/org.openoffice.Office.Paths/Paths/org.openoffice.Office.Paths:NamedPath['Palette']/InternalPaths"><node oor:name="$(insturl)/share/palette" oor:op="remove"/></item>"#;

fn registry() -> String {
    let items: String = SETTINGS
        .iter()
        .map(|(path, name, value)| {
            format!(
                "<item oor:path=\"/org.openoffice.{path}\"><prop oor:name=\"{name}\" oor:op=\"fuse\"><value>{value}</value></prop></item>\n"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<oor:items xmlns:oor=\"http://openoffice.org/2001/registry\" \
         xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n{items}{PALETTES}\n</oor:items>\n"
    )
}
