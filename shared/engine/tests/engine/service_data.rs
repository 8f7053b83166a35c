//! No result contains a path, user name, host name or time zone of the service. Results are searched with everything that they
//! compress or encode; what the source contains, too, is content.

pub(crate) mod layers;

use std::collections::HashSet;
use std::io::Write as _;
use std::process::Command;
use std::sync::Mutex;

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::operation::{CONVERSIONS, Operation};
use memchr::memmem::Finder;
use serde_json::json;

use crate::sample_documents::{docx, relationship};
use crate::structured::step;
use crate::{corpus, harness};

/// Names of the environment in which the conversions run. No document contains them.
const USER: &str = "qxuser";
const HOST: &str = "qxhost";
const SCRATCH: &str = "qxscratch";
/// A time zone with an offset of 12:45 hours, or of 13:45 in summer, that no other has.
const ZONE: &str = "Pacific/Chatham";

/// What no result contains, in addition to the names above.
const FORBIDDEN: [&str; 16] = [
    "/tmp/",
    "/proc/self",
    "/root/",
    "/home/",
    "/usr/lib",
    "/usr/share",
    "file:///",
    "step-0",
    "verify-0",
    "Chatham",
    "+12:45",
    "+12'45",
    "+1245",
    "+13:45",
    "+13'45",
    "+1345",
];

/// Kinds of the corpus whose documents are converted.
const DOCUMENTS: [&str; 20] = [
    "docx",
    "layout-truth",
    "doc",
    "odt",
    "rtf",
    "txt",
    "xlsx",
    "xls",
    "ods",
    "csv",
    "pptx",
    "ppt",
    "odp",
    "html",
    "md",
    "pdf-text",
    "pdf-forms",
    "pdf-scan",
    "pdf-encrypted",
    "ocr-truth",
];
const IMAGES: [&str; 9] = [
    "jpeg", "png", "webp", "gif", "tiff", "svg", "bmp", "heic", "avif",
];

/// A document and an operation on it.
struct Case {
    file: String,
    from: Format,
    to: Format,
    step: Operation,
}

#[test]
fn conversions_of_text_documents_leave_no_trace() {
    let name = "service_data::conversions_of_text_documents_leave_no_trace";
    in_environment(name, || {
        check(conversions(&DOCUMENTS, &[Category::Text]));
    });
}

#[test]
fn conversions_of_workbooks_and_slides_leave_no_trace() {
    let name = "service_data::conversions_of_workbooks_and_slides_leave_no_trace";
    in_environment(name, || {
        let categories = [Category::Spreadsheet, Category::Presentation];
        check(conversions(&DOCUMENTS, &categories));
    });
}

#[test]
fn conversions_of_pdfs_leave_no_trace() {
    let name = "service_data::conversions_of_pdfs_leave_no_trace";
    in_environment(name, || check(conversions(&DOCUMENTS, &[Category::Pdf])));
}

#[test]
fn conversions_of_web_documents_leave_no_trace() {
    let name = "service_data::conversions_of_web_documents_leave_no_trace";
    in_environment(name, || check(conversions(&DOCUMENTS, &[Category::Web])));
}

#[test]
fn conversions_of_images_leave_no_trace() {
    let name = "service_data::conversions_of_images_leave_no_trace";
    in_environment(name, || {
        let is_fast =
            |case: &Case| matches!(case.to.spec().category, Category::Image | Category::Pdf);
        let mut cases = conversions(&IMAGES, &[Category::Image]);
        cases.retain(is_fast);
        // OCR writes the same for any picture.
        let mut scans = conversions(&["ocr-truth"], &[Category::Image]);
        scans.retain(|case| !is_fast(case));
        cases.extend(scans);
        check(cases);
    });
}

/// A page with relative links, whose script writes its address and the time.
const PAGE: &str = r#"<a href="side.html">link</a><img src="side.png"><p id=p>text</p>
<script>p.textContent = location.href + " " + new Date() + document.title</script>"#;

