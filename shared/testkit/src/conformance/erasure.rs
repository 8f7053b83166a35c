//! Erasure of an account removes all of its data and no other.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::account::{Account, Admission, Identity};
use domain::id::{AccountId, DocumentId, SourceKey, VersionId};
use domain::job::{DocumentResult, DocumentWork};
use domain::plan::Plan;
use domain::ports::{
    AccountRecord, ImportStarted, KeyCreation, PreviousRequest, RecordedUpload, Subscribed,
    SubscriptionRequest, UPLOAD_URL_LIFETIME,
};
use domain::usage::Used;

use super::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;
use crate::sample::subscription::{delivery, webhook};

/// Accounts are closed, their records listed and erased.
pub async fn erasure<P: Ports, W: Environment>(ports: &P, env: &W) {
    a_closed_account_admits_no_credential(ports, env).await;
    every_record_is_found_and_erased(ports, env).await;
    an_identity_linked_to_another_account_stays(ports, env).await;
    subscriptions_are_erased_with_their_deliveries(ports, env).await;
    the_account_itself_is_erased(ports, env).await;
}

async fn a_closed_account_admits_no_credential<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let (key, hash) = sample::key(env, &account);
    ports.create_key(&key).await.unwrap();
    let identity = identity(env);
    assert!(ports.link_identity(&account.id, &identity).await.unwrap());
    let now = env.now();
    let closed = ports.close_account(&account.id, now).await.unwrap();
    assert_eq!(closed, Some(now));
    let admission = ports.admit(&key.id, &hash, now).await.unwrap();
    assert_eq!(admission, Admission::InvalidCredential);
    let (other_key, _) = sample::key(env, &account);
    let created = ports.create_key(&other_key).await.unwrap();
    assert_eq!(created, KeyCreation::AccountChanged);
    // A new sign-in creates a new account.
    let new = AccountId::mint(now, env.random());
    let admission = ports.admit_identity(&identity, &new, now).await.unwrap();
    let Admission::Admitted { caller, .. } = admission else {
        panic!("{admission:?}");
    };
    assert_eq!(caller.account_id, new);
    let later = now.plus(Duration::from_secs(9));
    let again = ports.close_account(&account.id, later).await.unwrap();
    assert_eq!(again, Some(now), "the first closing's time is kept");
    let unknown = sample::account(env, Plan::Pro);
    let closed = ports.close_account(&unknown.id, now).await.unwrap();
    assert_eq!(closed, None);
    assert_eq!(ports.account(&unknown.id).await.unwrap(), None);
}

/// The data of an account: two jobs, one of them unlisted, an import and an upload, each with an idempotency key.
struct AccountData {
    records: BTreeSet<AccountRecord>,
    job: String,
    import: String,
    upload: String,
}

async fn create_data<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    account: &Account,
) -> AccountData {
    let now = env.now();
    let [job, look, import, upload] = std::array::from_fn(|_| sample::fingerprint(env));
    let listed = sample::acceptance(env, account, &job);
    ports.accept(&listed).await.unwrap();
    let mut unlisted = sample::acceptance(env, account, &look);
    unlisted.job.document = Some(inspection_of_a_document(env));
    ports.accept(&unlisted).await.unwrap();
    let start = sample::library::import(env, account, Some(&import), now);
    let begun = ports.start_import(&start).await.unwrap();
    assert_eq!(begun, ImportStarted::New);
    assert!(ports.abandon_import(&start.import, now).await.unwrap());
    let again = sample::library::import(env, account, Some(&import), now);
    assert_eq!(
        ports.start_import(&again).await.unwrap(),
        ImportStarted::New
    );
    let source = SourceKey::mint(now, env.random());
    let expires_at = now.plus(Duration::from_secs(60));
    let remembered = ports.record_upload(&account.id, &upload, "body", &source, now, expires_at);
    assert_eq!(remembered.await.unwrap(), RecordedUpload::New);
    let records = [
        AccountRecord::Job(listed.job.id),
        AccountRecord::Job(unlisted.job.id),
        AccountRecord::Import(start.import.document_id),
        AccountRecord::Import(again.import.document_id),
        AccountRecord::Upload(upload.clone()),
    ];
    AccountData {
        records: records.into(),
        job,
        import,
        upload,
    }
}

