//! Tables of URLs that each rule of the policy rejects or admits.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{MAX_URL_LENGTH, Policy, is_allowed_port};
use crate::special_purpose::{IPV4, IPV6};
use domain::source::UrlError::{self, Blocked, Invalid};

fn policy() -> Policy {
    Policy::https(
        vec!["api.octavo.app".to_owned(), "93.184.216.99".to_owned()],
        "fixtures.octavo.test:9443=127.0.0.1,wiki:443=10.0.0.5,api.octavo.app:8443=10.0.0.6"
            .parse()
            .unwrap(),
    )
}

fn url_error(policy: &Policy, text: &str) -> Option<UrlError> {
    policy.admit(text).err()
}

/// For each rule at least one URL that only this rule rejects.
const REJECTED: &[(UrlError, &str)] = &[
    // Syntax.
    (Invalid, ""),
    (Invalid, "not a url"),
    (Invalid, "/relative"),
    (Invalid, "//example.com/x"),
    (Invalid, "https://"),
    (Invalid, "https:///"),
    (Invalid, "https://exa mple.com/"),
    (Invalid, "https://example.com:99999/"),
    (Invalid, "https://[::1/"),
    (Invalid, "https://1.2.3.4.5/"),
    (Invalid, "https://256.1.1.1/"),
    (Invalid, "https://exa\nmple.com/"),
    (Invalid, "https://example.com/\u{0}"),
    (Invalid, "\thttps://example.com/"),
    (Invalid, "https://example.com/a\u{7f}b"),
    (Invalid, "https://[fe80::1%25eth0]/"),
    // Names that are invalid in the DNS.
    (Invalid, "https://a..example.com/"),
    (Invalid, "https://.example.com/"),
    (Invalid, "https://example.com../"),
    (Invalid, "https://*.example.com/"),
    (Invalid, "https://ex!ample.com/"),
    (
        Invalid,
        "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com/",
    ),
    // Schemes.
    (Invalid, "http://example.com/"),
    (Invalid, "ftp://example.com/"),
    (Invalid, "file:///etc/passwd"),
    (Invalid, "data:text/plain,x"),
    (Invalid, "javascript:alert(1)"),
    (Invalid, "gopher://example.com/"),
    (Invalid, "wss://example.com/"),
    (Invalid, "blob:https://example.com/x"),
    (Invalid, "s3://bucket/key"),
    (Invalid, "http://127.0.0.1/"),
    // Userinfo.
    (Blocked, "https://user@example.com/"),
    (Blocked, "https://user:password@example.com/"),
    (Blocked, "https://:password@example.com/"),
    (Blocked, "https://example.com@93.184.216.34/"),
    (Blocked, "https://user@fixtures.octavo.test:9443/"),
    // Ports.
    (Blocked, "https://example.com:22/"),
    (Blocked, "https://example.com:0/"),
    (Blocked, "https://example.com:25/"),
    (Blocked, "https://example.com:6667/"),
    (Blocked, "https://93.184.216.34:6000/"),
    // Names.
    (Blocked, "https://localhost/"),
    (Blocked, "https://LOCALHOST./"),
    (Blocked, "https://app.localhost/"),
    (Blocked, "https://printer.local/"),
    (Blocked, "https://metadata.google.internal/"),
    (Blocked, "https://metadata.google.internal./"),
    (Blocked, "https://com/"),
    (Blocked, "https://wiki.test/"),
    (Blocked, "https://1.0.0.127.in-addr.arpa/"),
    (Blocked, "https://ｌｏｃａｌｈｏｓｔ/"),
    (Blocked, "https://%6c%6f%63%61%6chost/"),
    (Blocked, "https://printer。local/"),
    // Our own hosts, trusted or not.
    (Blocked, "https://api.octavo.app/api/v1/jobs"),
    (Blocked, "https://API.Octavo.App./"),
    (Blocked, "https://api.octavo.app:8443/"),
    (Blocked, "https://93.184.216.99/"),
    (Blocked, "https://0x5db8d863/"),
    // Trusted hosts under another name or port.
    (Blocked, "https://fixtures.octavo.test/"),
    (Blocked, "https://fixtures.octavo.test:9444/"),
    (Blocked, "https://a.fixtures.octavo.test:9443/"),
    (Blocked, "https://wiki:8443/"),
    (Blocked, "https://10.0.0.5/"),
    // Addresses in every notation.
    (Blocked, "https://127.0.0.1/"),
    (Blocked, "https://127.0.0.1./"),
    (Blocked, "https://127.1/"),
    (Blocked, "https://127.0.1/"),
    (Blocked, "https://2130706433/"),
    (Blocked, "https://0x7f000001/"),
    (Blocked, "https://0x7f.0.0.1/"),
    (Blocked, "https://0177.0.0.1/"),
    (Blocked, "https://0x7f.1/"),
    (Blocked, "https://017700000001/"),
    (Blocked, "https://0/"),
    (Blocked, "https://0x0/"),
    (Blocked, "https://①②⑦.⓪.⓪.①/"),
    (Blocked, "https://127。0。0。1/"),
    (Blocked, "https://%31%32%37.0.0.1/"),
    (Blocked, "https://169.254.169.254/latest/meta-data/"),
    (Blocked, "https://2852039166/latest/meta-data/"),
    (Blocked, "https://[::1]/"),
    (Blocked, "https://[::]/"),
    (Blocked, "https://[0:0:0:0:0:ffff:7f00:1]/"),
    (Blocked, "https://[::ffff:127.0.0.1]/"),
    (Blocked, "https://[::ffff:8.8.8.8]/"),
    (Blocked, "https://[::127.0.0.1]/"),
    (Blocked, "https://[64:ff9b::10.0.0.1]/"),
    (Blocked, "https://[2002:a00:1::]/"),
    (Blocked, "https://[fd00:ec2::254]/"),
    (Blocked, "https://[2a00:1450::5efe:a00:1]/"),
];

