//! Jobs on saved documents: library changes of their outcomes.

mod inspections;

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::job::{
    ArchiveContents, DocumentResult, DocumentWork, Job, JobErrorCode, JobSource, JobStatus,
    VersionSource,
};
use domain::library::{Document, DocumentSource, Removal, Version};
use domain::operation::{
    CleanupOptions, ConvertOptions, NoOptions, OcrOptions, OcrOutput, Operation, OptimizeOptions,
};
use domain::ports::{InvokeError, Jobs as _, Library as _, PendingCleanup};
use domain::processor::Processor;
use domain::source::{result_object, version_object};
use invocation::RunResult;
use testkit::{Call, Environment as _, Fakes, Fault, sample};

use super::fixture::{
    End, EngineResult, EngineRun, Fixture, PDF, breaks, poll_ready, rejects, sha256,
};
use super::outcome::assert_postponed;

/// Creates a fixture whose job processes a saved PDF of three pages, with `work` modified by `change`.
async fn on_document(
    change: impl FnOnce(&mut Job, &mut DocumentWork),
) -> (Fixture, Document, Version) {
    let mut fixture = Fixture::new().await;
    let fakes = &fixture.fakes;
    let mut account = sample::account(fakes.as_ref(), domain::plan::Plan::Free);
    account.id = fixture.job.account_id.clone();
    let start = sample::library::import(fakes.as_ref(), &account, None, fakes.now());
    let (document, mut version) = sample::library::imported_document(&start.import, "scan.PDF");
    version.page_count = Some(3);
    let object = version_object(&account.id, &document.id, &version.id);
    version.etag = fakes.put_object(&object, PDF, b"%PDF of three");
    fakes.put_document(document.clone(), version.clone());
    let mut work = DocumentWork {
        document: document.id.clone(),
        version: version.id.clone(),
        page: None,
        result: DocumentResult::Version,
    };
    let job = &mut fixture.job;
    job.source = JobSource::Version(VersionSource {
        document: document.id.clone(),
        version: version.id.clone(),
        etag: version.etag.clone(),
        size_bytes: 13,
    });
    job.filename = document.filename.clone();
    (job.input_format, job.format) = (Format::Pdf, Format::Pdf);
    job.processor = Processor::ProcessPdf;
    job.steps = vec![Operation::Optimize(OptimizeOptions::default())];
    change(job, &mut work);
    job.document = Some(work);
    fixture.fakes.put_job(fixture.job.clone());
    (fixture, document, version)
}

/// An engine that writes `bytes` of this content type.
fn writes(
    content_type: &'static str,
    extension: &'static str,
    bytes: &'static [u8],
) -> impl Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static {
    move |run| run.writes(content_type, extension, bytes)
}

async fn stored_document(fixture: &Fixture, document: &Document) -> (Document, Vec<Version>) {
    let found = fixture.fakes.document(&document.account_id, &document.id);
    let versions = fixture.fakes.versions(&document.id, 20).await.unwrap();
    (found.await.unwrap().unwrap(), versions)
}

fn removal(fixture: &Fixture, document: &Document) -> Removal {
    Removal {
        account_id: document.account_id.clone(),
        document_id: document.id.clone(),
        removed_at: fixture.now(),
    }
}