/// All records of an account, read in pages of two.
async fn records<P: Ports>(ports: &P, account: &AccountId) -> BTreeSet<AccountRecord> {
    let (mut found, mut after) = (BTreeSet::new(), None);
    loop {
        let page = ports.records(account, after.as_deref(), 2).await.unwrap();
        assert!(page.records.len() <= 2);
        for record in page.records {
            assert!(found.insert(record), "listed twice");
        }
        after = page.next;
        if after.is_none() {
            return found;
        }
    }
}

async fn every_record_is_found_and_erased<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (account, other) = (
        stored_account(ports, env, Plan::Pro).await,
        stored_account(ports, env, Plan::Pro).await,
    );
    let data = create_data(ports, env, &account).await;
    let of_other = create_data(ports, env, &other).await;
    assert_eq!(records(ports, &account.id).await, data.records);
    let listed = ports.jobs(&account.id, None, None, 10).await.unwrap();
    assert_eq!(listed.jobs.len(), 1, "only one of the jobs is listed");
    for _ in 0..2 {
        for record in &data.records {
            ports.erase_record(&account.id, record).await.unwrap();
        }
    }
    assert_eq!(records(ports, &account.id).await, BTreeSet::new());
    let now = env.now();
    for record in &data.records {
        if let AccountRecord::Job(id) = record {
            assert_eq!(ports.job(id).await.unwrap(), None);
        }
    }
    assert_eq!(ports.replay(&data.job, "body", now).await.unwrap(), None);
    let previous = ports.previous_import(&account.id, &data.import, "body", now);
    assert_eq!(previous.await.unwrap(), None);
    let source = SourceKey::mint(now, env.random());
    let expires_at = now.plus(Duration::from_secs(60));
    let remembered =
        ports.record_upload(&account.id, &data.upload, "body", &source, now, expires_at);
    assert_eq!(
        remembered.await.unwrap(),
        RecordedUpload::New,
        "the key is free"
    );
    assert_eq!(records(ports, &other.id).await, of_other.records);
    let replayed = ports.replay(&of_other.job, "body", now).await.unwrap();
    assert!(matches!(replayed, Some(PreviousRequest::Replayed(_))));
}

async fn an_identity_linked_to_another_account_stays<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (account, other) = (
        stored_account(ports, env, Plan::Pro).await,
        stored_account(ports, env, Plan::Pro).await,
    );
    let (now, fingerprint) = (env.now(), sample::fingerprint(env));
    let source = SourceKey::mint(now, env.random());
    let expires_at = now.plus(Duration::from_secs(60));
    let remembered = ports.record_upload(&other.id, &fingerprint, "body", &source, now, expires_at);
    remembered.await.unwrap();
    let record = AccountRecord::Upload(fingerprint);
    ports.erase_record(&account.id, &record).await.unwrap();
    assert_eq!(records(ports, &other.id).await, BTreeSet::from([record]));
    // The identity is linked to another account meanwhile.
    let identity = identity(env);
    for account in [&account, &other] {
        ports.link_identity(&account.id, &identity).await.unwrap();
    }
    ports.erase_account(&account.id).await.unwrap();
    let new = AccountId::mint(now, env.random());
    let admission = ports.admit_identity(&identity, &new, now).await.unwrap();
    let Admission::Admitted { caller, .. } = admission else {
        panic!("{admission:?}");
    };
    assert_eq!(caller.account_id, other.id);
}

