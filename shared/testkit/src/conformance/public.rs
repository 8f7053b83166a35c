//! Work without an account is counted, and small results are read whole.

use std::time::Duration;

use domain::id::SourceKey;
use domain::plan::Plan;
use domain::ports::Usage;
use domain::source::upload_object;

use crate::sample;
use crate::world::{Ports, World};

/// Counting, the service's own documents, and reading.
pub async fn public<P: Ports, W: World>(ports: &P, world: &W) {
    counting(ports, world).await;
    own_documents(ports, world).await;
}

/// Of any number at a time, exactly as many fit as the budget has; every name and every minute has its own.
async fn counting<P: Usage, W: World>(ports: &P, world: &W) {
    let (name, now) = (sample::fingerprint(world), world.now());
    let count = async |name: &str, now| ports.count_public(name, 3, now).await.unwrap();
    let at_once = tokio::join!(
        count(&name, now),
        count(&name, now),
        count(&name, now),
        count(&name, now),
    );
    let fitted: [bool; 4] = at_once.into();
    assert_eq!(fitted.into_iter().filter(|fits| *fits).count(), 3);
    assert!(!count(&name, now).await);
    assert!(
        count(&sample::fingerprint(world), now).await,
        "another name"
    );
    let later = now.plus(Duration::from_secs(60));
    assert!(count(&name, later).await, "another minute");
}

async fn own_documents<P: Ports, W: World>(ports: &P, world: &W) {
    let account = sample::account(world, Plan::Business).id;
    let source = SourceKey::mint(world.now(), world.random());
    let put = async |bytes: &[u8]| {
        ports
            .put_source(&account, &source, "text/plain", bytes)
            .await
            .unwrap();
        ports.inspect(&account, &source).await.unwrap().unwrap()
    };
    let first = put(b"a demonstration").await;
    assert_eq!((first.size_bytes, &*first.content_type), (15, "text/plain"));
    assert_eq!(put(b"a demonstration").await, first, "the same bytes again");
    let object = upload_object(&account, &source);
    let read = async |most| ports.content(&object, most).await.unwrap();
    assert_eq!(read(15).await.as_deref(), Some(&b"a demonstration"[..]));
    assert_eq!(read(14).await, None, "larger than asked for");
    let gone = upload_object(&account, &SourceKey::mint(world.now(), world.random()));
    assert_eq!(ports.content(&gone, 15).await.unwrap(), None);
}