/// Text that the parser silently repairs into a URL; allowed in redirects only.
const REPAIRED: &[(UrlError, &str)] = &[
    (Invalid, " https://example.com/"),
    (Invalid, "https://example.com/ "),
    (Invalid, "https://example.com/\u{a0}"),
    (Invalid, "https://example.com/a b"),
    (Invalid, "https://example.com/a\u{3000}b"),
    (Invalid, "https://example.com/?a b"),
    (Invalid, "https://example.com/#a b"),
    (Invalid, "https:example.com"),
    (Invalid, "https:example.com://a"),
    (Invalid, "https:/example.com"),
    (Invalid, "https:/example.com/://a"),
    (Invalid, "https:///example.com"),
    (Invalid, "https:////127.0.0.1/"),
    (Invalid, "https:127.0.0.1/"),
    (Invalid, "https:\\\\127.0.0.1\\"),
    (Invalid, "https:\\\\example.com"),
    (Invalid, "https://example.com\\@127.0.0.1/"),
    (Invalid, "https://example.com/a\\b"),
    (Blocked, "https://@example.com/"),
    (Blocked, "https://:@example.com/"),
    (Blocked, "https://@example.com?a"),
    (Blocked, "https://@fixtures.octavo.test:9443/"),
];

const ADMITTED: &[(&str, &str)] = &[
    ("https://example.com", "https://example.com/"),
    ("HTTPS://EXAMPLE.COM:443/A?b#c", "https://example.com/A?b#c"),
    ("https://example.com./x", "https://example.com/x"),
    ("https://example.com:8443/", "https://example.com:8443/"),
    ("https://bücher.de/", "https://xn--bcher-kva.de/"),
    (
        "https://my_bucket.s3.amazonaws.com/k?X=1",
        "https://my_bucket.s3.amazonaws.com/k?X=1",
    ),
    ("https://93.184.216.34/", "https://93.184.216.34/"),
    ("https://0x5db8d822/", "https://93.184.216.34/"),
    ("https://[2606:4700::1111]/", "https://[2606:4700::1111]/"),
    ("https://example.com/a@b", "https://example.com/a@b"),
    ("https://example.com?a@b", "https://example.com/?a@b"),
    ("https://example.com#a@b", "https://example.com/#a@b"),
    ("https://example.com/a%20b", "https://example.com/a%20b"),
    (
        "https://example.com/?to=https://a@b/",
        "https://example.com/?to=https://a@b/",
    ),
    (
        "https://localhost.example.com/",
        "https://localhost.example.com/",
    ),
    ("https://octavo.app/", "https://octavo.app/"),
    (
        "https://fixtures.octavo.test:9443/a",
        "https://fixtures.octavo.test:9443/a",
    ),
    (
        "https://FIXTURES.octavo.test.:9443/a",
        "https://fixtures.octavo.test:9443/a",
    ),
    ("https://wiki/", "https://wiki/"),
];

