//! Whatever HTML or Markdown asks for: no file's content is in a result, and nothing goes out.

use std::net::{TcpListener, UdpSocket};
use std::path::Path;

use domain::format::Format;
use tempfile::TempDir;

use crate::{poppler, rig};

/// What the files say that nobody may read, and the colour that they show.
const MARKER: &str = "sesame4711";
const COLOUR: [u8; 3] = [255, 0, 255];

/// Files that each kind of reference would show if it reached them.
fn markers() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        std::fs::write(directory.path().join(name), text).unwrap();
    };
    let paint = "background: #ff00ff !important";
    write("m.txt", MARKER.to_owned());
    write("m.html", format!("<body style='{paint}'>{MARKER}"));
    write(
        "m.css",
        format!("body {{ {paint} }} body::after {{ content: '{MARKER}' }}"),
    );
    write(
        "m.js",
        format!("document.body.append('{MARKER}'); document.body.style.background = '#ff00ff'"),
    );
    write(
        "m.mjs",
        format!("document.body.append('{MARKER}'); export default 1"),
    );
    write(
        "m.svg",
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' id='m' width='200' height='200'>\
             <rect id='r' width='200' height='200' fill='#ff00ff'/><text y='20'>{MARKER}</text></svg>"
        ),
    );
    write(
        "m.vtt",
        format!("WEBVTT\n\n00:00.000 --> 00:09.000\n{MARKER}\n"),
    );
    directory
}

/// Everything by which a document can ask for something at `base`.
pub(crate) fn references(base: &str) -> Vec<String> {
    let elements = [
        "<img src='{}/m.svg'>",
        "<img srcset='{}/m.svg 1x, {}/m.svg 2x' loading=lazy>",
        "<picture><source srcset='{}/m.svg'><img></picture>",
        "<input type=image src='{}/m.svg'>",
        "<iframe src='{}/m.html'></iframe><iframe src='{}/m.txt' loading=lazy></iframe>",
        "<iframe srcdoc=\"<base href='{}/'><img src=m.svg><iframe src=m.html></iframe>\"></iframe>",
        "<iframe src='view-source:{}/m.txt'></iframe>",
        "<frameset><frame src='{}/m.html'></frameset>",
        "<object data='{}/m.svg'></object><embed src='{}/m.html'>",
        "<link rel=stylesheet href='{}/m.css'><link rel=preload as=fetch href='{}/m.txt'>",
        "<link rel=import href='{}/m.html'><link rel=prefetch href='{}/m.html'><link rel=dns-prefetch href='{}'>",
        "<style>@import '{}/m.css'; body { background: url('{}/m.svg') }</style>",
        "<style>@font-face { font-family: m; src: url('{}/m.svg') } p { font-family: m }</style>",
        "<style>p::before { content: url('{}/m.svg') } li { list-style-image: url('{}/m.svg') }</style><ul><li>x</ul>",
        "<style>@page { @top-center { content: url('{}/m.svg') } }</style>",
        "<script src='{}/m.js'></script><script type=module src='{}/m.mjs'></script>",
        "<svg width=200 height=200><image href='{}/m.svg' width=200 height=200 /><use href='{}/m.svg#m' /></svg>",
        "<svg width=200 height=200><rect width=200 height=200 fill=\"url('{}/m.svg#r')\" /></svg>",
        "<svg><foreignObject width=200 height=200><iframe src='{}/m.html'></iframe></foreignObject></svg>",
        "<video poster='{}/m.svg' controls><track default src='{}/m.vtt'></video><audio src='{}/m.txt'></audio>",
        "<base href='{}/'><img src=m.svg><link rel=stylesheet href=m.css>",
        "<meta http-equiv=refresh content='0;url={}/m.html'>",
        "<a href='{}/m.html' ping='{}/ping' id=a>x</a><script>a.click()</script>",
        "<form action='{}/m.html' id=f></form><script>f.submit()</script>",
    ];
    let scripts = [
        "fetch('{}/m.txt').then(r => r.text()).then(t => document.body.append(t))",
        "fetch('{}/m.txt', {mode: 'no-cors'}).then(r => r.text()).then(t => document.body.append(t))",
        "const x = new XMLHttpRequest(); x.open('GET', '{}/m.txt', false); x.send(); document.body.append(x.responseText)",
        "import('{}/m.mjs').then(m => document.body.append(m.default))",
        "new Worker('{}/m.js'); new SharedWorker('{}/m.js')",
        "new Worker(URL.createObjectURL(new Blob([\"importScripts('{}/m.js')\"])))",
        "const i = document.createElement('iframe'); i.src = '{}/m.html'; document.body.append(i)",
        "const w = window.open('{}/m.html'); document.body.append(w ? w.document.body.innerText : '')",
        "location = '{}/m.html'",
        "location.replace('view-source:{}/m.txt')",
        "history.pushState({}, '', '{}/m.html'); location.reload()",
        "new FontFace('m', \"url('{}/m.svg')\").load()",
        "new EventSource('{}/m.txt'); navigator.sendBeacon('{}/m.txt', 'x')",
        "navigator.serviceWorker.register('{}/m.js')",
        "document.body.innerHTML += \"<img src='{}/m.svg'>\"",
        "const i = new Image(); i.crossOrigin = ''; i.onload = () => document.body.append(i); i.src = '{}/m.svg'",
        "showOpenFilePicker().then(([f]) => f.getFile()).then(f => f.text()).then(t => document.body.append(t))",
        "webkitRequestFileSystem(0, 9, fs => fs.root.getFile('{}/m.txt', {}, e => document.body.append(e.name)))",
    ];
    let scripts = scripts.iter().map(|script| {
        format!("<script>try {{ {script} }} catch (e) {{ console.log(e) }}</script>")
    });
    let all = elements.iter().map(ToString::to_string).chain(scripts);
    all.map(|text| {
        text.replace("{}/", &format!("{base}/"))
            .replace("'{}'", &format!("'{base}'"))
    })
    .collect()
}

