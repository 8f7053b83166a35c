//! Late content of web pages: lazy loading, intersection observers, slow and endless requests.

use std::process::Command;
use std::time::{Duration, Instant};

use domain::format::Format;
use image::RgbImage;
use serde_json::json;

use crate::internet::{Internet, html, not_found, response};
use crate::support::{convert, print, run_steps};

const SITE: &str = "http://site.example.com";

/// A page with endless requests, smooth scrolling and content that loads when it becomes visible.
const LAZY: &str = "<!doctype html><title>Lazy &lt;b&gt;</title><style>
     html { scroll-behavior: smooth } body { margin: 0 } div, img, iframe { display: block; height: 100px; width: 300px; border: 0 }
     .far { height: 12000px }</style>
     <p>top</p><p class=far></p><img loading=lazy src=/native.svg>
     <p class=far></p><img data-src=/observed.svg>
     <p class=far></p><iframe loading=lazy src=/frame></iframe>
     <p class=far></p><div id=painted></div><p>end</p>
     <script>
       setInterval(() => fetch('/poll?' + Math.random()), 40);
       new IntersectionObserver((seen) => seen.forEach(e => { if (e.isIntersecting) e.target.src = e.target.dataset.src }))
         .observe(document.querySelector('[data-src]'));
       new IntersectionObserver((seen) => { if (seen.some(e => e.isIntersecting)) {
         painted.style.background = '#0000ff'; painted.textContent = 'painted' } }).observe(painted);
     </script>";

fn svg(color: &str, words: &str) -> Vec<u8> {
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='100'>\
         <rect width='300' height='100' fill='{color}'/><text y='30'>{words}</text></svg>"
    );
    response("200 OK", "Content-Type: image/svg+xml\r\n", svg.as_bytes())
}

fn site() -> Internet {
    Internet::with_site(|path| {
        let slowly = || std::thread::sleep(Duration::from_millis(400));
        match path {
            "/lazy" => html(LAZY),
            "/native.svg" => {
                slowly();
                svg("#ff0000", "native")
            }
            "/observed.svg" => {
                slowly();
                svg("#00ff00", "observed")
            }
            "/frame" => html("<body style='background: #ff00ff'>framed"),
            "/fonts" => html(
                "<style>@font-face { font-family: own; src: url(/font.ttf); font-display: swap }
                 p { font-family: own, sans-serif }</style><p>lettered",
            ),
            "/font.ttf" => {
                std::thread::sleep(Duration::from_millis(1_500));
                let font = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf";
                let font = std::fs::read(font).unwrap();
                response("200 OK", "Content-Type: font/ttf\r\n", &font)
            }
            "/hangs" => html(
                "<p>there</p><img src=/never.png><img loading=lazy src=/never.png?2>\
                 <link rel=stylesheet media=print href=/native.svg>",
            ),
            path if path.starts_with("/never") => {
                std::thread::sleep(Duration::from_secs(60));
                not_found()
            }
            _ => html("x"),
        }
    })
}

fn count(picture: &RgbImage, color: [u8; 3]) -> usize {
    let of_colour = picture.pixels().filter(|pixel| pixel.0 == color);
    of_colour.count()
}

#[test]
fn lazy_content_is_printed() {
    let text = print(&site(), &format!("{SITE}/lazy")).unwrap();
    for words in ["top", "native", "observed", "framed", "painted", "end"] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn lazy_content_is_in_the_screenshot() {
    let steps = [convert(
        json!({"format": "png", "viewportWidth": 600, "viewportHeight": 500}),
    )];
    let png = run_steps(&site(), &format!("{SITE}/lazy"), &steps).unwrap();
    let picture = image::load_from_memory(&png).unwrap().to_rgb8();
    assert_eq!(picture.width(), 600);
    assert!(picture.height() > 48_000, "{}", picture.height());
    for color in [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 0, 255]] {
        assert!(
            count(&picture, color) > 25_000,
            "{color:?}: {}",
            count(&picture, color)
        );
    }
}

#[test]
fn slow_fonts_are_awaited() {
    let steps = [convert(json!({"format": "pdf"}))];
    let pdf = run_steps(&site(), &format!("{SITE}/fonts"), &steps).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pdf).unwrap();
    let fonts = Command::new("pdffonts").arg(file.path()).output().unwrap();
    let fonts = String::from_utf8(fonts.stdout).unwrap();
    assert!(fonts.contains("DejaVuSansMono-Bold"), "{fonts}");
}

#[test]
fn endless_requests_do_not_block_rendering() {
    let started = Instant::now();
    let text = print(&site(), &format!("{SITE}/hangs")).unwrap();
    assert!(text.contains("there"), "{text}");
    assert!(
        started.elapsed() < Duration::from_secs(25),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn print_options_and_headers_with_the_url_apply() {
    let options = json!({
        "format": "pdf", "paper": "a5", "landscape": true, "header": "{title}", "footer": "{page} {url}", "pages": "1",
    });
    let steps = [convert(options), convert(json!({"format": Format::Txt}))];
    let text =
        String::from_utf8(run_steps(&site(), &format!("{SITE}/lazy"), &steps).unwrap()).unwrap();
    for words in ["Lazy <b>", "1 http://site.example.com/lazy", "top"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!text.contains('\u{c}'), "one page: {text}");
    let steps = [
        convert(json!({"format": "pdf", "paper": "a5", "landscape": true, "pages": "1"})),
        convert(json!({"format": "png"})),
    ];
    let png = run_steps(&site(), &format!("{SITE}/lazy"), &steps).unwrap();
    let page = image::load_from_memory(&png).unwrap();
    // At 150 pixels per inch.
    assert!(
        page.width().abs_diff(1_240) <= 4 && page.height().abs_diff(874) <= 4,
        "{page:?}"
    );
}
