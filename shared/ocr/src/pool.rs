//! Reads several pages at once, one a core.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use image::DynamicImage;
use task::{Fault, Outcome};

use super::picture::Picture;
use super::recognise::{Reader, Reading};
use super::redrawn;
use super::tesseract::Tesseract;

/// Pixels of all pictures that are read at once: the library takes about five bytes for each.
const PIXELS: u64 = 200_000_000;

/// What reads pages.
pub(super) struct Pool<'a> {
    pub(super) tesseract: &'a Tesseract,
    /// Where the models lie.
    pub(super) models: &'a Path,
    /// The languages, joined by `+`.
    pub(super) languages: &'a str,
    /// Whether the lines that pages show are looked for.
    pub(super) with_rules: bool,
}

/// A page to read.
pub(super) struct Sheet {
    /// The number of its page.
    pub(super) number: usize,
    pub(super) picture: Picture,
    /// What is to take the place of the page, if anything.
    pub(super) shown: Option<DynamicImage>,
}

impl Pool<'_> {
    /// Reads `count` pictures of at most `largest` pixels. `produce` is given a function that takes them as there is room;
    /// `done` is told each reading, in any order.
    pub(super) fn read(
        &self,
        (count, largest): (usize, u64),
        produce: impl FnOnce(&mut dyn FnMut(Sheet) -> Outcome<()>) -> Outcome<()>,
        mut done: impl FnMut(usize, Reading),
    ) -> Outcome<()> {
        if count == 0 {
            return Ok(());
        }
        std::thread::scope(|scope| {
            // No picture waits: each is handed over when somebody is free to read it.
            let (sheets, waiting) = sync_channel(0);
            let (finished, readings) = channel();
            let waiting = Arc::new(Mutex::new(waiting));
            // Looking for lines takes as much again.
            let largest = largest.saturating_mul(1 + u64::from(self.with_rules));
            for _ in 0..workers(count, largest) {
                let (waiting, finished) = (Arc::clone(&waiting), finished.clone());
                scope.spawn(move || self.work(&waiting, &finished));
            }
            // Only the readers hold these now, so that either side sees the other end.
            drop((waiting, finished));
            let mut give = |sheet| {
                let given = sheets.send(sheet);
                for (number, reading) in readings.try_iter() {
                    done(number, reading?);
                }
                given.map_err(|_| Fault::Installation("nobody reads pages".to_owned()))
            };
            produce(&mut give)?;
            drop(sheets);
            for (number, reading) in readings {
                done(number, reading?);
            }
            Ok(())
        })
    }

    fn work(&self, waiting: &Mutex<Receiver<Sheet>>, finished: &Sender<(usize, Outcome<Reading>)>) {
        let (tesseract, models) = (self.tesseract, self.models);
        let reader = Reader::begin(tesseract, models, self.languages, self.with_rules);
        let mut reader = match reader {
            Ok(reader) => reader,
            Err(fault) => {
                finished.send((0, Err(fault))).ok();
                return;
            }
        };
        loop {
            let next = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            let Ok(sheet) = next else { return };
            if finished
                .send((sheet.number, read(&mut reader, &sheet)))
                .is_err()
            {
                return;
            }
        }
    }
}

fn read(reader: &mut Reader<'_>, sheet: &Sheet) -> Outcome<Reading> {
    Ok(Reading {
        redrawn: sheet.shown.as_ref().map(redrawn::image).transpose()?,
        ..reader.read(&sheet.picture)?
    })
}

fn workers(count: usize, largest: u64) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let fitting = usize::try_from(PIXELS / largest.max(1)).unwrap_or(usize::MAX);
    cores.min(count).min(fitting).max(1)
}
