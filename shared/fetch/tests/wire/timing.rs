//! Time limits: each ends its step, and nothing continues afterwards.

use std::time::{Duration, Instant};

use fetch::{FetchError, Limits};

use crate::support::{Internet, Reply, Server, Step, assert_fails, ok};

const SHORT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(30);

/// Limits that are long except for those that `shorten` changes.
fn only(shorten: impl Fn(&mut Limits)) -> Limits {
    let mut limits = Limits {
        connect: LONG,
        headers: LONG,
        total: LONG,
        bytes: 1_000_000,
    };
    shorten(&mut limits);
    limits
}

async fn times_out(reply: Reply, limits: &Limits) -> Vec<u8> {
    let internet = Internet::new();
    let _server = internet.serve("example.com", move |_| reply.clone()).await;
    let started = Instant::now();
    let (outcome, sink) = internet.fetch_within("https://example.com/", limits).await;
    assert_fails!(outcome, FetchError::TimedOut);
    assert!((SHORT..LONG / 3).contains(&started.elapsed()));
    sink
}

#[tokio::test]
async fn a_tcp_connect_that_hangs() {
    let limits = only(|limits| limits.connect = SHORT);
    let internet = Internet::new();
    internet.name("example.com", &[&["93.184.216.1"]]);
    internet.black_hole("93.184.216.1:443").await;
    let started = Instant::now();
    let (outcome, _) = internet.fetch_within("https://example.com/", &limits).await;
    assert_fails!(outcome, FetchError::TimedOut);
    assert!(started.elapsed() < LONG / 3);
}

#[tokio::test]
async fn an_address_that_hangs_leaves_time_for_the_next() {
    let limits = only(|limits| limits.connect = Duration::from_secs(2));
    let internet = Internet::new();
    let _server = internet.serve("example.com", |_| ok("", b"x")).await;
    internet.name("example.com", &[&["93.184.216.200", "93.184.216.1"]]);
    internet.black_hole("93.184.216.200:443").await;
    let (outcome, _) = internet.fetch_within("https://example.com/", &limits).await;
    assert_eq!(outcome.unwrap().bytes, 1);
}

#[tokio::test]
async fn a_tls_handshake_that_hangs() {
    let limits = only(|limits| limits.connect = SHORT);
    let internet = Internet::new();
    let silent = Server::start(None, |_| vec![Step::Hang]).await;
    internet.name("example.com", &[&["93.184.216.1"]]);
    internet.route("93.184.216.1:443", silent.address);
    let started = Instant::now();
    let (outcome, _) = internet.fetch_within("https://example.com/", &limits).await;
    assert_fails!(outcome, FetchError::TimedOut);
    assert!(started.elapsed() < LONG / 3);
}

#[tokio::test]
async fn a_lookup_that_hangs() {
    let limits = only(|limits| limits.connect = SHORT);
    let internet = Internet::new();
    internet.name("example.com", &[&["93.184.216.1"]]);
    internet.delay_lookups(LONG);
    let started = Instant::now();
    let (outcome, _) = internet.fetch_within("https://example.com/", &limits).await;
    assert_fails!(outcome, FetchError::TimedOut);
    let url = internet.url("https://example.com/");
    let connected = internet.client().connect(&url, SHORT).await.map(drop);
    assert_fails!(connected, FetchError::TimedOut);
    assert!(started.elapsed() < LONG / 3);
    assert_eq!(internet.dialed(), [""; 0]);
}

#[tokio::test]
async fn a_response_head_that_hangs_or_is_endless() {
    let limits = only(|limits| limits.headers = SHORT);
    let slow = |bytes: &str| Step::Forever(bytes.as_bytes().to_vec(), Duration::from_millis(20));
    for reply in [
        vec![Step::Hang],
        vec!["HTTP/1.1 200 OK\r\n".into(), Step::Hang],
        vec!["HTTP/1.1 200 OK\r\nx: ".into(), slow("y")],
        vec![slow("HTTP/1.1 100 Continue\r\n\r\n")],
    ] {
        times_out(reply, &limits).await;
    }
}

#[tokio::test]
async fn a_body_that_is_slow_or_stalls() {
    let limits = only(|limits| limits.total = SHORT);
    let drip = Step::Forever(b"x".to_vec(), Duration::from_millis(50));
    let sink = times_out(
        vec!["HTTP/1.1 200 OK\r\n\r\n".into(), drip.clone()],
        &limits,
    )
    .await;
    assert!((1..20).contains(&sink.len()), "{}", sink.len());
    let stated = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    times_out(vec![stated.into(), drip], &limits).await;
    times_out(vec![stated.into(), "x".into(), Step::Hang], &limits).await;
}

#[tokio::test]
async fn redirects_share_the_total_time() {
    let limits = only(|limits| limits.total = SHORT);
    let reply = vec![
        Step::Pause(Duration::from_millis(100)),
        "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n".into(),
    ];
    times_out(reply, &limits).await;
}

#[tokio::test]
async fn default_step_limits() {
    let limits = Limits::new(5, Duration::from_secs(25));
    assert_eq!((limits.bytes, limits.total), (5, Duration::from_secs(25)));
    assert_eq!(
        (limits.connect, limits.headers),
        (Duration::from_secs(10), Duration::from_secs(10))
    );
    let limits = Limits::new(5, Duration::from_secs(3));
    assert_eq!(
        (limits.connect, limits.headers),
        (Duration::from_secs(3), Duration::from_secs(3))
    );
}
