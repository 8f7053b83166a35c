//! Anonymous requests: rate limit, the service's own documents, reading small results.

use std::time::Duration;

use domain::id::SourceKey;
use domain::plan::Plan;
use domain::ports::Usage;
use domain::source::upload_object;

use crate::environment::{Environment, Ports};
use crate::sample;

/// The ports of anonymous requests.
pub async fn anonymous<P: Ports, W: Environment>(ports: &P, env: &W) {
    rate_limit(ports, env).await;
    own_documents(ports, env).await;
}

/// Of concurrent requests, exactly as many as the limit are admitted; each name and minute has its own counter.
async fn rate_limit<P: Usage, W: Environment>(ports: &P, env: &W) {
    let (name, now) = (sample::fingerprint(env), env.now());
    let count = async |name: &str, now| ports.count_anonymous(name, 3, now).await.unwrap();
    let at_once = tokio::join!(
        count(&name, now),
        count(&name, now),
        count(&name, now),
        count(&name, now),
    );
    let fitted: [bool; 4] = at_once.into();
    assert_eq!(fitted.into_iter().filter(|fits| *fits).count(), 3);
    assert!(!count(&name, now).await);
    assert!(count(&sample::fingerprint(env), now).await, "another name");
    let later = now.plus(Duration::from_secs(60));
    assert!(count(&name, later).await, "another minute");
}

async fn own_documents<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = sample::account(env, Plan::Business).id;
    let source = SourceKey::mint(env.now(), env.random());
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
    assert_eq!(read(14).await, None, "larger than the limit");
    let gone = upload_object(&account, &SourceKey::mint(env.now(), env.random()));
    assert_eq!(ports.content(&gone, 15).await.unwrap(), None);
}
