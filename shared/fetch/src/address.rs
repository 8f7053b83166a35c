//! Which IP addresses are public, so that a request to them cannot reach internal systems (SSRF).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::special_purpose::{Block, IPV4, IPV6};

/// Whether `address` is globally routable unicast and not a transition or translation address.
///
/// IPv6 addresses are public only inside 2000::/3, the block from which IANA allocates. Embedded IPv4 addresses therefore
/// need no decoding: IPv4-mapped, IPv4-compatible and NAT64 addresses are outside that block, 6to4 and Teredo are rows of
/// the table, and ISATAP is detected by its interface identifier. All of them are blocked, regardless of the embedded
/// IPv4 address.
pub(crate) fn is_public(address: IpAddr) -> bool {
    non_public_block(address).is_none()
}

/// The name of the most specific non-public block that contains `address`; `None` if the address is public.
fn non_public_block(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_ipv4(address),
        IpAddr::V6(address) => special_ipv6(address)
            .or_else(|| (!is_global_unicast(address)).then_some("outside 2000::/3"))
            .or_else(|| is_isatap(address).then_some("ISATAP")),
    }
}

fn special_ipv4(address: Ipv4Addr) -> Option<&'static str> {
    let bits = u32::from(address);
    let holds = |block: &&Block<Ipv4Addr>| {
        let shift = u32::BITS - block.prefix;
        bits >> shift == u32::from(block.network) >> shift
    };
    name_of_smallest(IPV4.iter().filter(holds))
}

fn special_ipv6(address: Ipv6Addr) -> Option<&'static str> {
    let bits = u128::from(address);
    let holds = |block: &&Block<Ipv6Addr>| {
        let shift = u128::BITS - block.prefix;
        bits >> shift == u128::from(block.network) >> shift
    };
    name_of_smallest(IPV6.iter().filter(holds))
}

fn name_of_smallest<Address: 'static>(
    blocks: impl Iterator<Item = &'static Block<Address>>,
) -> Option<&'static str> {
    blocks
        .max_by_key(|block| block.prefix)
        .map(|block| block.name)
}

fn is_global_unicast(address: Ipv6Addr) -> bool {
    u128::from(address) >> 125 == 0b001
}

/// ISATAP interface identifiers are 0000:5efe or 0200:5efe and an IPv4 address [RFC 5214, section 6.1].
fn is_isatap(address: Ipv6Addr) -> bool {
    let [_, _, _, _, fifth, sixth, _, _] = address.segments();
    fifth & !0x0200 == 0 && sixth == 0x5efe
}

#[cfg(test)]
mod tests;
