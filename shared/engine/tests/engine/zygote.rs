//! The zygote survives hostile documents in its forks, and later documents survive its death.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use domain::job::JobErrorCode;
use engine::{EngineError, Engines};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::job_outcomes::{processes_of, to_pdf};
use crate::sample_documents::{content_types, docx, package, relationship};
use crate::{corpus, harness, poppler};

/// Engines with their own launcher path, which distinguishes their zygote from those of other tests.
struct DedicatedZygote {
    engines: Engines,
    program: PathBuf,
    directory: TempDir,
}

impl DedicatedZygote {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("launcher");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_engine-child"), &program).unwrap();
        let engines = harness::started_by(&program);
        Self {
            engines,
            program,
            directory,
        }
    }

    /// Converts a document; asserts that no process remains.
    fn run(&self, name: &str, document: &[u8]) -> Result<Vec<String>, EngineError> {
        let source = self.directory.path().join(name);
        std::fs::write(&source, document).unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let result = to_pdf(
            &self.engines,
            scratch.path(),
            &source,
            &AtomicBool::new(false),
        );
        assert_eq!(processes_of(scratch.path()), Vec::<String>::new(), "{name}");
        result.map(|artifact| poppler::words(&artifact.path))
    }

    fn assert_good(&self, after: &str) {
        let body = "<w:p><w:r><w:t>sound</w:t></w:r></w:p>";
        let words = self.run("good.docx", &docx(body, ""));
        assert_eq!(words.unwrap(), ["sound"], "{after}");
    }

    /// The zygote and its forks.
    fn processes(&self) -> Vec<Pid> {
        let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let ours = processes.filter(|process| {
            let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            let mut arguments = command.split(|byte| *byte == 0);
            arguments.next() == Some(self.program.as_os_str().as_encoded_bytes())
                && arguments.next() == Some(&b"office-zygote"[..])
        });
        let numbers = ours.filter_map(|process| process.file_name().to_str()?.parse().ok());
        let mut found: Vec<Pid> = numbers.filter_map(Pid::from_raw).collect();
        found.sort_by_key(|pid| pid.as_raw_nonzero());
        found
    }

    fn zygote(&self) -> Pid {
        let processes = self.processes();
        assert_eq!(processes.len(), 1);
        processes[0]
    }
}

/// Whether a process has exited, even if its parent has not reaped it [proc(5), /proc/pid/stat].
pub(crate) fn has_ended(process: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    stat.map_or(true, |stat| stat.contains(") Z "))
}

/// A document's name and bytes, and its valid outcomes; `None` is a result.
type Case = (&'static str, Vec<u8>, &'static [Option<JobErrorCode>]);

/// A text in nested tables.
fn nested(depth: usize) -> Vec<u8> {
    let cell = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>";
    let end = "<w:p/></w:tc></w:tr></w:tbl>";
    docx(
        &format!("{}<w:p/>{}<w:p/>", cell.repeat(depth), end.repeat(depth)),
        "",
    )
}

/// A DOCX with this main part.
fn docx_with_main_part(text: &str) -> Vec<u8> {
    let (name, types) = content_types("word/document.xml", "wordprocessingml.document");
    package([
        (name, types),
        ("word/document.xml".to_owned(), text.to_owned()),
    ])
}

fn billion_laughs() -> Vec<u8> {
    let mut entities = "<!ENTITY a \"ha\">".to_owned();
    for (name, before) in ('b'..='k').zip('a'..) {
        let laughs = format!("&{before};").repeat(10);
        entities += &format!("<!ENTITY {name} \"{laughs}\">");
    }
    docx_with_main_part(&format!("<!DOCTYPE x [{entities}]><x>&k;</x>"))
}

/// A package of nested packages, each inflated to the next.
fn packages_in_packages() -> Vec<u8> {
    (0..20).fold(vec![0; 1_000_000], |inner, _| {
        package([("word/document.xml", inner)])
    })
}

