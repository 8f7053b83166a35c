//! HTML and Markdown cannot include local files or cause network requests.

use std::net::{TcpListener, UdpSocket};
use std::path::Path;

use domain::format::Format;
use tempfile::TempDir;

use crate::{harness, poppler};

/// Text and color of the marker files, which no document may read.
const MARKER_TEXT: &str = "sesame4711";
const COLOR: [u8; 3] = [255, 0, 255];

/// Number of documents converted in parallel.
const PARALLELISM: usize = 6;

/// Marker files that would be visible if a reference of any kind reached them.
fn markers() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        std::fs::write(directory.path().join(name), text).unwrap();
    };
    let paint = "background: #ff00ff !important";
    write("m.txt", MARKER_TEXT.to_owned());
    write("m.html", format!("<body style='{paint}'>{MARKER_TEXT}"));
    write(
        "m.css",
        format!("body {{ {paint} }} body::after {{ content: '{MARKER_TEXT}' }}"),
    );
    write(
        "m.js",
        format!(
            "document.body.append('{MARKER_TEXT}'); document.body.style.background = '#ff00ff'"
        ),
    );
    write(
        "m.mjs",
        format!("document.body.append('{MARKER_TEXT}'); export default 1"),
    );
    write(
        "m.svg",
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' id='m' width='200' height='200'>\
             <rect id='r' width='200' height='200' fill='#ff00ff'/><text y='20'>{MARKER_TEXT}</text></svg>"
        ),
    );
    write(
        "m.vtt",
        format!("WEBVTT\n\n00:00.000 --> 00:09.000\n{MARKER_TEXT}\n"),
    );
    directory
}

/// References of every kind to `base`.
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

/// Whether a reference navigates away from the page, so that it cannot be combined with others.
fn navigates_away(text: &str) -> bool {
    ["location", "refresh", "frameset", ".click()", ".submit()"]
        .iter()
        .any(|leaving| text.contains(leaving))
}

fn is_frames(text: &str) -> bool {
    text.starts_with("<frameset")
}

/// A page with these references. Frame sets replace the body.
fn page(references: &str) -> String {
    let body = match is_frames(references) {
        true => "",
        false => "<p>here</p>",
    };
    format!("{body}{references}")
}

/// Asserts that neither text nor color of a marker is in a PDF or PNG of these documents. A page that navigates nowhere is
/// waited for, which costs time but no CPU, so many are converted in parallel.
fn assert_no_markers(documents: &[String], format: Format) {
    let cases = documents
        .iter()
        .flat_map(|document| [Format::Pdf, Format::Png].map(|to| (document, to)));
    harness::in_parallel(PARALLELISM, cases.collect(), |(document, to)| {
        let result = harness::run_bytes(document.as_bytes(), format, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{document} to {to}: {error:?}"));
        let picture = match to {
            Format::Pdf => printed(document, result.path()),
            _ => image::load_from_memory(&result.bytes()).unwrap().to_rgb8(),
        };
        let found = picture.pixels().filter(|pixel| pixel.0 == COLOR).count();
        assert_eq!(found, 0, "{document} to {to}");
        let bytes = result.bytes();
        let marker = MARKER_TEXT.as_bytes();
        assert!(
            !bytes.windows(marker.len()).any(|part| part == marker),
            "{document} to {to}"
        );
    });
}

fn printed(document: &str, pdf: &Path) -> image::RgbImage {
    let text = poppler::texts(pdf).join(" ");
    assert!(
        !text.contains(MARKER_TEXT) && !text.contains("root:"),
        "{document}: {text}"
    );
    poppler::picture(pdf, 1, 40)
}

#[test]
fn markers_are_visible_without_protection() {
    // Otherwise the tests below would always pass.
    let svg = std::fs::read_to_string(markers().path().join("m.svg")).unwrap();
    let result = harness::run_bytes(
        svg.as_bytes(),
        Format::Html,
        &[harness::convert(Format::Pdf)],
    )
    .unwrap();
    assert!(poppler::texts(result.path())[0].contains(MARKER_TEXT));
    let page = poppler::picture(result.path(), 1, 40);
    assert!(page.pixels().any(|pixel| pixel.0 == COLOR));
}

#[test]
fn no_result_contains_a_local_file() {
    let markers = markers();
    let places = [
        format!("file://{}", markers.path().display()),
        format!("file://localhost{}", markers.path().display()),
        format!("filesystem:file://{}", markers.path().display()),
    ];
    // Each document costs two browser starts, so all references that stay on the page are combined.
    let mut documents = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let (leaving, staying): (Vec<_>, Vec<_>) = references(place)
            .into_iter()
            .partition(|text| navigates_away(text));
        documents.push(page(&staying.concat()));
        match index {
            0 => documents.extend(leaving.iter().map(|text| page(text))),
            _ => {
                let in_body = leaving.iter().filter(|text| !is_frames(text));
                documents.push(page(&in_body.cloned().collect::<String>()));
            }
        }
    }
    assert_no_markers(&documents, Format::Html);
}

#[test]
fn markdown_results_contain_no_local_file() {
    let markers = markers();
    let base = format!("file://{}", markers.path().display());
    let own =
        format!("here ![]({base}/m.svg) [link]({base}/m.html)\n\n![a][b]\n\n[b]: {base}/m.svg\n\n");
    let html = references(&base);
    let html = html.iter().filter(|text| !text.contains("frameset"));
    let document = own + &html.cloned().collect::<Vec<_>>().join("\n\n");
    assert_no_markers(&[document], Format::Markdown);
}

#[test]
fn no_conversion_causes_network_requests() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port();
    let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let all = references(&format!("http://127.0.0.1:{port}"));
    let mut cases = vec![(page(&all.concat()), Format::Markdown, Format::Pdf, false)];
    let (leaving, staying): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|text| navigates_away(text));
    // Some references in each group of seven load without user interaction; the others need a click or a chosen file.
    let staying = staying.chunks(7).map(|some| (some.concat(), true));
    let leaving = leaving.into_iter().map(|text| (text, false));
    cases.extend(staying.chain(leaving).flat_map(|(references, asks)| {
        [Format::Pdf, Format::Png].map(|to| (page(&references), Format::Html, to, asks))
    }));
    harness::in_parallel(PARALLELISM, cases, |(document, format, to, asks)| {
        let result = harness::run_bytes(document.as_bytes(), format, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{document} to {to}: {error:?}"));
        if asks {
            assert_eq!(result.warnings(), ["external_link_blocked"], "{document}");
        }
        // From this document, or from one converted in parallel.
        assert!(tcp.accept().is_err(), "a connection was made by {document}");
        assert!(
            udp.recv(&mut [0; 64]).is_err(),
            "a datagram was sent by {document}"
        );
    });
}