/// A text with fields of names and paths, and with relative links.
fn document_with_fields() -> Vec<u8> {
    let fields = [
        "FILENAME \\p",
        "USERNAME",
        "USERINITIALS",
        "AUTHOR",
        "LASTSAVEDBY",
        "TEMPLATE \\p",
    ];
    let field = |instruction: &&str| {
        format!(
            r#"<w:p><w:fldSimple w:instr=" {instruction} "><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>"#
        )
    };
    let fields: String = fields.iter().map(field).collect();
    let links = ["side.docx", "../up.docx"].map(|target| {
        let related = relationship(target, "hyperlink", target);
        let link = format!(
            r#"<w:p><w:hyperlink r:id="{target}"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>"#
        );
        (link, related.replace("/>", r#" TargetMode="External"/>"#))
    });
    let [(one, one_related), (other, other_related)] = links;
    docx(&(fields + &one + &other), &(one_related + &other_related))
}

#[test]
fn documents_that_refer_to_their_place_leave_no_trace() {
    let name = "service_data::documents_that_refer_to_their_place_leave_no_trace";
    in_environment(name, || {
        let directory = tempfile::tempdir().unwrap();
        let mut cases = Vec::new();
        for (file, bytes, from) in [
            ("fields.docx", document_with_fields(), Format::Docx),
            ("page.html", PAGE.as_bytes().to_vec(), Format::Html),
            (
                "page.md",
                b"[link](side.md) ![picture](side.png)".to_vec(),
                Format::Markdown,
            ),
        ] {
            let path = directory.path().join(file);
            std::fs::write(&path, bytes).unwrap();
            cases.extend(all_conversions(path.to_str().unwrap(), from));
        }
        check(cases);
    });
}

#[test]
fn other_operations_leave_no_trace() {
    let name = "service_data::other_operations_leave_no_trace";
    in_environment(name, || {
        let operation = |(file, value): (&str, serde_json::Value)| {
            let from = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
            let step = Operation::read(&value, "$").unwrap();
            let to = step.resolve(from).unwrap().1;
            Case {
                file: file.to_owned(),
                from,
                to,
                step,
            }
        };
        let (pages, form) = (
            "pdf-text/multi_page.pdf",
            "pdf-forms/form-filled-by-acrobat.pdf",
        );
        let picture = "images/jpeg/Landscape_6.jpg";
        let cases = [
            (pages, json!({"operation": "optimize"})),
            (pages, json!({"operation": "repair"})),
            (pages, json!({"operation": "rotate", "angle": 90})),
            (pages, json!({"operation": "split", "every": 2})),
            (
                pages,
                json!({"operation": "extract-pages", "pages": "last"}),
            ),
            (pages, json!({"operation": "watermark", "text": "Entwurf"})),
            (pages, json!({"operation": "page-numbers", "start": 7})),
            (pages, json!({"operation": "metadata", "title": "Title"})),
            (pages, json!({"operation": "info"})),
            (pages, json!({"operation": "pdfa"})),
            (
                form,
                json!({"operation": "fill", "fields": {"Text Box 1": "value"}}),
            ),
            (form, json!({"operation": "sanitize"})),
            (form, json!({"operation": "flatten"})),
            (
                picture,
                json!({"operation": "resize", "width": 20, "height": 20}),
            ),
            (picture, json!({"operation": "compress"})),
            (picture, json!({"operation": "cleanup", "denoise": true})),
            (picture, json!({"operation": "ocr", "language": "en"})),
        ];
        check(cases.map(operation).into_iter().collect());
    });
}

/// The conversions of all documents of some kinds and categories to every format; with a sample of cases, as many as cover each
/// source format and each result format.
fn conversions(kinds: &[&str], categories: &[Category]) -> Vec<Case> {
    let mut cases = Vec::new();
    for (entry, from) in corpus::entries(kinds, &["ok"]) {
        if !categories.contains(&from.spec().category) {
            continue;
        }
        cases.extend(all_conversions(&entry.file, from));
    }
    if !harness::runs_all_cases() {
        let mut covered = HashSet::new();
        // Each source format with the result formats that no earlier one has.
        cases.retain(|case| {
            let is_new_target = covered.insert(("to", case.to));
            covered.insert(("from", case.from)) || is_new_target
        });
    }
    cases
}

fn all_conversions(file: &str, from: Format) -> impl Iterator<Item = Case> {
    let rows = CONVERSIONS
        .iter()
        .filter(move |row| row.from.contains(&from));
    rows.map(move |row| Case {
        file: file.to_owned(),
        from,
        to: row.to,
        step: step(row.to.id(), json!({})),
    })
}

/// Runs `work` in another process, with names in its environment that are found wherever they are written. The temporary
/// directory, in which the engines have theirs, is one of them.
fn in_environment(test: &str, work: impl FnOnce()) {
    if std::env::var("USER").is_ok_and(|user| user == USER) {
        return work();
    }
    let scratch = tempfile::Builder::new().prefix(SCRATCH).tempdir().unwrap();
    let host = format!("echo {HOST} > /proc/sys/kernel/hostname && exec \"$0\" \"$@\"");
    let named = ["--uts", "sh", "-c", &host];
    // Only root may have a host name of its own.
    let is_root = Command::new("unshare").args(named).arg("true").output();
    let executable = std::env::current_exe().unwrap();
    let mut command = match is_root.is_ok_and(|output| output.status.success()) {
        true => Command::new("unshare"),
        false => Command::new(&executable),
    };
    if command.get_program() == "unshare" {
        command.args(named).arg(&executable);
    }
    command.args(["--exact", test, "--nocapture"]);
    command.env("USER", USER).env("LOGNAME", USER);
    command
        .env("HOME", scratch.path())
        .env("TMPDIR", scratch.path());
    command.env("TZ", ZONE);
    let output = command.output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    writeln!(std::io::stdout(), "{}", text.concat()).ok();
    assert!(output.status.success(), "see above");
    assert!(text[0].contains("1 passed"), "no test has the name {test}");
}

fn check(cases: Vec<Case>) {
    let forbidden = Forbidden::new();
    let found = Mutex::new(Vec::new());
    harness::each(cases, |case| {
        let source = std::fs::read(corpus::file(&case.file)).unwrap();
        let at = format!("{} {} to {}", case.file, case.step.name(), case.to);
        let result = harness::run_bytes(&source, case.from, &[case.step]);
        let result = match harness::code(result) {
            Ok(result) => result.bytes(),
            // A document without text, tables or pages that can be converted.
            Err(JobErrorCode::OutputInvalid) => return,
            Err(code) => panic!("{at}: {code:?}"),
        };
        let traces = forbidden.of(&result);
        if traces.is_empty() {
            return;
        }
        let content = forbidden.of(&source);
        let traces: Vec<_> = traces.difference(&content).collect();
        if !traces.is_empty() {
            found.lock().unwrap().push(format!("{at}: {traces:?}"));
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Texts that no result contains, in each encoding that a file may have them in.
struct Forbidden(Vec<(String, Vec<Finder<'static>>)>);

impl Forbidden {
    fn new() -> Self {
        let own = [USER, HOST, SCRATCH].map(str::to_owned);
        let checkout = harness::checkout().to_str().unwrap().to_owned();
        let texts = FORBIDDEN.map(str::to_owned).into_iter();
        let texts = texts.chain(own).chain([checkout]).chain(actual_names());
        let finders = |text: &str| {
            let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
            [
                text.as_bytes().to_vec(),
                units(u16::to_le_bytes),
                units(u16::to_be_bytes),
            ]
            .map(|encoded| Finder::new(&encoded).into_owned())
            .into()
        };
        Self(texts.map(|text| (text.clone(), finders(&text))).collect())
    }

    /// The texts that a file contains.
    fn of(&self, file: &[u8]) -> HashSet<&str> {
        let mut found = HashSet::new();
        layers::for_each(file, &mut |layer| {
            let texts = self
                .0
                .iter()
                .filter(|(_, encoded)| encoded.iter().any(|finder| finder.find(layer).is_some()));
            found.extend(texts.map(|(text, _)| text.as_str()));
        });
        found
    }
}

/// The names of the user and host according to the system. Short ones are parts of words, and `root` is a word of many formats.
fn actual_names() -> impl Iterator<Item = String> {
    let user = Command::new("id").arg("-un").output().unwrap();
    let host = std::fs::read("/proc/sys/kernel/hostname").unwrap();
    let names = [user.stdout, host].map(|name| String::from_utf8(name).unwrap().trim().to_owned());
    let is_distinct = |name: &String| name.len() > 3 && name != "root";
    names.into_iter().filter(is_distinct)
}

#[test]
fn names_are_found_wherever_a_file_may_have_them() {
    let forbidden = Forbidden::new();
    for (name, file) in layers::samples("/tmp/") {
        assert_eq!(forbidden.of(&file), HashSet::from(["/tmp/"]), "{name}");
    }
}
