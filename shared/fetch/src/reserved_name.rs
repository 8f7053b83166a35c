//! Reserved and private-use domain names, which no public server has.

/// Top-level domains that are blocked with all their subdomains.
///
/// Sources: the IANA registry Special-Use Domain Names (its names under `arpa` are covered by `arpa` as a whole, which is
/// infrastructure only), ICANN's reservation of `internal` (2024), the top-level names in private use according to RFC 6762
/// (appendix G) and ICANN's study of name collisions (2014), and `localdomain`, a common default of operating systems.
/// `example.com`, `example.net` and `example.org` are special-use names too, but public servers, so they are allowed.
const RESERVED: &[&str] = &[
    "alt",
    "arpa",
    "corp",
    "example",
    "home",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "mail",
    "onion",
    "private",
    "test",
];

/// Whether `name` (lower case, no trailing dot) has a single label or is in a reserved domain.
pub(crate) fn is_reserved(name: &str) -> bool {
    match name.rsplit_once('.') {
        None => true,
        Some((_, top)) => RESERVED.contains(&top),
    }
}

#[cfg(test)]
mod tests {
    use super::{RESERVED, is_reserved};

    /// Independent of the table, so that the test fails when a row is removed.
    const REJECTED: &str = "service.alt home.arpa printer.home.arpa 1.0.0.127.in-addr.arpa 8.e.f.ip6.arpa ipv4only.arpa \
        resolver.arpa service.arpa 6tisch.arpa eap.arpa wiki.corp www.example nas.home metadata.google.internal \
        ip-10-0-0-1.eu-west-1.compute.internal wiki.intranet www.invalid router.lan printer.local db.localdomain \
        app.localhost server.mail www.onion host.private fixtures.octavo.test";

    #[test]
    fn every_reserved_domain_is_rejected_with_its_subdomains() {
        for name in REJECTED.split_whitespace() {
            assert!(is_reserved(name), "{name}");
        }
        for top in RESERVED {
            assert!(
                REJECTED
                    .split_whitespace()
                    .any(|name| name.ends_with(&format!(".{top}"))),
                "{top} has no example"
            );
        }
    }

    #[test]
    fn a_single_label_is_rejected() {
        for name in ["localhost", "intranet", "com", "metadata", "xn--p1ai"] {
            assert!(is_reserved(name), "{name}");
        }
    }

    #[test]
    fn names_that_only_look_reserved_are_public() {
        for name in [
            "example.com",
            "localhost.example.com",
            "notlocal.dev",
            "mylocalhost.com",
            "internal.company.io",
            "test.de",
            "arpa.org",
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
