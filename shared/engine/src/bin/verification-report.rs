//! Reports what verification finds: converts each document of a directory to every format, and prints the warnings about content
//! and the share of verification in the CPU time. `verification-report DIRECTORY [FORMAT…]` converts documents of these formats
//! only.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::engine_function::EngineFunction;
use domain::filename::Filename;
use domain::format::Format;
use domain::job::{JobLimits, JobWarning};
use domain::operation::{CONVERSIONS, ConvertOptions, Operation};
use engine::{ChildPurpose, EngineError, Engines, Modules, Request};
use sandbox::{Launcher, Scratch};

/// Limits that no real document exceeds.
const LIMITS: JobLimits = JobLimits {
    file_bytes: 1_000_000_000,
    pages: 5_000,
    image_side: 20_000,
};
/// Warnings that are listed with their documents.
const LISTED: [&str; 4] = [
    "glyphs_missing",
    "content_missing",
    "content_reordered",
    "content_not_verified",
];

fn main() -> ExitCode {
    engine::child(Modules::ALL).unwrap_or_else(|| match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            writeln!(std::io::stderr(), "{error}").ok();
            ExitCode::FAILURE
        }
    })
}

/// A document and a format to which it is converted.
struct Case {
    source: PathBuf,
    from: Format,
    to: Format,
}

/// CPU time of the conversions of a pair of formats.
#[derive(Clone, Copy, Default)]
struct CpuTime {
    conversions: u32,
    operation: Duration,
    verification: Duration,
}

impl CpuTime {
    fn add(&mut self, other: Self) {
        self.conversions += other.conversions;
        self.operation += other.operation;
        self.verification += other.verification;
    }

    /// Share of verification in percent.
    fn share(self) -> f64 {
        let all = self.operation + self.verification;
        100.0 * self.verification.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// What the conversions had.
#[derive(Default)]
struct Report {
    results: u32,
    pairs: BTreeMap<(Format, Format), CpuTime>,
    /// Documents with each warning.
    warnings: BTreeMap<&'static str, Vec<String>>,
    /// Conversions that were rejected with each error.
    rejected: BTreeMap<String, Vec<String>>,
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments
        .next()
        .ok_or("verification-report DIRECTORY [FORMAT…]")?;
    let formats: Vec<Format> = arguments
        .map(|name| name.parse().map_err(|_| format!("{name} is not a format")))
        .collect::<Result<_, _>>()?;
    let directory = Path::new(&directory);
    let mut cases = Vec::new();
    collect(directory, &formats, &mut cases).map_err(|error| error.to_string())?;
    let engines = Engines::discover(Launcher::current(), Modules::ALL, EngineFunction::ALL);
    let engines = engines.map_err(|error| error.to_string())?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (cases, report) = (Mutex::new(cases.into_iter()), Mutex::new(Report::default()));
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let case = cases.lock().ok().and_then(|mut cases| cases.next());
                let Some(case) = case else { return Ok(()) };
                convert(&engines, &case, directory, &report)?;
            }
        };
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = started.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err("a thread panicked".to_owned()))
        });
        ended.collect::<Result<(), String>>()
    })?;
    let report = report.into_inner().map_err(|error| error.to_string())?;
    write(report).map_err(|error| error.to_string())
}

/// Adds the conversions of all documents in a directory, in the order of their names.
fn collect(directory: &Path, formats: &[Format], cases: &mut Vec<Case>) -> std::io::Result<()> {
    let entries = std::fs::read_dir(directory)?;
    let mut paths: Vec<_> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, formats, cases)?;
            continue;
        }
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let Some(from) = Format::from_extension(&extension) else {
            continue;
        };
        if !formats.is_empty() && !formats.contains(&from) {
            continue;
        }
        let rows = CONVERSIONS.iter().filter(|row| row.from.contains(&from));
        cases.extend(rows.map(|row| Case {
            source: path.clone(),
            from,
            to: row.to,
        }));
    }
    Ok(())
}

fn convert(
    engines: &Engines,
    case: &Case,
    directory: &Path,
    report: &Mutex<Report>,
) -> Result<(), String> {
    let scratch = Scratch::create(None).map_err(|error| error.to_string())?;
    let filename = Filename::try_from(format!("document.{}", case.from.extension()));
    let cpu = Mutex::new(CpuTime::default());
    let result = engines.run(&Request {
        steps: &[Operation::Convert(ConvertOptions::to(case.to))],
        part: None,
        source: &case.source,
        web_page: None,
        attachments: &[],
        declared_format: case.from,
        filename: &filename.map_err(|error| format!("{error:?}"))?,
        limits: LIMITS,
        scratch: scratch.path(),
        stop: &AtomicBool::new(false),
        progress: &|_| {},
        cpu_time: &|purpose, time| {
            if let Ok(mut cpu) = cpu.lock() {
                match purpose {
                    ChildPurpose::Operation => cpu.operation += time,
                    ChildPurpose::Verification => cpu.verification += time,
                }
            }
        },
    });
    scratch.wipe().map_err(|error| error.to_string())?;
    let name = case.source.strip_prefix(directory).unwrap_or(&case.source);
    let name = format!("{} to {}", name.display(), case.to);
    let mut report = report.lock().map_err(|error| error.to_string())?;
    match result {
        Ok(artifact) => {
            let mut cpu = cpu.into_inner().map_err(|error| error.to_string())?;
            cpu.conversions = 1;
            report.results += 1;
            let pair = report.pairs.entry((case.from, case.to)).or_default();
            pair.add(cpu);
            record(&mut report, &name, &artifact.warnings);
        }
        Err(EngineError::Document(error)) => {
            let error = format!("{:?}: {}", error.code, error.message);
            report.rejected.entry(error).or_default().push(name);
        }
        Err(error) => return Err(format!("{name}: {error}")),
    }
    Ok(())
}

fn record(report: &mut Report, name: &str, warnings: &[JobWarning]) {
    for code in LISTED {
        let of_code = warnings.iter().filter(|warning| warning.code == code);
        let data = of_code.map(|warning| serde_json::Value::Object(warning.data.clone()));
        let lines = data.map(|data| format!("{name}: {data}"));
        report.warnings.entry(code).or_default().extend(lines);
    }
}

fn write(mut report: Report) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    for (code, lines) in &mut report.warnings {
        lines.sort();
        writeln!(output, "\n{code}: {}", lines.len())?;
        lines
            .iter()
            .try_for_each(|line| writeln!(output, "  {line}"))?;
    }
    let rejected: usize = report.rejected.values().map(Vec::len).sum();
    writeln!(output, "\nrejected: {rejected}")?;
    for (error, names) in &report.rejected {
        let first = names.iter().min().map_or("", String::as_str);
        writeln!(output, "{:>6} {error} First: {first}", names.len())?;
    }
    let mut all = CpuTime::default();
    writeln!(
        output,
        "\n{:<16}{:>12}{:>14}{:>16}{:>8}",
        "conversion", "conversions", "operation s", "verification s", "share"
    )?;
    let mut line = |pair: &str, cpu: CpuTime| {
        writeln!(
            output,
            "{pair:<16}{:>12}{:>14.2}{:>16.2}{:>6.1} %",
            cpu.conversions,
            cpu.operation.as_secs_f64(),
            cpu.verification.as_secs_f64(),
            cpu.share()
        )
    };
    for ((from, to), cpu) in &report.pairs {
        all.add(*cpu);
        line(&format!("{from} to {to}"), *cpu)?;
    }
    line("all", all)?;
    writeln!(output, "\nresults: {}", report.results)
}