#[test]
fn every_rejected_url_has_the_expected_error() {
    for (expected, text) in REJECTED {
        assert_eq!(url_error(&policy(), text), Some(*expected), "{text:?}");
    }
}

#[test]
fn text_that_the_parser_repairs_is_rejected() {
    let parsed = |text: &str| url::Url::parse(text).is_ok();
    for (expected, text) in REPAIRED {
        assert!(parsed(text), "{text:?} is no URL in any case");
        assert_eq!(url_error(&policy(), text), Some(*expected), "{text:?}");
    }
}

#[test]
fn admitted_urls_are_normalized() {
    for (text, expected) in ADMITTED {
        let admitted = policy().admit(text);
        let admitted = admitted.unwrap_or_else(|url_error| panic!("{text:?}: {url_error}"));
        assert_eq!(admitted.as_str(), *expected);
    }
}

#[test]
fn http_is_admitted_for_pages_only_and_follows_all_other_rules() {
    let pages = Policy {
        plain_http: true,
        ..policy()
    };
    assert_eq!(url_error(&pages, "http://example.com/"), None);
    assert_eq!(url_error(&pages, "https://example.com/"), None);
    assert_eq!(url_error(&pages, "ftp://example.com/"), Some(Invalid));
    for (_, text) in REJECTED
        .iter()
        .filter(|(url_error, _)| *url_error == Blocked)
    {
        let plain = text.replacen("https:", "http:", 1);
        assert_eq!(url_error(&pages, &plain), Some(Blocked), "{plain:?}");
    }
    let pages = Policy::https_or_http(Vec::new(), "".parse().unwrap());
    assert_eq!(pages.admit("http://a.de").map(|url| url.port()), Ok(80));
}

#[test]
fn length_is_counted_in_characters() {
    let of = |length: usize| format!("https://example.com/{}", "ü".repeat(length - 20));
    assert_eq!(url_error(&policy(), &of(MAX_URL_LENGTH)), None);
    assert_eq!(url_error(&policy(), &of(MAX_URL_LENGTH + 1)), Some(Invalid));
    let label = "a".repeat(63);
    let name = format!("{label}.{label}.{label}.{}", "b".repeat(61));
    assert_eq!(name.len(), 253);
    assert_eq!(url_error(&policy(), &format!("https://{name}/")), None);
    assert_eq!(
        url_error(&policy(), &format!("https://b{name}/")),
        Some(Invalid)
    );
}

/// Notations of an IPv4 address that URL parsers accept.
fn notations(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let number = u32::from(address);
    let mapped = address.to_ipv6_mapped();
    vec![
        format!("{a}.{b}.{c}.{d}"),
        format!("{number}"),
        format!("{number:#x}"),
        format!("0{number:o}"),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a}.{}", number & 0x00ff_ffff),
        format!("{a}.{b}.{c}.{d}."),
        format!("[{mapped}]"),
        format!("[::{a}.{b}.{c}.{d}]"),
        format!("[64:ff9b::{a}.{b}.{c}.{d}]"),
        format!("[2002:{:x}:{:x}::1]", number >> 16, number & 0xffff),
        format!("[2a00:1450::5efe:{:x}:{:x}]", number >> 16, number & 0xffff),
    ]
}

#[test]
fn no_notation_of_a_registered_ipv4_address_is_admitted() {
    let mut rows = 0;
    for block in IPV4 {
        let first = u32::from(block.network);
        let last = first | u32::MAX.checked_shr(block.prefix).unwrap_or(0);
        for notation in [first, last]
            .into_iter()
            .flat_map(|number| notations(number.into()))
        {
            let text = format!("https://{notation}/x");
            assert_eq!(url_error(&policy(), &text), Some(Blocked), "{text}");
            rows += 1;
        }
    }
    assert_eq!(rows, IPV4.len() * 2 * 13);
}

