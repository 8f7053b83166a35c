//! The zygote outlives whatever documents do to its forks, and its own death harms no later document.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use domain::job::JobErrorCode;
use engine::{EngineError, Engines};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::documents::{content_types, docx, package, relationship};
use crate::endings::{processes_of, to_pdf};
use crate::{corpus, poppler, rig};

/// A launcher of its own, so that its zygote is told from those of other tests.
struct Own {
    engines: Engines,
    program: PathBuf,
    directory: TempDir,
}

impl Own {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("launcher");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_engine-child"), &program).unwrap();
        let engines = rig::started_by(&program);
        Self {
            engines,
            program,
            directory,
        }
    }

    /// What a document becomes; nothing of it is alive or left afterwards.
    fn run(&self, name: &str, document: &[u8]) -> Result<Vec<String>, EngineError> {
        let source = self.directory.path().join(name);
        std::fs::write(&source, document).unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let made = to_pdf(
            &self.engines,
            scratch.path(),
            &source,
            &AtomicBool::new(false),
        );
        assert_eq!(processes_of(scratch.path()), Vec::<String>::new(), "{name}");
        made.map(|artifact| poppler::words(&artifact.path))
    }

    fn assert_good(&self, after: &str) {
        let body = "<w:p><w:r><w:t>sound</w:t></w:r></w:p>";
        let words = self.run("good.docx", &docx(body, ""));
        assert_eq!(words.unwrap(), ["sound"], "{after}");
    }

    /// The zygote, and its forks.
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

/// Whether a process has ended altogether; only its parent may not know yet [proc(5), /proc/pid/stat].
pub(crate) fn has_ended(process: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    stat.map_or(true, |stat| stat.contains(") Z "))
}

/// A document's name and bytes, and the codes that it may end with; `None` is a result.
type Case = (&'static str, Vec<u8>, &'static [Option<JobErrorCode>]);

/// A text in tables within each other.
fn nested(depth: usize) -> Vec<u8> {
    let cell = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>";
    let end = "<w:p/></w:tc></w:tr></w:tbl>";
    docx(
        &format!("{}<w:p/>{}<w:p/>", cell.repeat(depth), end.repeat(depth)),
        "",
    )
}

/// A package with this text as its main part.
fn written(text: &str) -> Vec<u8> {
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
    written(&format!("<!DOCTYPE x [{entities}]><x>&k;</x>"))
}

/// A package that holds packages, each inflated to the next.
fn packages_in_packages() -> Vec<u8> {
    (0..20).fold(vec![0; 1_000_000], |inner, _| {
        package([("word/document.xml", inner)])
    })
}

fn flat_open_document() -> Vec<u8> {
    br#"<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text/></office:body></office:document>"#.to_vec()
}

#[test]
fn hostile_documents_leave_the_zygote_as_it_was() {
    use JobErrorCode::{
        ContentMismatch, InputCorrupt, InputTooLarge, PasswordIncorrect, PasswordRequired,
    };
    let own = Own::new();
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
        ("entity.docx", written(entity), &[Some(InputCorrupt)]),
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
        let ended = own.run(name, &document);
        let code = ended.err().map(|error| match error {
            EngineError::Document(error) => error.code,
            other => panic!("{name}: {other:?}"),
        });
        assert!(expected.contains(&code), "{name}: {code:?}");
        own.assert_good(name);
    }
    for entry in std::fs::read_dir(corpus::file("office-encrypted")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let ended = own.run(&name, &std::fs::read(&path).unwrap());
        let Err(EngineError::Document(error)) = ended else {
            panic!("{name}: {ended:?}");
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
fn a_zygote_that_is_killed_between_documents_costs_nothing() {
    let own = Own::new();
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
fn a_zygote_that_is_killed_during_a_document_takes_it_along_and_is_not_the_documents_fault() {
    let own = Own::new();
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
        let ended = at_work.join().unwrap();
        assert!(matches!(ended, Err(EngineError::Service(_))), "{ended:?}");
    });
    own.assert_good("the zygote's death");
    assert!(!own.processes().contains(&killed));
}
