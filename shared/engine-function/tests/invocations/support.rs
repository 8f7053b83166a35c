//! Requests and handlers of the tests.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::engine_function::EngineFunction;
use domain::filename::Filename;
use domain::format::Format;
use domain::job::JobLimits;
use domain::operation::Operation;
use engine::{Engines, Modules};
use engine_function::{Engine, Handler, InstalledEngines, ObjectStore};
use invocation::{
    Attachment, Input, JobContext, Request, Response, RunRequest, RunResult, Source, VERSION, Work,
};
use runtime::invocation::{Invocation, Next};
use sandbox::Launcher;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::store::Store;

/// Larger than every result of the tests.
pub(crate) const AMPLE: u64 = 100_000_000;

/// Handles invocations in a scratch directory of its own.
pub(crate) struct Function<E> {
    handler: Handler<E>,
    scratch: TempDir,
}

impl Function<InstalledEngines> {
    /// The function `engine-image`.
    pub(crate) fn image() -> Self {
        Self::image_over(ObjectStore::new().unwrap())
    }

    pub(crate) fn image_over(store: ObjectStore) -> Self {
        let pdfium = pdfium();
        let next_to_executable = std::env::current_exe().unwrap();
        // Another test may have created it concurrently.
        symlink(pdfium, next_to_executable.with_file_name("libpdfium.so")).ok();
        let launcher = Launcher::new(Path::new(env!("CARGO_BIN_EXE_engine-function-fixture")));
        let functions = [EngineFunction::EngineImage];
        let engines = Engines::discover(launcher, Modules::ALL, &functions).unwrap();
        Self::over(InstalledEngines::new(engines), store)
    }
}

/// Path of the PDFium library of the development setup.
pub(crate) fn pdfium() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let installed = root
        .canonicalize()
        .unwrap()
        .join(".octavo/lib/libpdfium.so");
    let named = std::env::var_os("PDFIUM_LIBRARY").map(PathBuf::from);
    named.unwrap_or(installed)
}

impl<E: Engine> Function<E> {
    pub(crate) fn with(engine: E) -> Self {
        Self::over(engine, ObjectStore::new().unwrap())
    }

    fn over(engine: E, store: ObjectStore) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let handler = Handler::new(engine, store, scratch.path().to_owned());
        Self { handler, scratch }
    }

    /// Invokes the function, parses the response as a coordinator does, and checks that nothing is left on disk.
    pub(crate) async fn invoke(&self, payload: Value) -> (Response, Next) {
        let invocation = Invocation {
            payload,
            time_left: Duration::from_secs(60),
        };
        let reply = self.handler.handle(invocation).await;
        let sent = serde_json::to_vec(&reply.response).unwrap();
        let left = std::fs::read_dir(self.scratch.path()).unwrap().count();
        assert_eq!(left, 0, "scratch directories after {:?}", reply.response);
        (Response::parse(&sent).unwrap(), reply.next)
    }

    pub(crate) async fn run(&self, run: RunRequest) -> (Response, Next) {
        self.invoke(payload(run)).await
    }
}

/// The payload of a request.
pub(crate) fn payload(run: RunRequest) -> Value {
    let request = Request {
        version: VERSION,
        job: JobContext {
            job_id: "job_1".to_owned(),
            attempt: 1,
            traceparent: Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned()),
        },
        work: Work::Run(Box::new(run)),
    };
    serde_json::to_value(request).unwrap()
}

/// A conversion of a PNG.
pub(crate) fn convert(store: &Store, source: Input, to: &str) -> RunRequest {
    RunRequest {
        steps: vec![operation(json!({"operation": "convert", "format": to}))],
        part: None,
        source: Source::File(source),
        format: Format::Png,
        attachments: Vec::new(),
        filename: Filename::try_from("picture.png".to_owned()).unwrap(),
        limits: JobLimits {
            file_bytes: AMPLE,
            pages: 200,
            image_side: 8_000,
        },
        output: store.form(AMPLE),
        time_ms: 60_000,
    }
}

pub(crate) fn operation(options: Value) -> Operation {
    Operation::read(&options, "$").unwrap()
}

pub(crate) fn attachment(file: Input) -> Attachment {
    Attachment {
        step: 0,
        format: Format::Png,
        file,
    }
}

pub(crate) fn completed(response: Response) -> RunResult {
    match response {
        Response::Completed(result) => *result,
        other => panic!("{other:?}"),
    }
}

/// A PNG with pixels that do not compress.
pub(crate) fn png(side: u32) -> Vec<u8> {
    let noise =
        |x: u32, y: u32| (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).to_le_bytes();
    let picture = image::RgbImage::from_fn(side, side, |x, y| {
        let [red, green, blue, _] = noise(x * side + y, x ^ y);
        image::Rgb([red, green, blue])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}
