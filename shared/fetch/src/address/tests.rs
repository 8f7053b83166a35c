//! Boundaries of every row of the registries: first and last address, and their neighbors.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{is_public, non_public_block};
use crate::special_purpose::{IPV4, IPV6};

/// The rows as the registries print them, copied independently of the table under test.
const REGISTERED_IPV4: &str = "
0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29
192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24
192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
255.255.255.255/32";
const REGISTERED_IPV6: &str = "
::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128
2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10";
/// Rows from other registries: multicast, IPv4-compatible, site-local.
const OTHER_IPV4: &str = "224.0.0.0/4";
const OTHER_IPV6: &str = "::/96 fec0::/10 ff00::/8";

/// Parses a row to a range of numbers, without the arithmetic under test.
fn range(row: &str) -> (u128, u128) {
    let (network, prefix) = row.split_once('/').unwrap();
    let (first, width) = match network.parse().unwrap() {
        IpAddr::V4(address) => (u128::from(u32::from(address)), 32),
        IpAddr::V6(address) => (u128::from(address), 128),
    };
    let size = 2_u128.checked_pow(width - prefix.parse::<u32>().unwrap());
    (first, first + (size.unwrap() - 1))
}

fn rows(texts: &[&str]) -> Vec<(u128, u128)> {
    texts
        .iter()
        .flat_map(|text| text.split_whitespace())
        .map(range)
        .collect()
}

/// Checks the first and last address of every row and their neighbors; returns the number of addresses checked.
fn check_boundaries(
    ranges: &[(u128, u128)],
    last: u128,
    public_elsewhere: impl Fn(u128) -> bool,
    address: impl Fn(u128) -> IpAddr,
) -> usize {
    let mut checked = BTreeSet::new();
    for (low, high) in ranges {
        let before = low.checked_sub(1);
        let after = (*high < last).then(|| high + 1);
        for number in [before, Some(*low), Some(*high), after]
            .into_iter()
            .flatten()
        {
            let special = ranges.iter().any(|(a, b)| (*a..=*b).contains(&number));
            let expected = !special && public_elsewhere(number);
            assert_eq!(
                is_public(address(number)),
                expected,
                "{}: {:?}",
                address(number),
                non_public_block(address(number))
            );
            checked.insert(number);
        }
    }
    checked.len()
}

#[test]
fn boundaries_of_ipv4() {
    let ranges = rows(&[REGISTERED_IPV4, OTHER_IPV4]);
    let address = |number| IpAddr::V4(Ipv4Addr::from(u32::try_from(number).unwrap()));
    let checked = check_boundaries(&ranges, u128::from(u32::MAX), |_| true, address);
    assert!(checked > 70, "{checked}");
}

#[test]
fn boundaries_of_ipv6() {
    let ranges = rows(&[REGISTERED_IPV6, OTHER_IPV6]);
    let (low, high) = range("2000::/3");
    let address = |number| IpAddr::V6(Ipv6Addr::from(number));
    let checked = check_boundaries(
        &ranges,
        u128::MAX,
        |number| (low..=high).contains(&number),
        address,
    );
    assert!(checked > 70, "{checked}");
}

#[test]
fn global_unicast_is_2000_to_3fff_and_nothing_else() {
    for (text, public) in [
        ("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
        ("2000::", true),
        ("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("4000::", false),
        ("8000::1", false),
        ("c000::1", false),
        ("e000::1", false),
    ] {
        assert_eq!(is_public(text.parse().unwrap()), public, "{text}");
    }
}

#[test]
fn the_table_has_every_row_of_the_registries_and_no_other() {
    let mut table: Vec<_> = IPV4
        .iter()
        .map(|block| range(&format!("{}/{}", block.network, block.prefix)))
        .collect();
    let mut registered = rows(&[REGISTERED_IPV4, OTHER_IPV4]);
    table.sort_unstable();
    registered.sort_unstable();
    assert_eq!(table, registered);

    let mut table: Vec<_> = IPV6
        .iter()
        .map(|block| range(&format!("{}/{}", block.network, block.prefix)))
        .collect();
    let mut registered = rows(&[REGISTERED_IPV6, OTHER_IPV6]);
    table.sort_unstable();
    registered.sort_unstable();
    assert_eq!(table, registered);
}

#[test]
fn the_smallest_block_that_contains_an_address_is_reported() {
    for (text, name) in [
        ("169.254.169.254", "Link Local"),
        ("169.254.170.2", "Link Local"),
        ("fd00:ec2::254", "Unique-Local"),
        ("100.100.100.200", "Shared Address Space"),
        ("192.0.0.8", "IPv4 dummy address"),
        ("255.255.255.255", "Limited Broadcast"),
        ("239.255.255.250", "Multicast"),
        ("::ffff:8.8.8.8", "IPv4-mapped Address"),
        ("::ffff:127.0.0.1", "IPv4-mapped Address"),
        ("::127.0.0.1", "IPv4-compatible Address"),
        ("64:ff9b::169.254.169.254", "IPv4-IPv6 Translation"),
        ("64:ff9b:1::a00:1", "IPv4-IPv6 Translation, local use"),
        ("2002:7f00:1::", "6to4"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "TEREDO"),
        ("2a00:1450::5efe:7f00:1", "ISATAP"),
        ("2a00:1450::200:5efe:a9fe:a9fe", "ISATAP"),
        ("::ffff:0:127.0.0.1", "outside 2000::/3"),
    ] {
        assert_eq!(
            non_public_block(text.parse().unwrap()),
            Some(name),
            "{text}"
        );
    }
}

#[test]
fn public_servers_are_public() {
    for text in [
        "1.1.1.1",
        "93.184.216.34",
        "52.94.236.248",
        "2606:4700:4700::1111",
        "2a00:1450:4001:831::200e",
        "2001:4860:4860::8888",
        "2a00:1450::400:5efe:7f00:1",
    ] {
        assert!(is_public(text.parse().unwrap()), "{text}");
    }
}
