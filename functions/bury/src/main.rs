//! The function behind the dead-letter queues.

use aws::{Need, Services};
use domain::ticket::Ticket;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let services = Services::from_environment(&[Need::Accounts, Need::Jobs, Need::Bus]).await?;
    runtime::queue::serve(async |message| {
        let ticket = Ticket::read(&message.body)?;
        Ok(bury::bury(&services, &ticket, runtime::clock::now()).await?)
    })
    .await
}
