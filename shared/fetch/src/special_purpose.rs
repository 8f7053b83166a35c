//! Table of the IANA special-purpose address blocks, none of which contains a public server.
//!
//! Sources: every row of the IANA IPv4 and IPv6 Special-Purpose Address Registries (both last updated 2025-10-09), plus
//! multicast (RFC 5771, RFC 4291), site-local (RFC 3879) and IPv4-compatible (RFC 4291) addresses. Rows that IANA marks as
//! globally reachable are included: they are relays, anycast services and translators, which never serve documents, and
//! the target behind a translator cannot be checked.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A CIDR block: all addresses whose first `prefix` bits equal those of `network`.
#[derive(Debug)]
pub(crate) struct Block<Address> {
    pub(crate) network: Address,
    pub(crate) prefix: u32,
    pub(crate) name: &'static str,
}

const fn v4(network: [u8; 4], prefix: u32, name: &'static str) -> Block<Ipv4Addr> {
    let [a, b, c, d] = network;
    Block {
        network: Ipv4Addr::new(a, b, c, d),
        prefix,
        name,
    }
}

const fn v6(network: [u16; 8], prefix: u32, name: &'static str) -> Block<Ipv6Addr> {
    let [a, b, c, d, e, f, g, h] = network;
    Block {
        network: Ipv6Addr::new(a, b, c, d, e, f, g, h),
        prefix,
        name,
    }
}

pub(crate) const IPV4: &[Block<Ipv4Addr>] = &[
    v4([0, 0, 0, 0], 8, "This network"),
    v4([0, 0, 0, 0], 32, "This host on this network"),
    v4([10, 0, 0, 0], 8, "Private-Use 10"),
    v4([100, 64, 0, 0], 10, "Shared Address Space"),
    v4([127, 0, 0, 0], 8, "Loopback"),
    v4([169, 254, 0, 0], 16, "Link Local"),
    v4([172, 16, 0, 0], 12, "Private-Use 172.16"),
    v4([192, 0, 0, 0], 24, "IETF Protocol Assignments"),
    v4([192, 0, 0, 0], 29, "IPv4 Service Continuity Prefix"),
    v4([192, 0, 0, 8], 32, "IPv4 dummy address"),
    v4([192, 0, 0, 9], 32, "Port Control Protocol Anycast"),
    v4([192, 0, 0, 10], 32, "TURN Anycast"),
    v4([192, 0, 0, 170], 32, "NAT64/DNS64 Discovery 170"),
    v4([192, 0, 0, 171], 32, "NAT64/DNS64 Discovery 171"),
    v4([192, 0, 2, 0], 24, "Documentation (TEST-NET-1)"),
    v4([192, 31, 196, 0], 24, "AS112-v4"),
    v4([192, 52, 193, 0], 24, "AMT"),
    v4([192, 88, 99, 0], 24, "Deprecated (6to4 Relay Anycast)"),
    v4([192, 88, 99, 2], 32, "6a44-relay anycast address"),
    v4([192, 168, 0, 0], 16, "Private-Use 192.168"),
    v4([192, 175, 48, 0], 24, "Direct Delegation AS112 Service"),
    v4([198, 18, 0, 0], 15, "Benchmarking"),
    v4([198, 51, 100, 0], 24, "Documentation (TEST-NET-2)"),
    v4([203, 0, 113, 0], 24, "Documentation (TEST-NET-3)"),
    v4([224, 0, 0, 0], 4, "Multicast"),
    v4([240, 0, 0, 0], 4, "Reserved"),
    v4([255, 255, 255, 255], 32, "Limited Broadcast"),
];

pub(crate) const IPV6: &[Block<Ipv6Addr>] = &[
    v6([0, 0, 0, 0, 0, 0, 0, 0], 96, "IPv4-compatible Address"),
    v6([0, 0, 0, 0, 0, 0, 0, 0], 128, "Unspecified Address"),
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, "Loopback Address"),
    v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, "IPv4-mapped Address"),
    v6(
        [0x64, 0xff9b, 0, 0, 0, 0, 0, 0],
        96,
        "IPv4-IPv6 Translation",
    ),
    v6(
        [0x64, 0xff9b, 1, 0, 0, 0, 0, 0],
        48,
        "IPv4-IPv6 Translation, local use",
    ),
    v6(
        [0x100, 0, 0, 0, 0, 0, 0, 0],
        64,
        "Discard-Only Address Block",
    ),
    v6([0x100, 0, 0, 1, 0, 0, 0, 0], 64, "Dummy IPv6 Prefix"),
    v6(
        [0x2001, 0, 0, 0, 0, 0, 0, 0],
        23,
        "IETF Protocol Assignments",
    ),
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, "TEREDO"),
    v6(
        [0x2001, 1, 0, 0, 0, 0, 0, 1],
        128,
        "Port Control Protocol Anycast",
    ),
    v6([0x2001, 1, 0, 0, 0, 0, 0, 2], 128, "TURN Anycast"),
    v6([0x2001, 1, 0, 0, 0, 0, 0, 3], 128, "DNS-SD SRP Anycast"),
    v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, "Benchmarking"),
    v6([0x2001, 3, 0, 0, 0, 0, 0, 0], 32, "AMT"),
    v6([0x2001, 4, 0x112, 0, 0, 0, 0, 0], 48, "AS112-v6"),
    v6(
        [0x2001, 0x10, 0, 0, 0, 0, 0, 0],
        28,
        "Deprecated (previously ORCHID)",
    ),
    v6([0x2001, 0x20, 0, 0, 0, 0, 0, 0], 28, "ORCHIDv2"),
    v6(
        [0x2001, 0x30, 0, 0, 0, 0, 0, 0],
        28,
        "Drone Remote ID Protocol Entity Tags",
    ),
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "Documentation"),
    v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "6to4"),
    v6(
        [0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0],
        48,
        "Direct Delegation AS112 Service",
    ),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "Documentation 3fff"),
    v6(
        [0x5f00, 0, 0, 0, 0, 0, 0, 0],
        16,
        "Segment Routing (SRv6) SIDs",
    ),
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "Unique-Local"),
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, "Link-Local Unicast"),
    v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, "Site-Local Unicast"),
    v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, "Multicast"),
];
