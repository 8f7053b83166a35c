//! Engine functions: function, role and log group of each.

use std::path::Path;

use domain::engine_function::EngineFunction;

use super::part::part;
use crate::text::pascal_case;

/// Size of `/tmp` in MiB: inputs, scratch files and the result of one document.
const STORAGE: u32 = 2048;

/// Properties that differ between the engine functions.
struct Row {
    title: &'static str,
    description: &'static str,
    /// Why the function is deployed as an image instead of a zip; `None` for a zip.
    image: Option<&'static str>,
    /// Whether the function needs a route to the internet.
    internet: bool,
}

pub(super) fn parts(root: &Path) -> Result<Vec<String>, String> {
    let functions = EngineFunction::ALL.iter().copied();
    functions.map(|function| text(root, function)).collect()
}

/// `EngineOffice` of `engine-office`, as in `EngineOfficeFunction`.
pub(super) fn name(function: EngineFunction) -> String {
    pascal_case(function.name())
}

/// Environment variables with the names of engine functions.
pub(super) fn variables(functions: &[EngineFunction]) -> String {
    let line = |function: &EngineFunction| {
        let variable = function.name().to_uppercase().replace('-', "_");
        let name = name(*function);
        format!("          {variable}_FUNCTION: !Ref {name}Function")
    };
    functions.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// ARNs of engine functions.
pub(super) fn arns(functions: &[EngineFunction]) -> String {
    let line = |function: &EngineFunction| {
        format!(
            "                  - !GetAtt {}Function.Arn",
            name(*function)
        )
    };
    functions.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn row(function: EngineFunction) -> Row {
    match function {
        EngineFunction::EngineOffice => Row {
            title: "OFFICE ENGINE",
            description: "Converts office documents with LibreOffice, and PDF to PDF/A with Ghostscript",
            image: Some(
                "LibreOffice exceeds the size limit of a zip. Runtime and Handler apply to zips only.",
            ),
            internet: false,
        },
        EngineFunction::EnginePdf => Row {
            title: "PDF ENGINE",
            description: "Edits PDF documents and converts them with libqpdf and pdfium",
            image: None,
            internet: false,
        },
        EngineFunction::EngineImage => Row {
            title: "IMAGE ENGINE",
            description: "Compresses, edits and converts images",
            image: Some("it contains fonts and the program of libheif."),
            internet: false,
        },
        EngineFunction::EngineOcr => Row {
            title: "OCR ENGINE",
            description: "Recognizes text with Tesseract, and reconstructs documents from pages",
            image: Some("it contains Tesseract and its models."),
            internet: false,
        },
        EngineFunction::EngineWeb => Row {
            title: "WEB PAGE ENGINE",
            description: "Renders web pages, HTML and Markdown with Chromium",
            image: Some("it contains a browser."),
            internet: true,
        },
    }
}

fn text(root: &Path, function: EngineFunction) -> Result<String, String> {
    let (name, row, resources) = (name(function), row(function), function.resources());
    // A function in subnets needs network interfaces, which Lambda manages with the function's role.
    let (network, statements) = match row.internet {
        true => (part(root, "engines/internet", &[])?, String::new()),
        false => (
            part(root, "engines/subnets", &[])?,
            part(root, "engines/network-interfaces", &[])?,
        ),
    };
    let values = [
        ("title", row.title.to_owned()),
        ("Name", name.clone()),
        ("build", row.build(function.name())),
        ("description", row.description.to_owned()),
        ("package", row.package().to_owned()),
        ("memory", resources.memory.to_string()),
        ("timeout", resources.timeout.as_secs().to_string()),
        ("storage", STORAGE.to_string()),
        ("network", network),
    ];
    let text = part(root, "engines/function", &values)?;
    let values = [
        ("statements", statements),
        ("Name", name),
        ("policy", function.name().to_owned()),
    ];
    Ok(text + "\n" + &part(root, "role", &values)?)
}

impl Row {
    fn build(&self, name: &str) -> String {
        let Some(why) = self.image else {
            return "    Metadata: { BuildMethod: makefile, WorkingDirectory: . }\n".to_owned();
        };
        format!(
            "    # Container image: {why}\n    IgnoreGlobals: [Runtime, Handler]\n    Metadata: {{ DockerContext: ., Dockerfile: \
             infra/images/Dockerfile, DockerBuildTarget: {name}, DockerTag: {name} }}\n"
        )
    }

    fn package(&self) -> &'static str {
        match self.image {
            Some(_) => "      PackageType: Image\n",
            None => "      CodeUri: infra/bundle\n",
        }
    }
}
