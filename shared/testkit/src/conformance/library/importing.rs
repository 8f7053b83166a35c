//! Imports: one charge, refunded once.

use domain::account::Account;
use domain::library::Import;
use domain::plan::Plan;
use domain::ports::{ImportStarted, PendingCleanup, PreviousImport};
use domain::timestamp::Timestamp;

use crate::conformance::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;

async fn used<P: Ports>(ports: &P, account: &Account, now: Timestamp) -> u32 {
    let used = ports.used(&account.id, now.period()).await.unwrap();
    used.this_month
}

/// Whether the import is due for `sweep` at `now`.
async fn is_due<P: Ports>(ports: &P, import: &Import, now: Timestamp) -> bool {
    let shard = domain::library::shard(&import.document_id);
    let mut after = None;
    loop {
        let page = ports
            .pending_cleanups(shard, now, after.as_ref(), 50)
            .await
            .unwrap();
        if page
            .pending_cleanups
            .contains(&PendingCleanup::Import(import.clone()))
        {
            return true;
        }
        after = page.next;
        if after.is_none() {
            return false;
        }
    }
}

pub(super) async fn an_import_is_charged_once_and_finished_once<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Starter).await;
    let (key, now) = (sample::fingerprint(env), env.now());
    let start = sample::library::import(env, &account, Some(&key), now);
    let import = &start.import;
    assert_eq!(
        ports.start_import(&start).await.unwrap(),
        ImportStarted::New
    );
    assert_eq!(used(ports, &account, now).await, 1);
    assert!(!is_due(ports, import, now).await);
    assert!(is_due(ports, import, import.lease_until).await);
    let again = sample::library::import(env, &account, Some(&key), now);
    let running = ImportStarted::PreviousRequest(PreviousImport::Running);
    assert_eq!(ports.start_import(&again).await.unwrap(), running);
    assert_eq!(
        ports
            .document(&account.id, &import.document_id)
            .await
            .unwrap(),
        None
    );

    let (document, version) = sample::library::imported_document(import, "Bericht März.pdf");
    let finish = async || {
        ports
            .finish_import(import, &document, &version, None)
            .await
            .unwrap()
    };
    assert!(finish().await);
    assert!(finish().await, "repeated after a lost response");
    assert!(!is_due(ports, import, import.lease_until).await);
    assert!(!ports.abandon_import(import, now).await.unwrap());
    let imported = PreviousImport::Imported(Box::new((document.clone(), version.clone())));
    let earlier = ImportStarted::PreviousRequest(imported.clone());
    assert_eq!(ports.start_import(&again).await.unwrap(), earlier);
    let previous = ports.previous_import(&account.id, &key, "body", now).await;
    assert_eq!(previous.unwrap(), Some(imported));
    let previous = ports.previous_import(&account.id, &key, "other", now).await;
    assert_eq!(previous.unwrap(), Some(PreviousImport::KeyReused));
    let expired = ports.previous_import(&account.id, &key, "body", import.expires_at);
    assert_eq!(expired.await.unwrap(), None);
    assert_eq!(used(ports, &account, now).await, 1);
    let removal = super::removal(&document, now);
    assert!(ports.remove_document(&removal).await.unwrap());
    let previous = ports.previous_import(&account.id, &key, "body", now).await;
    assert_eq!(previous.unwrap(), Some(PreviousImport::Deleted));
}

pub(super) async fn an_abandoned_import_is_refunded_once_and_frees_its_key<
    P: Ports,
    W: Environment,
>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Starter).await;
    let (key, now) = (sample::fingerprint(env), env.now());
    let start = sample::library::import(env, &account, Some(&key), now);
    let import = &start.import;
    assert_eq!(
        ports.start_import(&start).await.unwrap(),
        ImportStarted::New
    );
    assert!(ports.abandon_import(import, now).await.unwrap());
    assert!(!ports.abandon_import(import, now).await.unwrap());
    assert_eq!(used(ports, &account, now).await, 0);
    assert!(!is_due(ports, import, import.lease_until).await);
    let (document, version) = sample::library::imported_document(import, "late.pdf");
    let late = ports.finish_import(import, &document, &version, None);
    assert!(
        !late.await.unwrap(),
        "an abandoned import cannot be finished"
    );
    assert_eq!(
        ports.document(&account.id, &document.id).await.unwrap(),
        None
    );
    let again = sample::library::import(env, &account, Some(&key), now);
    assert_eq!(
        ports.start_import(&again).await.unwrap(),
        ImportStarted::New
    );
    assert_eq!(used(ports, &account, now).await, 1);
}

pub(super) async fn an_exhausted_quota_rejects_imports<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Free).await;
    let now = env.now();
    let set = ports.set_used(&account.id, now.period(), Some(10), Some(10));
    set.await.unwrap();
    let start = sample::library::import(env, &account, None, now);
    let begun = ports.start_import(&start).await.unwrap();
    assert!(
        matches!(begun, ImportStarted::QuotaExceeded(_)),
        "{begun:?}"
    );
    assert_eq!(used(ports, &account, now).await, 10);
    assert!(!is_due(ports, &start.import, start.import.lease_until).await);
}
