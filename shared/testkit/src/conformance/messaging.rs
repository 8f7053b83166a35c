//! Queues and bus.

use std::time::Duration;

use domain::event::{Event, EventType};
use domain::plan::Plan;
use domain::processor::Processor;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;

use crate::environment::{Environment, Ports};
use crate::sample;

/// Every queue accepts tickets; the bus accepts more events than one call can publish. The jobs do not exist, so the
/// consumers drop the tickets.
pub async fn messaging<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = sample::account(env, Plan::Pro);
    let job = sample::job(env, &account, env.now());
    let ticket = Ticket::for_job(&job);
    for processor in Processor::ALL {
        for delay in [Duration::ZERO, Duration::from_secs(3_600)] {
            ports
                .send(*processor, account.id.as_str(), &ticket, delay)
                .await
                .unwrap();
        }
    }
    let events: Vec<Event> = (0..12)
        .map(|number| {
            let now = Timestamp(env.now().milliseconds() + number);
            Event::of_job(EventType::JobCreated, &sample::job(env, &account, now))
        })
        .collect();
    let ids: Vec<_> = events.iter().map(|event| event.id.clone()).collect();
    assert_eq!(ports.publish(&events).await.unwrap(), ids);
    assert_eq!(ports.publish(&[]).await.unwrap(), []);
}
