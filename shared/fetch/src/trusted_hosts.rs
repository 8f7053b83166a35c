//! Parses the internal hosts that the operator exempts from the check for public addresses.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use thiserror::Error;
use url::Host;

/// Hosts that are connected to at a fixed address, public or not: `name:port=address`, separated by commas.
///
/// Name and port match exactly, without wildcards. All other rules (scheme, userinfo, TLS, redirects, size, time) apply to
/// trusted hosts as to any other host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedHosts(BTreeMap<(String, u16), IpAddr>);

/// An entry of the trusted hosts is invalid. Entries are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrustedHostsError {
    /// The entry does not have the form `name:port=address`.
    #[error("trusted host {0} is not of the form name:port=address")]
    Form(usize),
    /// The name is not a host name. IP addresses and wildcards are not accepted.
    #[error("the name of trusted host {0} is not a host name")]
    Name(usize),
    /// The port is not in 1 to 65535.
    #[error("the port of trusted host {0} is not 1 to 65535")]
    Port(usize),
    /// The address is not a unicast IP address, or is one that serves credentials (link-local).
    #[error("the address of trusted host {0} is not the IP address of a host")]
    Address(usize),
    /// Name and port repeat those of an earlier entry.
    #[error("trusted host {0} is a duplicate")]
    Duplicate(usize),
}

impl TrustedHosts {
    /// The address of the trusted host with this name (lower case, no trailing dot) and port; `None` if it is not trusted.
    pub(crate) fn address(&self, name: &str, port: u16) -> Option<IpAddr> {
        self.0.get(&(name.to_owned(), port)).copied()
    }
}

impl FromStr for TrustedHosts {
    type Err = TrustedHostsError;

    fn from_str(text: &str) -> Result<Self, TrustedHostsError> {
        let mut hosts = BTreeMap::new();
        let entries = text.split(',').map(str::trim);
        for (index, entry) in entries.enumerate().filter(|_| !text.trim().is_empty()) {
            let number = index + 1;
            let (host, address) = parse(entry, number)?;
            if hosts.insert(host, address).is_some() {
                return Err(TrustedHostsError::Duplicate(number));
            }
        }
        Ok(Self(hosts))
    }
}

fn parse(entry: &str, number: usize) -> Result<((String, u16), IpAddr), TrustedHostsError> {
    let form = || TrustedHostsError::Form(number);
    let (host, address) = entry.split_once('=').ok_or_else(form)?;
    let (name, port) = host.rsplit_once(':').ok_or_else(form)?;
    let port = port.parse().ok().filter(|port| *port != 0);
    let address = address.parse().ok().filter(may_be_trusted);
    Ok((
        (
            plain_name(name).ok_or(TrustedHostsError::Name(number))?,
            port.ok_or(TrustedHostsError::Port(number))?,
        ),
        address.ok_or(TrustedHostsError::Address(number))?,
    ))
}

fn plain_name(text: &str) -> Option<String> {
    match Host::parse(text) {
        Ok(Host::Domain(name)) if is_host_name(&name) => Some(name),
        _ => None,
    }
}

/// Whether the name consists of labels of letters, digits, hyphens and underscores, within the length limits of the DNS
/// [RFC 1035, section 2.3.4].
pub(crate) fn is_host_name(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

/// Rejects link-local addresses, where instance metadata serves the function's credentials (`169.254.169.254`,
/// `fd00:ec2::254`), and unspecified, broadcast and multicast addresses.
fn may_be_trusted(address: &IpAddr) -> bool {
    let credentials = match address {
        IpAddr::V4(address) => address.is_link_local() || address.is_broadcast(),
        IpAddr::V6(address) => {
            address.is_unicast_link_local()
                || address.to_ipv4().is_some_and(|_| !address.is_loopback())
                || *address == Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)
        }
    };
    !credentials && !address.is_unspecified() && !address.is_multicast()
}

#[cfg(test)]
mod tests {
    use super::{TrustedHosts, TrustedHostsError as Error};

    fn parse(text: &str) -> Result<TrustedHosts, Error> {
        text.parse()
    }

    #[test]
    fn empty_text_means_no_trusted_hosts() {
        assert_eq!(parse(""), Ok(TrustedHosts::default()));
        assert_eq!(parse("  "), Ok(TrustedHosts::default()));
    }

    #[test]
    fn names_and_ports_match_exactly() {
        let hosts =
            parse("Fixtures.octavo.test:9443=127.0.0.1, wiki:443=10.0.0.5,six.lan:8443=fd12::1")
                .unwrap();
        assert_eq!(
            hosts.address("fixtures.octavo.test", 9443),
            "127.0.0.1".parse().ok()
        );
        assert_eq!(hosts.address("wiki", 443), "10.0.0.5".parse().ok());
        assert_eq!(hosts.address("six.lan", 8443), "fd12::1".parse().ok());
        for (name, port) in [
            ("fixtures.octavo.test", 443),
            ("a.fixtures.octavo.test", 9443),
            ("octavo.test", 9443),
            ("wiki", 9443),
        ] {
            assert_eq!(hosts.address(name, port), None, "{name}:{port}");
        }
    }

    #[test]
    fn errors_name_the_entry_and_the_fault() {
        for (text, error) in [
            ("wiki", Error::Form(1)),
            ("wiki=10.0.0.1", Error::Form(1)),
            ("wiki:443", Error::Form(1)),
            ("a:1=10.0.0.1,", Error::Form(2)),
            ("*.corp:443=10.0.0.1", Error::Name(1)),
            ("*:443=10.0.0.1", Error::Name(1)),
            (":443=10.0.0.1", Error::Name(1)),
            ("wiki.:443=10.0.0.1", Error::Name(1)),
            ("10.0.0.1:443=10.0.0.1", Error::Name(1)),
            ("0x0a000001:443=10.0.0.1", Error::Name(1)),
            ("[::1]:443=::1", Error::Name(1)),
            ("wiki:0=10.0.0.1", Error::Port(1)),
            ("wiki:65536=10.0.0.1", Error::Port(1)),
            ("wiki:https=10.0.0.1", Error::Port(1)),
            ("wiki:443=host", Error::Address(1)),
            ("wiki:443=", Error::Address(1)),
            ("wiki:443=0.0.0.0", Error::Address(1)),
            ("wiki:443=::", Error::Address(1)),
            ("wiki:443=224.0.0.1", Error::Address(1)),
            ("wiki:443=ff02::1", Error::Address(1)),
            ("wiki:443=255.255.255.255", Error::Address(1)),
            ("wiki:443=169.254.169.254", Error::Address(1)),
            ("wiki:443=::ffff:169.254.169.254", Error::Address(1)),
            ("wiki:443=fe80::1", Error::Address(1)),
            ("wiki:443=fd00:ec2::254", Error::Address(1)),
            ("a:1=10.0.0.1,A:1=10.0.0.2", Error::Duplicate(2)),
        ] {
            assert_eq!(parse(text), Err(error), "{text}");
        }
        assert!(parse("wiki:443=::1").is_ok());
    }
}
