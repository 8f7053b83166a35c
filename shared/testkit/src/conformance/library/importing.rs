//! Imports: one charge, given back once.

use domain::account::Account;
use domain::library::Import;
use domain::plan::Plan;
use domain::ports::{Chore, EarlierImport, ImportBegun};
use domain::timestamp::Timestamp;

use crate::conformance::customer;
use crate::sample;
use crate::world::{Ports, World};

async fn used<P: Ports>(ports: &P, account: &Account, now: Timestamp) -> u32 {
    let used = ports.used(&account.id, now.period()).await.unwrap();
    used.this_month
}

/// Whether `sweep` finds the import at `now`.
async fn waits<P: Ports>(ports: &P, import: &Import, now: Timestamp) -> bool {
    let shard = domain::library::shard(&import.document_id);
    let mut after = None;
    loop {
        let page = ports.chores(shard, now, after.as_ref(), 50).await.unwrap();
        if page.chores.contains(&Chore::Import(import.clone())) {
            return true;
        }
        after = page.next;
        if after.is_none() {
            return false;
        }
    }
}

pub(super) async fn an_import_is_charged_once_and_finished_once<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let account = customer(ports, world, Plan::Starter).await;
    let (key, now) = (sample::fingerprint(world), world.now());
    let start = sample::library::import(world, &account, Some(&key), now);
    let import = &start.import;
    assert_eq!(ports.begin_import(&start).await.unwrap(), ImportBegun::New);
    assert_eq!(used(ports, &account, now).await, 1);
    assert!(!waits(ports, import, now).await);
    assert!(waits(ports, import, import.lease_until).await);
    let again = sample::library::import(world, &account, Some(&key), now);
    let running = ImportBegun::Earlier(EarlierImport::Running);
    assert_eq!(ports.begin_import(&again).await.unwrap(), running);
    assert_eq!(
        ports
            .document(&account.id, &import.document_id)
            .await
            .unwrap(),
        None
    );

    let (document, version) = sample::library::brought(import, "Bericht März.pdf");
    let finish = async || {
        ports
            .finish_import(import, &document, &version, None)
            .await
            .unwrap()
    };
    assert!(finish().await);
    assert!(finish().await, "told again after an answer was lost");
    assert!(!waits(ports, import, import.lease_until).await);
    assert!(!ports.give_up_import(import, now).await.unwrap());
    let imported = EarlierImport::Imported(Box::new((document.clone(), version.clone())));
    let earlier = ImportBegun::Earlier(imported.clone());
    assert_eq!(ports.begin_import(&again).await.unwrap(), earlier);
    let told = ports.earlier_import(&account.id, &key, "body", now).await;
    assert_eq!(told.unwrap(), Some(imported));
    let told = ports.earlier_import(&account.id, &key, "other", now).await;
    assert_eq!(told.unwrap(), Some(EarlierImport::KeyReused));
    let expired = ports.earlier_import(&account.id, &key, "body", import.expires_at);
    assert_eq!(expired.await.unwrap(), None);
    assert_eq!(used(ports, &account, now).await, 1);
    let removal = super::removal(&document, now);
    assert!(ports.remove_document(&removal).await.unwrap());
    let told = ports.earlier_import(&account.id, &key, "body", now).await;
    assert_eq!(told.unwrap(), Some(EarlierImport::Deleted));
}

pub(super) async fn a_failed_import_is_given_back_once_and_frees_its_key<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let account = customer(ports, world, Plan::Starter).await;
    let (key, now) = (sample::fingerprint(world), world.now());
    let start = sample::library::import(world, &account, Some(&key), now);
    let import = &start.import;
    assert_eq!(ports.begin_import(&start).await.unwrap(), ImportBegun::New);
    assert!(ports.give_up_import(import, now).await.unwrap());
    assert!(!ports.give_up_import(import, now).await.unwrap());
    assert_eq!(used(ports, &account, now).await, 0);
    assert!(!waits(ports, import, import.lease_until).await);
    let (document, version) = sample::library::brought(import, "late.pdf");
    let late = ports.finish_import(import, &document, &version, None);
    assert!(!late.await.unwrap(), "what was given back is not finished");
    assert_eq!(
        ports.document(&account.id, &document.id).await.unwrap(),
        None
    );
    let again = sample::library::import(world, &account, Some(&key), now);
    assert_eq!(ports.begin_import(&again).await.unwrap(), ImportBegun::New);
    assert_eq!(used(ports, &account, now).await, 1);
}

pub(super) async fn a_spent_plan_imports_nothing<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let now = world.now();
    let set = ports.set_used(&account.id, now.period(), Some(10), Some(10));
    set.await.unwrap();
    let start = sample::library::import(world, &account, None, now);
    let begun = ports.begin_import(&start).await.unwrap();
    assert!(matches!(begun, ImportBegun::Spent(_)), "{begun:?}");
    assert_eq!(used(ports, &account, now).await, 10);
    assert!(!waits(ports, &start.import, start.import.lease_until).await);
}
