//! Captures log lines.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, Once, PoisonError};

use serde_json::Value;
use tracing::Level;
use tracing_subscriber::fmt::MakeWriter;

/// Runs `work` on this thread; returns its output and every line that it logs up to `level`, including metrics, in the JSON
/// format of the functions.
///
/// # Panics
/// If a line is not JSON.
pub async fn of<F: Future>(level: Level, work: F) -> (F::Output, Vec<Value>) {
    install_global_subscriber();
    let lines = Lines::default();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_max_level(level)
        .with_writer(lines.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let done = work.await;
    drop(guard);
    (done, lines.read())
}

/// Installs a global no-op subscriber once: `tracing` caches the interest of a callsite, so one that is first reached
/// without subscriber would stay disabled.
fn install_global_subscriber() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        drop(tracing::subscriber::set_global_default(
            tracing_subscriber::registry(),
        ))
    });
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn read(&self) -> Vec<Value> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        lines
            .map(|line| serde_json::from_slice(line).expect("a line of JSON"))
            .collect()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