#[tokio::test]
async fn an_edit_becomes_the_current_version_and_is_inspected() {
    let (fixture, document, first) = on_document(|_, _| ()).await;
    fixture.handle(writes(PDF, "pdf", b"%PDF smaller")).await;
    let (changed, versions) = stored_document(&fixture, &document).await;
    let [new, old] = versions.as_slice() else {
        panic!("{versions:?}");
    };
    assert_eq!(*old, first, "the old version is unchanged");
    let expected = Version {
        id: new.id.clone(),
        number: 2,
        filename: document.filename.with_extension("pdf"),
        size_bytes: 12,
        sha256: sha256(b"%PDF smaller"),
        etag: new.etag.clone(),
        page_count: Some(2),
        source: DocumentSource::Job,
        job_id: Some(fixture.job.id.clone()),
        operation: Some("optimize".to_owned()),
        parent_version_id: Some(first.id.clone()),
        created_at: fixture.now(),
        ..first.clone()
    };
    assert_eq!(*new, expected);
    let expected = Document {
        current_version_id: Some(new.id.clone()),
        version_count: 2,
        size_bytes: 12,
        revision: 2,
        updated_at: fixture.now(),
        ..document.clone()
    };
    assert_eq!(changed, expected);
    let object = version_object(&document.account_id, &document.id, &new.id);
    let stored = fixture.fakes.object(&object).unwrap();
    assert_eq!(stored, (PDF.to_owned(), b"%PDF smaller".to_vec()));

    let [sent] = fixture.fakes.sent().try_into().unwrap();
    assert_eq!(sent.processor, Processor::ProcessPdf);
    let inspection = fixture
        .fakes
        .job(&sent.ticket.job_id)
        .await
        .unwrap()
        .unwrap();
    assert!(inspection.is_internal());
    assert_eq!(
        (
            inspection.steps.as_slice(),
            inspection.charge.credits,
            inspection.charge.units
        ),
        ([Operation::Info(NoOptions {})].as_slice(), 0, 0)
    );
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

#[tokio::test]
async fn renditions_and_single_pages_do_not_replace_the_current_version() {
    let (fixture, document, first) = on_document(|job, _| {
        job.steps = vec![Operation::Convert(ConvertOptions::to(Format::Png))];
    })
    .await;
    fixture
        .handle(|run| {
            let archive = run.writes("application/zip", "zip", b"PK")?;
            let contents = Some(ArchiveContents {
                format: Format::Png,
                sizes: vec![9],
                images: None,
            });
            Ok(RunResult {
                contents,
                ..archive
            })
        })
        .await;
    let (changed, versions) = stored_document(&fixture, &document).await;
    assert_eq!(changed.current_version_id, Some(first.id.clone()));
    assert_eq!(
        (changed.version_count, changed.size_bytes),
        (2, document.size_bytes)
    );
    assert_eq!(
        (versions[0].content_type.as_str(), versions[0].page_count),
        ("application/zip", None)
    );
    assert!(
        fixture.fakes.sent().is_empty(),
        "an archive has no pages to inspect"
    );

    let (fixture, document, first) = on_document(|_, work| work.page = Some(2)).await;
    fixture.handle(writes(PDF, "pdf", b"%PDF page")).await;
    let (changed, versions) = stored_document(&fixture, &document).await;
    assert_eq!(changed.current_version_id, Some(first.id));
    assert_eq!((versions.len(), changed.version_count), (2, 2));
}

#[tokio::test]
async fn only_the_page_of_a_single_page_scan_replaces_the_current_version() {
    const TIFF: &str = "image/tiff";
    for (count, is_whole) in [(3, false), (1, true)] {
        let (fixture, mut document, mut first) = on_document(|job, work| {
            (job.input_format, job.format) = (Format::Tiff, Format::Tiff);
            job.processor = Processor::ProcessImage;
            job.steps = vec![Operation::Cleanup(CleanupOptions::default())];
            work.page = Some(1);
        })
        .await;
        first.page_count = Some(count);
        first.content_type = TIFF.to_owned();
        document.content_type = TIFF.to_owned();
        let fakes = &fixture.fakes;
        fakes.put_document(document.clone(), first.clone());
        fixture.handle(writes(TIFF, "tiff", b"II*\0 page")).await;
        let (changed, versions) = stored_document(&fixture, &document).await;
        let new = versions[0].id.clone();
        let current = if is_whole { new } else { first.id };
        assert_eq!(changed.current_version_id, Some(current), "{count}");
        assert_eq!(changed.version_count, 2);
    }
}

#[tokio::test]
async fn inspections_of_other_processors_are_enqueued_by_sweep() {
    let (fixture, _, _) = on_document(|job, _| job.processor = Processor::ProcessImage).await;
    fixture.handle(writes(PDF, "pdf", b"%PDF")).await;
    assert!(fixture.fakes.sent().is_empty());
    let mut inspections = 0;
    for shard in 0..domain::outbox::SHARDS {
        use domain::ports::Outbox as _;
        let due = fixture.fakes.due(shard, fixture.now(), None, 10).await;
        let rows = due.unwrap().rows.into_iter();
        inspections += rows
            .filter(|row| matches!(row, domain::ports::Due::Ticket { .. }))
            .count();
    }
    assert_eq!(inspections, 1, "due at once");
}

#[tokio::test]
async fn concurrent_changes_of_the_document_are_kept() {
    let (fixture, document, _) = on_document(|_, _| ()).await;
    let (fakes, seen) = (fixture.fakes.clone(), document.clone());
    fixture
        .handle(move |run| {
            let mut renamed = seen.clone();
            (renamed.tags, renamed.revision) = (vec!["tax".to_owned()], seen.revision + 1);
            fakes.put_document_record(renamed);
            writes(PDF, "pdf", b"%PDF")(run)
        })
        .await;
    let (changed, versions) = stored_document(&fixture, &document).await;
    assert_eq!(
        (changed.tags, changed.version_count),
        (vec!["tax".to_owned()], 2)
    );
    assert_eq!(versions.len(), 2);
}

/// Each call fails once; the outcome is still written exactly once.
#[tokio::test(start_paused = true)]
async fn a_retried_outcome_creates_one_version() {
    for (call, fault) in [
        (Call::Apply, Fault::Contended),
        (Call::Copy, Fault::Unavailable),
        (Call::Copy, Fault::ResponseLost),
        (Call::ReadLibrary, Fault::Unavailable),
        (Call::ChangeLibrary, Fault::ResponseLost),
    ] {
        let (fixture, document, _) = on_document(|_, _| ()).await;
        let fakes = fixture.fakes.clone();
        fixture
            .handle(move |run| {
                fakes.fail(call, fault, 1);
                writes(PDF, "pdf", b"%PDF")(run)
            })
            .await;
        let status = fixture.record().await.status;
        let (_, versions) = stored_document(&fixture, &document).await;
        assert_eq!(
            (status, versions.len()),
            (JobStatus::Completed, 2),
            "{call:?} {fault:?}"
        );
        assert_eq!(fixture.fakes.drafts_of(&document.id), []);
        let kept = fixture.fakes.objects_of(&document.id);
        assert_eq!(kept.len(), 2, "{call:?} {fault:?}: {kept:?}");
    }
}

/// `sweep` finds the draft of a killed worker.
#[tokio::test(start_paused = true)]
async fn an_unwritable_outcome_leaves_a_draft_for_sweep() {
    let (fixture, document, _) = on_document(|_, _| ()).await;
    let fakes = fixture.fakes.clone();
    fixture
        .handle(move |run| {
            fakes.fail(Call::Apply, Fault::Unavailable, 1_000);
            writes(PDF, "pdf", b"%PDF")(run)
        })
        .await;
    let (_, versions) = stored_document(&fixture, &document).await;
    assert_eq!(
        (versions.len(), fixture.fakes.objects_of(&document.id).len()),
        (1, 2)
    );
    let [draft] = fixture.fakes.drafts_of(&document.id).try_into().unwrap();
    fixture.fakes.clear_faults();
    let shard = domain::library::shard(&document.id);
    let pending_cleanups = fixture
        .fakes
        .pending_cleanups(shard, draft.due(), None, 10)
        .await;
    assert_eq!(
        pending_cleanups.unwrap().pending_cleanups,
        [PendingCleanup::Draft(draft.clone())]
    );
    fixture.fakes.drop_draft(&draft).await.unwrap();
    assert_eq!(fixture.fakes.objects_of(&document.id).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_outcome_with_a_lost_response_keeps_its_content() {
    let (fixture, document, _) = on_document(|_, _| ()).await;
    let fakes = fixture.fakes.clone();
    fixture
        .handle(move |run| {
            fakes.fail(Call::Apply, Fault::ResponseLost, 1);
            writes(PDF, "pdf", b"%PDF")(run)
        })
        .await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    let (changed, versions) = stored_document(&fixture, &document).await;
    assert_eq!((versions.len(), changed.version_count), (2, 2));
    let object = version_object(&document.account_id, &document.id, &versions[0].id);
    assert!(fixture.fakes.object(&object).is_some());
}

/// The document is deleted at each step of the write; the job completes and leaves no object of the document.
#[tokio::test(start_paused = true)]
async fn a_concurrently_deleted_document_gets_no_version_and_no_object() {
    for conflict in [false, true] {
        let (fixture, document, _) = on_document(|_, _| ()).await;
        let removal = removal(&fixture, &document);
        let (fakes, deleted) = (fixture.fakes.clone(), removal.clone());
        let delete = move |fakes: &testkit::Fakes| {
            let removed = poll_ready(fakes.remove_document(&deleted));
            assert!(removed.unwrap());
            poll_ready(fakes.purge(&deleted, false)).unwrap();
        };
        if conflict {
            // After the copy of the content, in place of the transaction.
            fixture.fakes.before(Call::Apply, 1, delete);
            fixture.handle(writes(PDF, "pdf", b"%PDF")).await;
        } else {
            fixture
                .handle(move |run| {
                    delete(&fakes);
                    writes(PDF, "pdf", b"%PDF")(run)
                })
                .await;
        }
        assert_eq!(fixture.record().await.status, JobStatus::Completed);
        assert_eq!(fixture.fakes.objects_of(&document.id), Vec::<String>::new());
        fixture.fakes.purge(&removal, true).await.unwrap();
        assert!(!fixture.fakes.has_data_of(&document.id));
    }
}

#[tokio::test]
async fn ocr_words_replace_those_of_a_document_and_add_those_of_a_page() {
    let as_ocr_job = |job: &mut Job| {
        job.processor = Processor::ProcessOcr;
        job.steps = vec![Operation::Ocr(OcrOptions {
            output: Some(OcrOutput::Text),
            ..OcrOptions::default()
        })];
        job.format = Format::Txt;
    };
    for (page, expected) in [(None, "alpha beta"), (Some(2), "alpha beta old")] {
        let (fixture, document, _) = on_document(|job, work| {
            as_ocr_job(job);
            work.page = page;
        })
        .await;
        let old = domain::library::Words::of("old alpha");
        let account = &document.account_id;
        fixture
            .fakes
            .index_words(account, &document.id, &old)
            .await
            .unwrap();
        fixture
            .handle(writes("text/plain", "txt", b"Alpha Beta"))
            .await;
        let ids = [document.id.clone()];
        let found = fixture.fakes.with_words(account, &ids).await.unwrap();
        let words: Vec<_> = found[0].1.iter().collect();
        assert_eq!(words.join(" "), expected);
    }
}

async fn ocr_of_document() -> (Fixture, Document) {
    let (fixture, document, _) = on_document(|job, _| {
        job.processor = Processor::ProcessOcr;
        job.steps = vec![Operation::Ocr(OcrOptions {
            output: Some(OcrOutput::Pdf),
            ..OcrOptions::default()
        })];
    })
    .await;
    (fixture, document)
}

/// An engine that recognizes text, and extracts it with `extract`.
fn recognizes<F>(extract: F) -> impl Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static
where
    F: Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static,
{
    move |run| match run.request.steps.as_slice() {
        [Operation::Convert(_)] => extract(run),
        _ => run.writes_pdf("%PDF"),
    }
}

#[tokio::test]
async fn words_of_an_ocr_pdf_are_extracted() {
    let (fixture, document) = ocr_of_document().await;
    let extract = |run: &EngineRun<'_>| {
        assert_eq!(run.function, EngineFunction::EngineOcr);
        assert_eq!(run.source()?, "%PDF");
        run.writes("text/plain", "txt", b"gamma")
    };
    fixture.handle(recognizes(extract)).await;
    let ids = [document.id.clone()];
    let found = fixture.fakes.with_words(&document.account_id, &ids).await;
    assert_eq!(found.unwrap()[0].1.iter().collect::<Vec<_>>(), ["gamma"]);
    assert_eq!(fixture.stored(1).unwrap().1, b"%PDF");
}

#[tokio::test]
async fn an_ocr_pdf_without_extractable_text_is_kept() {
    let (fixture, document) = ocr_of_document().await;
    let extract = |_: &EngineRun<'_>| Err(rejects(JobErrorCode::InputCorrupt));
    fixture.handle(recognizes(extract)).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    let (changed, _) = stored_document(&fixture, &document).await;
    assert!(!changed.ocr_indexed);
}

#[tokio::test]
async fn an_interrupted_extraction_of_words_is_retried() {
    let (fixture, _) = ocr_of_document().await;
    fixture.handle(recognizes(|_| Err(breaks()))).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
}

#[tokio::test(start_paused = true)]
async fn a_throttled_extraction_of_words_uses_up_no_attempt() {
    let (fixture, _) = ocr_of_document().await;
    let throttled = |_: &EngineRun<'_>| Err(End::Fails(InvokeError::Throttled));
    fixture.handle(recognizes(throttled)).await;
    assert_postponed(&fixture).await;
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_replaced_after_its_check_becomes_no_version() {
    let (fixture, document, first) = on_document(|_, _| ()).await;
    let result = result_object(&document.account_id, &fixture.job.id, 1, "result");
    let replace = move |fakes: &Fakes| {
        fakes.put_object(&result, PDF, b"%PDF of another");
    };
    fixture.fakes.before(Call::Copy, 0, replace);
    fixture.handle(writes(PDF, "pdf", b"%PDF smaller")).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    let (_, versions) = stored_document(&fixture, &document).await;
    assert_eq!(versions, [first]);
}

#[tokio::test]
async fn a_plain_conversion_to_text_indexes_nothing() {
    let (fixture, document, _) = on_document(|job, _| {
        job.steps = vec![Operation::Convert(ConvertOptions::to(Format::Txt))];
        job.processor = Processor::ProcessOcr;
    })
    .await;
    fixture.handle(writes("text/plain", "txt", b"Alpha")).await;
    let (changed, _) = stored_document(&fixture, &document).await;
    assert!(!changed.ocr_indexed);
}
