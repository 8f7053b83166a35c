//! `octavo-admin`, the operator's command: prints one JSON object a call, or says on stderr what is wrong and exits
//! with 1.

mod account;
mod doctor;
mod error;
mod event;
mod job;
mod key;
mod processor;
mod redrive;
mod stack;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::{Parser, Subcommand};
use domain::timestamp::Timestamp;
use serde_json::Value;

use crate::error::AdminError;
use crate::stack::Stack;

/// Runs accounts, keys, jobs, processors and triggers of an Octavo stack.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The file that says where the stack is.
    #[arg(long, env = "OCTAVO_STACK", default_value = ".octavo/stack.json")]
    stack_file: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Accounts, their plans and their usage.
    #[command(subcommand)]
    Account(account::Command),
    /// API keys.
    #[command(subcommand)]
    Key(key::Command),
    /// Jobs.
    #[command(subcommand)]
    Job(job::Command),
    /// Triggers of automation hooks.
    #[command(subcommand)]
    Event(event::Command),
    /// Sends buried jobs, and what was set aside of events and deliveries, round again; nothing is charged.
    Redrive(redrive::Redrive),
    /// Stops and starts processors; tickets wait meanwhile.
    #[command(subcommand)]
    Processor(processor::Command),
    /// Checks engines, resources, limits and clock.
    Doctor(doctor::Doctor),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return explain(&usage),
    };
    let answer = match run(arguments).await {
        Ok(answer) => answer,
        Err(error) => return refuse(&error),
    };
    match writeln!(std::io::stdout(), "{}", answer.json) {
        Ok(()) if answer.good => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// What a command prints, and whether it counts as a success.
struct Answer {
    json: Value,
    good: bool,
}

impl From<Value> for Answer {
    fn from(json: Value) -> Self {
        Self { json, good: true }
    }
}

async fn run(arguments: Arguments) -> Result<Answer, AdminError> {
    let stack = Stack::read(&arguments.stack_file)?;
    let now = Timestamp::from(SystemTime::now());
    Ok(match arguments.command {
        Command::Account(command) => account::run(&stack, command, now).await?.into(),
        Command::Key(command) => key::run(&stack, command, now).await?.into(),
        Command::Job(command) => job::run(&stack, command).await?.into(),
        Command::Event(command) => event::run(&stack, command, now).await?.into(),
        Command::Redrive(command) => redrive::run(&stack, command, now).await?,
        Command::Processor(command) => processor::run(&stack, command).await?.into(),
        Command::Doctor(command) => doctor::run(&stack, command).await,
    })
}

/// Prints help, or what is wrong with the arguments.
fn explain(usage: &clap::Error) -> ExitCode {
    match (usage.print(), usage.use_stderr()) {
        (Ok(()), false) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Says what is wrong. Where even stderr is closed there is nobody to tell.
fn refuse(error: &AdminError) -> ExitCode {
    match writeln!(std::io::stderr(), "octavo-admin: {error}") {
        Ok(()) | Err(_) => ExitCode::FAILURE,
    }
}
