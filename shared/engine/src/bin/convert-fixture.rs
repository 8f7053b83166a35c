//! Runs operations on a file as an engine function does, for benchmarks and screenshots: `convert-fixture SCRATCH STEPS IN.from
//! OUT`, where SCRATCH is an empty directory and STEPS the JSON array of a request. Prints one line of JSON: `{"pages": …,
//! "warnings": [{"code": …, "message": …, "data": …}, …], "cpu": CPU seconds of all children}`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::engine_function::EngineFunction;
use domain::filename::Filename;
use domain::format::Format;
use domain::job::JobLimits;
use domain::operation::Operation;
use engine::{Artifact, Engines, Modules, Request};
use sandbox::Launcher;
use serde_json::{Value, json};

/// Plan limits that no benchmark document exceeds.
const LIMITS: JobLimits = JobLimits {
    file_bytes: 1_000_000_000,
    pages: 5_000,
    image_side: 20_000,
};

fn main() -> ExitCode {
    engine::child(Modules::ALL).unwrap_or_else(|| match convert() {
        Ok(report) if writeln!(std::io::stdout(), "{report}").is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            writeln!(std::io::stderr(), "{error}").ok();
            ExitCode::FAILURE
        }
    })
}

fn convert() -> Result<Value, String> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [scratch, steps, source, output] = arguments.as_slice() else {
        return Err("convert-fixture SCRATCH STEPS IN.from OUT".to_owned());
    };
    let steps = read(&steps.to_string_lossy())?;
    let cpu_time = Mutex::new(Duration::ZERO);
    let artifact = run(scratch, &steps, source, &cpu_time)?;
    std::fs::copy(&artifact.path, output).map_err(|error| error.to_string())?;
    let cpu_time = cpu_time.into_inner().map_err(|error| error.to_string())?;
    Ok(
        json!({"pages": artifact.pages, "warnings": artifact.warnings, "cpu": cpu_time.as_secs_f64()}),
    )
}

fn read(steps: &str) -> Result<Vec<Operation>, String> {
    let items: Vec<Value> = serde_json::from_str(steps).map_err(|error| error.to_string())?;
    let read = items.iter().map(|item| Operation::read(item, "$"));
    read.collect::<Result<_, _>>()
        .map_err(|error| format!("{error:?}"))
}

fn run(
    scratch: &Path,
    steps: &[Operation],
    source: &Path,
    cpu_time: &Mutex<Duration>,
) -> Result<Artifact, String> {
    let extension = source.extension().unwrap_or_default().to_string_lossy();
    let declared_format =
        Format::from_extension(&extension).ok_or("the extension is not a known format")?;
    let filename = Filename::try_from(format!("document.{extension}"));
    let request = Request {
        steps,
        part: None,
        source,
        web_page: None,
        attachments: &[],
        declared_format,
        filename: &filename.map_err(|error| format!("{error:?}"))?,
        limits: LIMITS,
        scratch,
        stop: &AtomicBool::new(false),
        progress: &|_| {},
        cpu_time: &|_, time| {
            if let Ok(mut cpu_time) = cpu_time.lock() {
                *cpu_time += time;
            }
        },
    };
    let engines = Engines::discover(
        Launcher::current(),
        Modules::ALL,
        &functions(steps, declared_format),
    );
    let engines = engines.map_err(|error| error.to_string())?;
    engines.run(&request).map_err(|error| error.to_string())
}

/// The functions that run the steps; engines of others are not discovered.
fn functions(steps: &[Operation], declared_format: Format) -> Vec<EngineFunction> {
    let mut format = declared_format;
    let resolved = steps.iter().map_while(|step| {
        let (processor, to) = step.resolve(format)?;
        format = to;
        EngineFunction::of(processor)
    });
    resolved.collect()
}