/// Neither text nor colour of a marker is in a print or a picture.
fn assert_unseen(document: &str, format: Format) {
    for to in [Format::Pdf, Format::Png] {
        let made = rig::run_bytes(document.as_bytes(), format, &[rig::convert(to)]);
        let made = made.unwrap_or_else(|error| panic!("{document} to {to}: {error:?}"));
        let picture = match to {
            Format::Pdf => printed(document, made.path()),
            _ => image::load_from_memory(&made.bytes()).unwrap().to_rgb8(),
        };
        let seen = picture.pixels().filter(|pixel| pixel.0 == COLOUR).count();
        assert_eq!(seen, 0, "{document} to {to}");
        let bytes = made.bytes();
        let marker = MARKER.as_bytes();
        assert!(
            !bytes.windows(marker.len()).any(|part| part == marker),
            "{document} to {to}"
        );
    }
}

fn printed(document: &str, pdf: &Path) -> image::RgbImage {
    let text = poppler::texts(pdf).join(" ");
    assert!(
        !text.contains(MARKER) && !text.contains("root:"),
        "{document}: {text}"
    );
    poppler::picture(pdf, 1, 40)
}

#[test]
fn the_markers_would_be_seen() {
    // Else the tests below would pass whatever happens.
    let svg = std::fs::read_to_string(markers().path().join("m.svg")).unwrap();
    let made = rig::run_bytes(svg.as_bytes(), Format::Html, &[rig::convert(Format::Pdf)]).unwrap();
    assert!(poppler::texts(made.path())[0].contains(MARKER));
    let page = poppler::picture(made.path(), 1, 40);
    assert!(page.pixels().any(|pixel| pixel.0 == COLOUR));
}

#[test]
fn no_file_is_ever_in_a_result() {
    let markers = markers();
    let places = [
        format!("file://{}", markers.path().display()),
        format!("file://localhost{}", markers.path().display()),
        format!("filesystem:file://{}", markers.path().display()),
    ];
    let mut documents: Vec<String> = references(&places[0]);
    for place in &places[1..] {
        // All that stay on the page at once.
        let all = references(place);
        let stay = all
            .iter()
            .filter(|text| !text.contains("location") && !text.contains("frameset"));
        documents.push(stay.cloned().collect());
    }
    // A few at a time: each costs two browsers.
    let together = documents
        .chunks(6)
        .map(|some| format!("<p>here</p>{}", some.concat()));
    let alone = documents.iter().filter(|text| {
        ["location", "refresh", "frameset", ".click()", ".submit()"]
            .iter()
            .any(|leaves| text.contains(leaves))
    });
    let alone = alone.map(|text| format!("<p>here</p>{text}"));
    let cases: Vec<String> = together.chain(alone).collect();
    rig::each(cases, |document| assert_unseen(&document, Format::Html));
}

#[test]
fn markdown_reaches_no_file_either() {
    let markers = markers();
    let base = format!("file://{}", markers.path().display());
    let own =
        format!("here ![]({base}/m.svg) [link]({base}/m.html)\n\n![a][b]\n\n[b]: {base}/m.svg\n\n");
    let html = references(&base);
    let html = html.iter().filter(|text| !text.contains("frameset"));
    let document = own + &html.cloned().collect::<Vec<_>>().join("\n\n");
    assert_unseen(&document, Format::Markdown);
}

#[test]
fn nothing_goes_out_whatever_is_made_of_a_document() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port();
    let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let all = references(&format!("http://127.0.0.1:{port}"));
    for some in all.chunks(8) {
        let document = format!("<p>here</p>{}", some.concat());
        for (format, to) in [
            (Format::Html, Format::Pdf),
            (Format::Html, Format::Png),
            (Format::Markdown, Format::Pdf),
        ] {
            let made = rig::run_bytes(document.as_bytes(), format, &[rig::convert(to)]);
            let made = made.unwrap_or_else(|error| panic!("{document} to {to}: {error:?}"));
            // Scripts of Markdown do not run, and those that nobody has touched open no file.
            let asks = |text: &String| !text.contains("FilePicker") && !text.contains("FileSystem");
            if format == Format::Html && some.iter().any(asks) {
                assert_eq!(made.warnings(), ["external_link_blocked"], "{document}");
            }
            assert!(tcp.accept().is_err(), "a connection was made by {document}");
            assert!(
                udp.recv(&mut [0; 64]).is_err(),
                "a datagram was sent by {document}"
            );
        }
    }
}
