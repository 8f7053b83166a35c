//! LibreOffice's settings: nothing runs, nothing is updated or fetched, nothing is left behind, and paper is A4.
//!
//! A profile that LibreOffice has not begun itself makes it test the graphics, synchronise extensions and start a second
//! time, which is two thirds of the work on a small document. So the profile says that this very build has begun it.

use std::path::Path;

use crate::installed::Build;

/// Fonts that documents name and no free package has, under free ones that are alike.
pub(super) const FONTS: &str = r#"<?xml version="1.0"?>
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <alias binding="same"><family>Verdana</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias binding="same"><family>Tahoma</family><prefer><family>DejaVu Sans Condensed</family><family>DejaVu Sans</family></prefer></alias>
  <alias binding="same"><family>Segoe UI</family><prefer><family>Open Sans</family><family>Noto Sans</family></prefer></alias>
  <alias binding="same"><family>Aptos</family><prefer><family>Carlito</family></prefer></alias>
  <alias binding="same"><family>Georgia</family><prefer><family>Gelasio</family><family>DejaVu Serif</family></prefer></alias>
</fontconfig>
"#;

/// Path below `/org.openoffice`, property, value. `Common/Security/Scripting/DisableActiveContent` is missing on
/// purpose: it would remove charts and equations.
const SETTINGS: [(&str, &str, &str); 21] = [
    ("Setup/L10N", "ooSetupSystemLocale", "en-GB"),
    ("Office.Linguistic/General", "DefaultLocale", "en-GB"),
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
    // Links to other files: never.
    ("Office.Writer/Content/Update", "Link", "2"),
    ("Office.Writer/Content/Update", "Field", "false"),
    ("Office.Calc/Content/Update", "Link", "2"),
    // Formulas show the values that are stored in the file: never calculate anew.
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
    ("Office.Recovery/RecoveryInfo", "Enabled", "false"),
    ("Office.Recovery/AutoSave", "Enabled", "false"),
    ("Office.Linguistic/SpellChecking", "IsSpellAuto", "false"),
    ("Office.Common/Help", "Tip", "false"),
];

/// Writes the profile of a document for a build.
pub(super) fn write(profile: &Path, build: &Build) -> std::io::Result<()> {
    let user = profile.join("user");
    let extensions = user.join("extensions");
    std::fs::create_dir_all(&extensions)?;
    // No extension has changed since this build looked.
    std::fs::write(extensions.join("buildid"), &build.id)?;
    std::fs::write(
        user.join("registrymodifications.xcu"),
        registry(&build.release),
    )
}

fn registry(release: &str) -> String {
    // No new version, so no test of the graphics.
    let begun = ("Setup/Product", "ooSetupLastVersion", release);
    let items: String = SETTINGS
        .iter()
        .chain([&begun])
        .map(|(path, name, value)| {
            format!(
                "<item oor:path=\"/org.openoffice.{path}\"><prop oor:name=\"{name}\" oor:op=\"fuse\"><value>{value}</value></prop></item>\n"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<oor:items xmlns:oor=\"http://openoffice.org/2001/registry\" \
         xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n{items}</oor:items>\n"
    )
}
