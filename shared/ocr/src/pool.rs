//! Recognizes pages concurrently, one per core.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use image::DynamicImage;
use task::{TaskError, TaskResult};

use super::ocr_result::OcrResult;
use super::pages::Watchdog;
use super::picture::Picture;
use super::rasterized;
use super::recognize::PageReader;
use super::tesseract::Tesseract;

/// Maximum pixels recognized concurrently: Tesseract needs about five bytes per pixel.
const MAX_PIXELS: u64 = 200_000_000;

/// A pool of OCR workers.
pub(super) struct Pool<'a> {
    pub(super) tesseract: &'a Tesseract,
    /// Directory of the Tesseract models.
    pub(super) models: &'a Path,
    /// Language codes joined by `+`.
    pub(super) languages: &'a str,
    /// Whether rules and photographs are detected.
    pub(super) with_rules: bool,
    /// Ends the process if a page takes too long.
    pub(super) watchdog: Option<&'a Watchdog>,
}

/// A page to recognize.
pub(super) struct PageInput {
    /// Index of the page.
    pub(super) number: usize,
    pub(super) picture: Picture,
    /// The color image that replaces the page, if it is rasterized.
    pub(super) replacement: Option<DynamicImage>,
}

impl Pool<'_> {
    /// Recognizes `count` pictures of at most `largest` pixels. `produce` receives a function that blocks until a worker takes
    /// the page; `done` receives each result, or the error of the page, in any order.
    pub(super) fn read(
        &self,
        (count, largest): (usize, u64),
        produce: impl FnOnce(&mut dyn FnMut(PageInput) -> TaskResult<()>) -> TaskResult<()>,
        mut done: impl FnMut(usize, TaskResult<OcrResult>) -> TaskResult<()>,
    ) -> TaskResult<()> {
        if count == 0 {
            return Ok(());
        }
        std::thread::scope(|scope| {
            // A rendezvous channel: no picture waits in memory.
            let (inputs, waiting) = sync_channel(0);
            let (finished, readings) = channel();
            let waiting = Arc::new(Mutex::new(waiting));
            // Rule detection doubles the memory of a worker.
            let largest = largest.saturating_mul(1 + u64::from(self.with_rules));
            for _ in 0..workers(count, largest) {
                let (waiting, finished) = (Arc::clone(&waiting), finished.clone());
                scope.spawn(move || self.work(&waiting, &finished));
            }
            // Only the workers hold these channel ends now, so that each side detects when the other stops.
            drop((waiting, finished));
            let mut submit = |input| {
                let sent = inputs.send(input);
                for (number, reading) in readings.try_iter() {
                    done(number, reading)?;
                }
                sent.map_err(|_| TaskError::Installation("all OCR workers have stopped".to_owned()))
            };
            produce(&mut submit)?;
            drop(inputs);
            for (number, reading) in readings {
                done(number, reading)?;
            }
            Ok(())
        })
    }

    fn work(
        &self,
        waiting: &Mutex<Receiver<PageInput>>,
        finished: &Sender<(usize, TaskResult<OcrResult>)>,
    ) {
        let (tesseract, models) = (self.tesseract, self.models);
        let reader = PageReader::new(tesseract, models, self.languages, self.with_rules);
        let mut reader = match reader {
            Ok(reader) => reader,
            Err(error) => {
                finished.send((0, Err(error))).ok();
                return;
            }
        };
        loop {
            let next = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            let Ok(input) = next else { return };
            let pixels = u64::from(input.picture.width) * u64::from(input.picture.height);
            let watched = self.watchdog.map(|watchdog| watchdog.page(pixels));
            let result = recognize(&mut reader, &input);
            drop(watched);
            if finished.send((input.number, result)).is_err() {
                return;
            }
        }
    }
}

fn recognize(reader: &mut PageReader<'_>, input: &PageInput) -> TaskResult<OcrResult> {
    Ok(OcrResult {
        rasterized: input
            .replacement
            .as_ref()
            .map(rasterized::encode_image)
            .transpose()?,
        ..reader.read(&input.picture)?
    })
}

fn workers(count: usize, largest: u64) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let fitting = usize::try_from(MAX_PIXELS / largest.max(1)).unwrap_or(usize::MAX);
    cores.min(count).min(fitting).max(1)
}