#[test]
fn no_registered_ipv6_address_is_admitted() {
    for block in IPV6 {
        let first = u128::from(block.network);
        let last = first | u128::MAX.checked_shr(block.prefix).unwrap_or(0);
        for number in [first, last] {
            let text = format!("https://[{}]/x", Ipv6Addr::from(number));
            assert_eq!(url_error(&policy(), &text), Some(Blocked), "{text}");
        }
    }
}

#[test]
fn a_redirect_is_checked_like_a_url_and_rejected_as_blocked() {
    let from = policy().admit("https://example.com/a/b?c").unwrap();
    let target = |location: &str| policy().admit_redirect(&from, location);
    for (location, expected) in [
        ("d", "https://example.com/a/d"),
        ("/d?e", "https://example.com/d?e"),
        ("//other.org/x", "https://other.org/x"),
        (
            "https://fixtures.octavo.test:9443/",
            "https://fixtures.octavo.test:9443/",
        ),
        ("", "https://example.com/a/b?c"),
    ] {
        assert_eq!(target(location).unwrap().as_str(), expected, "{location}");
    }
    let absolute = |text: &&str| text.contains("://") && policy().admit(text).is_err();
    let rejected = REJECTED.iter().map(|(_, text)| *text).filter(absolute);
    let rejected = rejected.filter(|text| !text.contains(['\t', '\n', '\u{0}', '\u{7f}']));
    for location in rejected.chain(["http://example.com/", "//localhost/", "https://"]) {
        assert_eq!(target(location), Err(Blocked), "{location}");
    }
    assert!(target(&format!("/{}", "a".repeat(4000))).is_ok());
    assert_eq!(target(&format!("/{}", "a".repeat(8192))), Err(Blocked));
}

#[test]
fn debug_output_of_a_url_contains_only_its_origin() {
    let url = policy()
        .admit("https://hooks.example.com:8443/services/T0/secret?signature=secret#secret")
        .unwrap();
    assert_eq!(format!("{url:?}"), "https://hooks.example.com:8443/***");
    let source = crate::Source::from(url.clone());
    assert!(!format!("{source:?}").contains("secret"), "{source:?}");
    assert_eq!(Invalid.to_string(), "the URL is not valid");
    assert_eq!(Blocked.to_string(), "the URL is not allowed");
    assert_eq!((url.host(), url.port()), ("hooks.example.com", 8443));
}

#[test]
fn ports_are_checked() {
    let rejected = [
        1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
        6669, 6679, 6697, 10080,
    ];
    for port in 0..=u16::MAX {
        let expected = port == 80 || port == 443 || (port > 1023 && !rejected.contains(&port));
        assert_eq!(is_allowed_port(port), expected, "{port}");
    }
}

#[test]
fn the_runtime_api_is_blocked_by_name_address_and_resolved_address() {
    let at = |endpoint| policy().with_own_endpoint(endpoint);
    for (endpoint, text) in [
        ("93.184.216.35:9001", "https://93.184.216.35:9001/"),
        ("93.184.216.35:9001", "https://0x5db8d823/"),
        (
            "api.runtime.example.com:9001",
            "https://API.runtime.example.com:9001/",
        ),
        (
            "api.runtime.example.com.:9001",
            "https://api.runtime.example.com/",
        ),
        (
            "api.runtime.example.com",
            "https://api.runtime.example.com./",
        ),
        (
            "sandbox.localdomain:9001",
            "https://sandbox.localdomain:9001/",
        ),
        ("169.254.100.1:9001", "https://169.254.100.1:9001/"),
        ("[fd12::5]:9001", "https://[fd12::5]:9001/"),
    ] {
        assert_eq!(url_error(&at(endpoint), text), Some(Blocked), "{text}");
    }
    let endpoint = |text: &str| text.parse().unwrap();
    let local = at("127.0.0.1:9001");
    assert!(local.is_own_endpoint(endpoint("127.0.0.1:9001")));
    assert!(local.is_own_endpoint(endpoint("[::ffff:127.0.0.1]:9001")));
    assert!(!local.is_own_endpoint(endpoint("127.0.0.1:9443")));
    for nothing in ["", ":9001"] {
        assert_eq!(at(nothing).own_hosts, policy().own_hosts, "{nothing}");
        assert!(at(nothing).own_endpoints.is_empty());
    }
}
