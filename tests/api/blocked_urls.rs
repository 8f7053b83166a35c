//! Webhook and hook URLs that are rejected without resolving their hosts: `(URL, status, code)`.

use tests::stack::stack;
use tests::trusted_host::TrustedHost;

pub(crate) fn all() -> Vec<(String, u16, &'static str)> {
    let (name, port) = (&stack().trusted_host.name, TrustedHost::port());
    let own = stack().base_url.replace("http://", "https://");
    let invalid = [
        String::new(),
        "nonsense".to_owned(),
        format!("//{name}:{port}/a"),
        format!("http://{name}:{port}/a"),
        "ftp://example.com/a".to_owned(),
        "file:///etc/passwd".to_owned(),
        "data:text/plain,a".to_owned(),
        "https://".to_owned(),
        format!("https://example.com/{}", "a".repeat(2_048)),
        "https://example.com/a\r\nx-forged: 1".to_owned(),
        // Malformed URLs that parsers repair differently.
        format!("https:{name}:{port}/a"),
        format!("https:/{name}:{port}/a"),
        format!("https:///{name}:{port}/a"),
        format!("https:\\\\{name}:{port}\\a"),
        format!("https://{name}:{port}\\@127.0.0.1/a"),
        format!("https://{name}:{port}/a b"),
        format!(" https://{name}:{port}/a"),
        format!("https://{name}:{port}/a "),
    ];
    let blocked = [
        format!("https://@{name}:{port}/a"),
        format!("https://:@{name}:{port}/a"),
        format!("https://user@{name}:{port}/a"),
        format!("https://user:word@{name}:{port}/a"),
        format!("https://{name}/a"),
        format!("https://{name}:9442/a"),
        format!("https://sub.{name}:{port}/a"),
        "https://localhost/a".to_owned(),
        "https://localhost./a".to_owned(),
        "https://intranet/a".to_owned(),
        "https://db.internal/a".to_owned(),
        "https://printer.local/a".to_owned(),
        "https://127.0.0.1/a".to_owned(),
        "https://127.1/a".to_owned(),
        "https://0x7f000001/a".to_owned(),
        "https://0177.0.0.1/a".to_owned(),
        "https://2130706433/a".to_owned(),
        "https://0.0.0.0/a".to_owned(),
        "https://10.0.0.1/a".to_owned(),
        "https://172.16.0.1/a".to_owned(),
        "https://192.168.1.1/a".to_owned(),
        "https://100.64.0.1/a".to_owned(),
        "https://169.254.169.254/latest/meta-data/".to_owned(),
        "https://224.0.0.1/a".to_owned(),
        "https://[::1]/a".to_owned(),
        "https://[::ffff:127.0.0.1]/a".to_owned(),
        "https://[64:ff9b::7f00:1]/a".to_owned(),
        "https://[fd00:ec2::254]/a".to_owned(),
        "https://[fe80::1]/a".to_owned(),
        "https://example.com:22/a".to_owned(),
        format!("{own}/health"),
    ];
    let invalid = invalid.map(|url| (url, 400, "invalid_url"));
    let blocked = blocked.map(|url| (url, 422, "url_blocked"));
    invalid.into_iter().chain(blocked).collect()
}