fn flat_open_document() -> Vec<u8> {
    br#"<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text/></office:body></office:document>"#.to_vec()
}

#[test]
fn zygote_survives_hostile_documents() {
    use JobErrorCode::{
        ContentMismatch, InputCorrupt, InputTooLarge, PasswordIncorrect, PasswordRequired,
    };
    let own = DedicatedZygote::new();
    own.assert_good("nothing");
    let zygote = own.zygote();
    let template = relationship("rId7", "attachedTemplate", "http://127.0.0.1:9/a.dotx");
    let sheet = r#"<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>"#;
    let (types, text) = content_types("xl/workbook.xml", "spreadsheetml.sheet");
    let corner = package([
        (types, text),
        ("xl/worksheets/sheet1.xml".to_owned(), sheet.to_owned()),
    ]);
    let entity = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>";
    let cases: Vec<Case> = vec![
        ("nested.docx", nested(4_000), &[Some(InputTooLarge)]),
        ("less.docx", nested(10), &[None]),
        ("corner.xlsx", corner, &[Some(InputTooLarge)]),
        ("laughs.docx", billion_laughs(), &[Some(InputCorrupt)]),
        (
            "entity.docx",
            docx_with_main_part(entity),
            &[Some(InputCorrupt)],
        ),
        (
            "bomb.docx",
            package([("word/document.xml", vec![b' '; 30_000_000])]),
            &[Some(InputTooLarge)],
        ),
        (
            "inside.docx",
            packages_in_packages(),
            &[Some(ContentMismatch), Some(InputCorrupt)],
        ),
        (
            "flat.odt",
            flat_open_document(),
            &[Some(ContentMismatch), Some(InputCorrupt)],
        ),
        ("template.docx", docx("<w:p/>", &template), &[None]),
    ];
    for (name, document, expected) in cases {
        let finished = own.run(name, &document);
        let code = finished.err().map(|error| match error {
            EngineError::Document(error) => error.code,
            other => panic!("{name}: {other:?}"),
        });
        assert!(expected.contains(&code), "{name}: {code:?}");
        own.assert_good(name);
    }
    for entry in std::fs::read_dir(corpus::file("office-encrypted")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let finished = own.run(&name, &std::fs::read(&path).unwrap());
        let Err(EngineError::Document(error)) = finished else {
            panic!("{name}: {finished:?}");
        };
        assert!(
            matches!(error.code, PasswordRequired | PasswordIncorrect),
            "{name}: {error:?}"
        );
    }
    own.assert_good("what is encrypted");
    assert_eq!(own.zygote(), zygote, "it was replaced");
}

#[test]
fn zygote_killed_between_documents_is_restarted() {
    let own = DedicatedZygote::new();
    own.assert_good("nothing");
    let killed = own.zygote();
    kill_process(killed, Signal::KILL).unwrap();
    while !has_ended(killed) {
        std::thread::sleep(Duration::from_millis(5));
    }
    own.assert_good("the zygote's death");
    assert_ne!(own.zygote(), killed);
}

#[test]
fn zygote_killed_during_a_document_is_a_service_error() {
    let own = DedicatedZygote::new();
    own.assert_good("nothing");
    let killed = own.zygote();
    let paragraph = "<w:p><w:r><w:t>many words that take long to lay out</w:t></w:r></w:p>";
    let long = docx(&paragraph.repeat(20_000), "");
    std::thread::scope(|scope| {
        let at_work = scope.spawn(|| own.run("long.docx", &long));
        let since = Instant::now();
        while own.processes().len() < 2 && since.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(killed, Signal::KILL).unwrap();
        let finished = at_work.join().unwrap();
        assert!(
            matches!(finished, Err(EngineError::Service(_))),
            "{finished:?}"
        );
    });
    own.assert_good("the zygote's death");
    assert!(!own.processes().contains(&killed));
}
