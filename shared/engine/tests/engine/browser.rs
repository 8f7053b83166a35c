//! HTML and Markdown printed by a real browser without network access.

use std::net::{TcpListener, UdpSocket};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::format::Format;
use domain::job::JobErrorCode;

use crate::{harness, poppler};

fn print(document: &str, format: Format) -> harness::Converted {
    let result = harness::run_bytes(
        document.as_bytes(),
        format,
        &[harness::convert(Format::Pdf)],
    );
    result.unwrap_or_else(|error| panic!("{error:?}"))
}

fn text(result: &harness::Converted) -> String {
    poppler::words(result.path()).join(" ")
}

#[test]
fn html_is_printed_on_a4_with_colors_and_scripts() {
    let result = print(
        "<!doctype html><title>T</title><style>body{background:#ff0000;margin:0}</style><h1>Grüße &amp; 漢字</h1>
         <p id=p></p><script>p.textContent = 'by ' + 'script'; setTimeout(() => p.append(' later'), 20)</script>
         <div style='break-before:page'>second page</div>",
        Format::Html,
    );
    let text = text(&result);
    for words in ["Grüße &", "漢字", "by script", "second page"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert_eq!(result.artifact.pages, 2);
    assert_eq!(result.warnings(), [""; 0]);
    assert!(
        result.artifact.engine.starts_with("chromium 1"),
        "{}",
        result.artifact.engine
    );
    let page = poppler::picture(result.path(), 1, 72);
    assert!(
        page.width().abs_diff(612) <= 1 && page.height().abs_diff(792) <= 1,
        "{:?}",
        page.dimensions()
    );
    let reds = page.pixels().filter(|pixel| pixel.0 == [255, 0, 0]).count();
    assert!(reds > 10_000, "the background is printed: {reds}");
}

#[test]
fn deferred_content_is_awaited() {
    let utf_16 = |text: &str| -> Vec<u8> {
        let text = format!("\u{feff}{text}");
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let later = "setTimeout(() => document.body.append(' later'), 25)";
    for document in [
        format!("<p>x<script>{later}</script>").into_bytes(),
        utf_16(&format!("<p>x<script>{later}</script>")),
        format!("<p>x<img src=none onerror=\"{later}\">").into_bytes(),
        format!("<body onload=\"{later}\">x").into_bytes(),
        format!("<p>x<iframe srcdoc=\"<script>parent.{later}</script>\"></iframe>").into_bytes(),
        b"<p style='height: 9000px'>x</p><iframe loading=lazy srcdoc='later'></iframe>".to_vec(),
        b"<p>x<iframe srcdoc='<p style=height:9000px>x</p><iframe loading=lazy srcdoc=later></iframe>' height=9200></iframe>".to_vec(),
    ] {
        let result = harness::run_bytes(&document, Format::Html, &[harness::convert(Format::Pdf)]);
        let text = text(&result.unwrap());
        let document = String::from_utf8_lossy(&document);
        assert!(text.contains("later"), "{document}: {text}");
    }
}

#[test]
fn embedded_fonts_and_images_are_used() {
    let font = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf";
    let font = STANDARD.encode(std::fs::read(font).unwrap());
    let drawing = "%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='200'%3E%3Crect width='200' height='200' fill='red'/%3E%3C/svg%3E";
    let result = print(
        &format!(
            "<style>@font-face {{ font-family: own; src: url(data:font/ttf;base64,{font}) }}
             p {{ font-family: own, serif }} div {{ width: 200px; height: 200px; background: url(\"data:image/svg+xml,{drawing}\") }}
             </style><p>lettered</p><div></div><img src=\"data:image/svg+xml,{drawing}\" loading=lazy>"
        ),
        Format::Html,
    );
    let fonts = poppler::fonts(result.path());
    assert!(fonts.contains("DejaVuSansMono-Bold"), "{fonts}");
    let page = poppler::picture(result.path(), 1, 72);
    let reds = page.pixels().filter(|pixel| pixel.0 == [255, 0, 0]).count();
    // Two squares of 150 pt.
    assert!(reds > 40_000, "{reds}");
}

#[test]
fn lazily_laid_out_text_uses_its_web_font() {
    let font = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf";
    let font = STANDARD.encode(std::fs::read(font).unwrap());
    let later = "<div style='content-visibility: auto; font-family: own, serif'>lettered</div>";
    for part in [
        later.to_owned(),
        format!("<section><template ShadowRootMode=open>{later}</template></section>"),
        format!("<section><template shadowrootmode=closed>{later}</template></section>"),
    ] {
        let result = print(
            &format!(
                "<style>@font-face {{ font-family: own; src: url(data:font/ttf;base64,{font}) }} p {{ height: 9000px }}
                 </style><p>x</p>{part}"
            ),
            Format::Html,
        );
        assert!(text(&result).contains("lettered"), "{part}");
        let fonts = poppler::fonts(result.path());
        assert!(fonts.contains("DejaVuSansMono-Bold"), "{part}: {fonts}");
    }
}

#[test]
fn output_is_deterministic() {
    let print = || print("<h1>Same</h1><p>again", Format::Html).bytes();
    assert_eq!(print(), print());
}

#[test]
fn markdown_is_rendered_with_tables_and_without_scripts() {
    let result = print(
        "# Title\n\n| left | right |\n|---|---|\n| one | two |\n\n- [ ] open\n\nTerm <b>bold</b>\n\n\
         <p id=p>quiet</p><script>p.textContent = 'loud'</script><img src=x onerror=\"p.textContent='loud'\">",
        Format::Markdown,
    );
    let text = text(&result);
    for words in [
        "Title",
        "left right",
        "one two",
        "open",
        "Term bold",
        "quiet",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!text.contains("loud"), "{text}");
    assert_eq!(result.artifact.pages, 1);
    assert_eq!(result.warnings(), ["external_link_blocked"]);
}

#[test]
fn declared_encodings_are_used() {
    let latin = b"<meta charset=iso-8859-1><p>caf\xe9 \xa3";
    let utf_16: Vec<u8> = "\u{feff}<p>Zürich"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, format, words) in [
        (latin.as_slice(), Format::Html, "café £"),
        (utf_16.as_slice(), Format::Html, "Zürich"),
        (b"\xef\xbb\xbf<p>\xc3\xbcber", Format::Html, "über"),
        (
            "# Straße\n\nMit Größe und Äpfeln".as_bytes(),
            Format::Markdown,
            "Straße Mit Größe",
        ),
    ] {
        let result = harness::run_bytes(bytes, format, &[harness::convert(Format::Pdf)]).unwrap();
        assert!(
            text(&result).contains(words),
            "{words} in {}",
            text(&result)
        );
    }
}

#[test]
fn external_resources_are_blocked_with_a_warning() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port();
    let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let url = format!("127.0.0.1:{port}");
    for (document, format) in [
        (
            format!(
                "<p>besides</p><iframe src='file:///etc/passwd'></iframe><img src='http://{url}/'>
                 <object data='file:///etc/passwd'></object><link rel=stylesheet href='http://{url}/x.css'>
                 <script>fetch('file:///etc/passwd').then(r => r.text()).then(t => document.body.append(t));
                   new WebSocket('ws://{url}/'); open('http://{url}/'); navigator.sendBeacon('http://{url}/', 'x');
                   const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{url}'}}]}});
                   peer.createDataChannel('x'); peer.createOffer().then(o => peer.setLocalDescription(o));
                   alert('wait'); location = 'http://{url}/';
                 </script>"
            ),
            Format::Html,
        ),
        (
            format!("besides ![](http://{url}/a.png) <iframe src='file:///etc/passwd'></iframe>\n\n<meta http-equiv=refresh content='0;url=http://{url}/'>"),
            Format::Markdown,
        ),
    ] {
        let result = print(&document, format);
        let text = text(&result);
        assert!(text.contains("besides"), "{text}");
        assert!(!text.contains("root:"), "{text}");
        assert_eq!(result.warnings(), ["external_link_blocked"]);
        assert!(tcp.accept().is_err(), "a connection was made");
        assert!(udp.recv(&mut [0; 64]).is_err(), "a datagram was sent");
    }
}

#[test]
fn unprintable_documents_fail_with_their_codes() {
    for (document, format, code) in [
        ("", Format::Html, JobErrorCode::InputEmpty),
        ("%PDF-1.4\n", Format::Html, JobErrorCode::ContentMismatch),
        (
            "{\\rtf1 x}",
            Format::Markdown,
            JobErrorCode::ContentMismatch,
        ),
    ] {
        assert_eq!(
            harness::rejection_code(document.as_bytes(), format),
            Some(code),
            "{document}"
        );
    }
    let large = format!("<p>{}", "x".repeat(33 << 20));
    assert_eq!(
        harness::rejection_code(large.as_bytes(), Format::Html),
        Some(JobErrorCode::InputTooLarge)
    );
    let pages = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(pages.path(), "<p style='break-after:page'>x</p>".repeat(30)).unwrap();
    let rejected = harness::rejection_code_within(pages.path(), Format::Html, 20);
    assert_eq!(rejected, Some(JobErrorCode::TooManyPages));
}

#[test]
fn hostile_scripts_are_stopped_by_the_limits() {
    let started = Instant::now();
    let cases = vec![
        ("for (;;);", &[JobErrorCode::EngineTimeout][..]),
        (
            "const kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1));",
            &[JobErrorCode::EngineOutOfMemory, JobErrorCode::EngineCrashed],
        ),
    ];
    harness::each(cases, |(script, codes)| {
        let document = format!("<p>x</p><script>{script}</script>");
        let code = harness::rejection_code(document.as_bytes(), Format::Html).unwrap();
        assert!(codes.contains(&code), "{script}: {code:?}");
    });
    assert!(
        started.elapsed() < Duration::from_secs(100),
        "{:?}",
        started.elapsed()
    );
    // The next document is printed normally.
    assert_eq!(text(&print("<p>well", Format::Html)), "well");
}
