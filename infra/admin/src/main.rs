//! `octavo-admin`, the operator's command-line tool. Prints one JSON object to stdout, or an error to stderr with exit
//! status 1.

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

/// Administers an Octavo stack: accounts, keys, jobs, processors, triggers.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Path of the stack file, which contains the names of the deployed resources.
    #[arg(long, env = "OCTAVO_STACK", default_value = ".octavo/stack.json")]
    stack_file: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Manages accounts, their plans and usage.
    #[command(subcommand)]
    Account(account::Command),
    /// Manages API keys.
    #[command(subcommand)]
    Key(key::Command),
    /// Shows jobs.
    #[command(subcommand)]
    Job(job::Command),
    /// Publishes triggers of automation hooks.
    #[command(subcommand)]
    Event(event::Command),
    /// Redrives dead-lettered jobs, events and deliveries, without charge.
    Redrive(redrive::Redrive),
    /// Starts and stops processors. Tickets wait in the queue of a stopped processor.
    #[command(subcommand)]
    Processor(processor::Command),
    /// Checks resources, queues, concurrency, clock and engines.
    Doctor(doctor::Doctor),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return print_usage(&usage),
    };
    let output = match run(arguments).await {
        Ok(output) => output,
        Err(error) => return report(&error),
    };
    match writeln!(std::io::stdout(), "{}", output.json) {
        Ok(()) if output.success => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// JSON output of a command, and whether it succeeded.
struct CommandOutput {
    json: Value,
    success: bool,
}

impl From<Value> for CommandOutput {
    fn from(json: Value) -> Self {
        Self {
            json,
            success: true,
        }
    }
}

async fn run(arguments: Arguments) -> Result<CommandOutput, AdminError> {
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

/// Prints help, version or a usage error.
fn print_usage(usage: &clap::Error) -> ExitCode {
    match (usage.print(), usage.use_stderr()) {
        (Ok(()), false) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Prints an error to stderr. If stderr is closed there is nothing left to report to.
fn report(error: &AdminError) -> ExitCode {
    match writeln!(std::io::stderr(), "octavo-admin: {error}") {
        Ok(()) | Err(_) => ExitCode::FAILURE,
    }
}
