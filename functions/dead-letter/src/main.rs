//! Lambda function that consumes the dead-letter queues of the processors.

use aws::{ResourceVariable, Services};
use domain::ticket::Ticket;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let services = Services::from_environment(&[
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Bus,
    ])
    .await?;
    runtime::queue::serve(async |message| {
        let ticket = Ticket::read(&message.body)?;
        Ok(dead_letter::dead_letter(&services, &ticket, runtime::clock::now()).await?)
    })
    .await
}
