//! Ports that no web server uses and that another protocol might mistake a request at.

/// Ports from 1024 on that browsers refuse [Fetch Standard, "bad port"].
const BAD: &[u16] = &[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
    6679, 6697, 10080,
];

/// Whether a server may be asked at `port`: the two default ports, or any from 1024 on that browsers allow. All other
/// bad ports of the Fetch Standard are below 1024, where nothing but system services listens.
pub(crate) fn is_allowed(port: u16) -> bool {
    matches!(port, 80 | 443) || (port >= 1024 && !BAD.contains(&port))
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn each_port_is_judged() {
        let refused = [
            1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
            6668, 6669, 6679, 6697, 10080,
        ];
        for port in 0..=u16::MAX {
            let expected = port == 80 || port == 443 || (port > 1023 && !refused.contains(&port));
            assert_eq!(is_allowed(port), expected, "{port}");
        }
    }
}
