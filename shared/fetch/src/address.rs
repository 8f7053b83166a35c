//! Which addresses are public: a server that anybody on the internet could reach as well.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::special_purpose::{Block, IPV4, IPV6};

/// Whether `address` is globally routable and stands for itself alone.
///
/// IPv6 counts only inside 2000::/3, the one block that IANA hands out. So no form that carries an IPv4 address needs
/// to be taken apart: mapped, compatible and NAT64 addresses lie outside of it, 6to4 and Teredo are rows of the
/// table, and ISATAP is told by its interface identifier. All of them are refused whatever they carry.
pub(crate) fn is_public(address: IpAddr) -> bool {
    not_public(address).is_none()
}

/// Why `address` is not public: the name of its block; `None` if it is.
fn not_public(address: IpAddr) -> Option<&'static str> {
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
