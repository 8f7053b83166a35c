//! Does steps on a file as a processor does, for measurements and pictures: `convert-fixture SCRATCH STEPS IN.from OUT`, where
//! SCRATCH is an empty directory and STEPS the JSON array of a request. Prints the result's facts as a line of JSON:
//! `{"pages": …, "warnings": [code, …], "cpu": seconds of all children}`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::JobLimits;
use domain::operation::Operation;
use domain::processor::Processor;
use engine::{Artifact, Engines, Modules, Request};
use sandbox::Launcher;
use serde_json::{Value, json};

/// A plan that no document that is measured exceeds.
const LIMITS: JobLimits = JobLimits {
    file_bytes: 1_000_000_000,
    pages: 5_000,
    image_side: 20_000,
};

fn main() -> ExitCode {
    engine::child(Modules::ALL).unwrap_or_else(|| match converted() {
        Ok(told) if writeln!(std::io::stdout(), "{told}").is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            writeln!(std::io::stderr(), "{why}").ok();
            ExitCode::FAILURE
        }
    })
}

fn converted() -> Result<Value, String> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [scratch, steps, source, output] = arguments.as_slice() else {
        return Err("convert-fixture SCRATCH STEPS IN.from OUT".to_owned());
    };
    let steps = read(&steps.to_string_lossy())?;
    let spent = Mutex::new(Duration::ZERO);
    let artifact = run(scratch, &steps, source, &spent)?;
    std::fs::copy(&artifact.path, output).map_err(|error| error.to_string())?;
    let warnings = artifact.warnings.iter();
    let codes: Vec<&str> = warnings.map(|warning| warning.code.as_str()).collect();
    let spent = spent.into_inner().map_err(|error| error.to_string())?;
    Ok(json!({"pages": artifact.pages, "warnings": codes, "cpu": spent.as_secs_f64()}))
}

fn read(steps: &str) -> Result<Vec<Operation>, String> {
    let items: Vec<Value> = serde_json::from_str(steps).map_err(|error| error.to_string())?;
    let read = items.iter().map(|item| Operation::read(item, "$"));
    read.collect::<Result<_, _>>()
        .map_err(|fault| format!("{fault:?}"))
}

fn run(
    scratch: &Path,
    steps: &[Operation],
    source: &Path,
    spent: &Mutex<Duration>,
) -> Result<Artifact, String> {
    let extension = source.extension().unwrap_or_default().to_string_lossy();
    let claimed = Format::from_extension(&extension).ok_or("a format of another name")?;
    let filename = Filename::try_from(format!("document.{extension}"));
    let request = Request {
        steps,
        source,
        web_page: None,
        attachments: &[],
        claimed,
        filename: &filename.map_err(|error| format!("{error:?}"))?,
        limits: LIMITS,
        scratch,
        stop: &AtomicBool::new(false),
        progress: &|_| {},
        spent: &|time| {
            if let Ok(mut spent) = spent.lock() {
                *spent += time;
            }
        },
    };
    let engines = Engines::discover(
        Launcher::current(),
        Modules::ALL,
        &processors(steps, claimed),
    );
    let engines = engines.map_err(|error| error.to_string())?;
    engines.run(&request).map_err(|error| error.to_string())
}

/// Who does the steps, so that no engine is looked for that none needs.
fn processors(steps: &[Operation], claimed: Format) -> Vec<Processor> {
    let mut format = claimed;
    let resolved = steps.iter().map_while(|step| {
        let (processor, to) = step.resolve(format)?;
        format = to;
        Some(processor)
    });
    resolved.collect()
}