async fn the_account_itself_is_erased<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (account, other) = (
        stored_account(ports, env, Plan::Free).await,
        stored_account(ports, env, Plan::Free).await,
    );
    let (now, period) = (env.now(), env.now().period());
    for owner in [&account, &other] {
        for _ in 0..3 {
            let (key, _) = sample::key(env, owner);
            ports.create_key(&key).await.unwrap();
        }
        let used = ports.set_used(&owner.id, period, Some(3), Some(4));
        used.await.unwrap();
        let source = SourceKey::mint(now, env.random());
        let grant = ports.upload_url(&owner.id, &source, "text/plain", 4, now);
        let grant = grant.await.unwrap();
        assert_eq!(grant.expires_at, now.plus(UPLOAD_URL_LIFETIME));
        let status = env.put(&grant.url, &grant.headers, b"text".to_vec()).await;
        assert_eq!(status, 200);
    }
    assert_eq!(ports.erase_objects(&account.id).await.unwrap(), 1);
    assert_eq!(ports.erase_objects(&account.id).await.unwrap(), 0);
    assert_eq!(ports.erase_account(&account.id).await.unwrap(), 3);
    assert_eq!(ports.erase_account(&account.id).await.unwrap(), 0);
    assert_eq!(ports.account(&account.id).await.unwrap(), None);
    assert_eq!(ports.keys(&account.id).await.unwrap(), []);
    let used = ports.used(&account.id, period).await.unwrap();
    assert_eq!(used, Used::default());
    assert!(ports.account(&other.id).await.unwrap().is_some());
    assert_eq!(ports.keys(&other.id).await.unwrap().len(), 3);
    assert_eq!(ports.erase_objects(&other.id).await.unwrap(), 1);
}

/// The work of an internal job, which is not listed.
fn inspection_of_a_document(env: &impl Environment) -> DocumentWork {
    let now = env.now();
    DocumentWork {
        document: DocumentId::mint(now, env.random()),
        version: VersionId::mint(now, env.random()),
        page: None,
        result: DocumentResult::Pages,
    }
}

fn identity(env: &impl Environment) -> Identity {
    Identity {
        issuer: "https://issuer.example".to_owned(),
        subject: format!("{:032x}", env.random()),
        email: None,
    }
}

async fn subscriptions_are_erased_with_their_deliveries<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let other = stored_account(ports, env, Plan::Pro).await;
    let now = env.now();
    let mut all = Vec::new();
    for owner in [&account, &account, &other] {
        let one = webhook(env, owner);
        let request = SubscriptionRequest {
            fingerprint: sample::fingerprint(env),
            body_hash: "body".to_owned(),
            expires_at: now.plus(Duration::from_secs(3_600)),
        };
        let subscribed = ports.subscribe(&one, 10, Some(&request)).await.unwrap();
        assert_eq!(subscribed, Subscribed::New);
        let delivery = delivery(env, &one, now);
        let added = ports.add_deliveries(vec![delivery.clone()]).await;
        assert_eq!(added.unwrap().len(), 1);
        all.push((one, request, delivery));
    }
    let (ended, _, _) = &all[0];
    assert!(
        ports
            .unsubscribe(&account.id, &ended.id, now)
            .await
            .unwrap()
    );
    assert_eq!(ports.erase_subscriptions(&account.id).await.unwrap(), 2);
    assert_eq!(ports.erase_subscriptions(&account.id).await.unwrap(), 0);
    for (one, request, delivery) in &all {
        let is_other = one.account_id == other.id;
        let (owner, id) = (&one.account_id, &one.id);
        let stored = ports.subscription(owner, id).await.unwrap();
        assert_eq!(stored.is_some(), is_other);
        let stored = ports.delivery(id, &delivery.id).await.unwrap();
        assert_eq!(stored.is_some(), is_other);
        // The idempotency key and the single slot are free again.
        let new = webhook(env, if is_other { &other } else { &account });
        let again = ports.subscribe(&new, 1, Some(request)).await.unwrap();
        if is_other {
            assert_eq!(again, Subscribed::Replayed(Some(Box::new(one.clone()))));
        } else {
            assert_eq!(again, Subscribed::New);
            assert!(ports.unsubscribe(owner, &new.id, now).await.unwrap());
        }
    }
}
