//! Queues and bus.

use std::time::Duration;

use domain::event::{Event, EventType};
use domain::plan::Plan;
use domain::processor::Processor;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;

use crate::sample;
use crate::world::{Ports, World};

/// Tickets reach every queue; the bus takes more events than fit one call. The jobs do not exist, so whoever receives
/// the tickets drops them.
pub async fn sending<P: Ports, W: World>(ports: &P, world: &W) {
    let account = sample::account(world, Plan::Pro);
    let job = sample::job(world, &account, world.now());
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
            let now = Timestamp(world.now().milliseconds() + number);
            Event::of_job(EventType::JobCreated, &sample::job(world, &account, now))
        })
        .collect();
    let ids: Vec<_> = events.iter().map(|event| event.id.clone()).collect();
    assert_eq!(ports.publish(&events).await.unwrap(), ids);
    assert_eq!(ports.publish(&[]).await.unwrap(), []);
}
