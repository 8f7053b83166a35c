//! `account create`, `account delete`, `account set-plan`, `account token`, `account usage`.

mod erasure;

use std::time::{Duration, SystemTime};

use clap::Subcommand;
use domain::account::Account;
use domain::id::AccountId;
use domain::key::ApiKey;
use domain::plan::Plan;
use domain::ports::{Accounts, Usage};
use domain::timestamp::{Period, Timestamp};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use self::erasure::AccountErasure;
use crate::error::AdminError;
use crate::key::random_bytes;
use crate::stack::Stack;

/// The longest address that mail can be sent to [RFC 5321, section 4.5.3.1.3, without the angle brackets].
const LONGEST_EMAIL: usize = 254;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Creates an account.
    Create {
        /// free, starter, pro or business.
        #[arg(long)]
        plan: Plan,
        /// Where its owner is reached.
        #[arg(long, value_parser = read_email)]
        email: Option<String>,
    },
    /// Erases every row and every object of an account, for good. Its queued jobs are cancelled. Goes on where it was
    /// broken off. Whoever signs in with the user pool stays a user of it.
    Delete {
        /// The account.
        id: AccountId,
        /// How many seconds the jobs that are being processed may take to end.
        #[arg(long, default_value_t = 60)]
        wait: u64,
    },
    /// Moves an account and its keys to another plan.
    SetPlan {
        /// The account.
        id: AccountId,
        /// free, starter, pro or business.
        #[arg(long)]
        plan: Plan,
    },
    /// Gives an account token, without its owner signing in: on a local stack only.
    Token {
        /// The account.
        id: AccountId,
    },
    /// Shows what an account has used, or sets it.
    Usage {
        /// The account.
        id: AccountId,
        /// Units used today.
        #[arg(long)]
        set_today: Option<u32>,
        /// Units used this month.
        #[arg(long)]
        set_month: Option<u32>,
    },
}

pub(crate) async fn run(
    stack: &Stack,
    command: Command,
    now: Timestamp,
) -> Result<Value, AdminError> {
    match command {
        Command::Create { plan, email } => create(stack, plan, email, now).await,
        Command::Delete { id, wait } => delete(stack, &id, wait).await,
        Command::Token { id } => token(stack, &id, now).await,
        Command::SetPlan { id, plan } => set_plan(stack, &id, plan).await,
        Command::Usage {
            id,
            set_today,
            set_month,
        } => usage(stack, &id, now.period(), set_today, set_month).await,
    }
}

async fn create(
    stack: &Stack,
    plan: Plan,
    email: Option<String>,
    now: Timestamp,
) -> Result<Value, AdminError> {
    let account = Account {
        id: AccountId::mint(now, rand::random()),
        plan,
        email,
        created_at: now,
    };
    stack.services().await.create_account(&account).await?;
    Ok(json!({"accountId": account.id, "plan": plan}))
}

async fn delete(stack: &Stack, id: &AccountId, wait: u64) -> Result<Value, AdminError> {
    let erasure = AccountErasure {
        ports: &stack.services().await,
        account: id,
        clock: || Timestamp::from(SystemTime::now()),
        wait: Duration::from_secs(wait),
    };
    erasure.run().await
}

async fn set_plan(stack: &Stack, id: &AccountId, plan: Plan) -> Result<Value, AdminError> {
    if stack.services().await.set_plan(id, plan).await? {
        Ok(json!({"accountId": id, "plan": plan}))
    } else {
        Err(AdminError::Unknown(format!("account {id}")))
    }
}

async fn token(stack: &Stack, id: &AccountId, now: Timestamp) -> Result<Value, AdminError> {
    if !stack.is_local() {
        let reason =
            "account token works on a local stack only: elsewhere an account's owner signs in";
        return Err(AdminError::Refused(reason.to_owned()));
    }
    let (services, pool) = (stack.services().await, stack.user_pool()?);
    let unknown = || AdminError::Unknown(format!("account {id}"));
    services.account(id).await?.ok_or_else(unknown)?;
    // Nobody has to remember it: each call sets a new one.
    let password = ApiKey::mint(&random_bytes()).reveal();
    let signed_in = services
        .sign_in(&pool.id, &pool.client_id, id.as_str(), &password.into())
        .await?;
    if !services.link_identity(id, &signed_in.identity).await? {
        return Err(unknown());
    }
    let lasts = Duration::from_secs(u64::from(signed_in.lasts_seconds));
    Ok(json!({"token": signed_in.token.expose_secret(), "expiresAt": now.plus(lasts)}))
}

async fn usage(
    stack: &Stack,
    id: &AccountId,
    period: Period,
    today: Option<u32>,
    this_month: Option<u32>,
) -> Result<Value, AdminError> {
    let services = stack.services().await;
    let account = services.account(id).await?;
    let account = account.ok_or_else(|| AdminError::Unknown(format!("account {id}")))?;
    if today.is_some() || this_month.is_some() {
        services.set_used(id, period, today, this_month).await?;
    }
    let used = services.used(id, period).await?;
    let unit = account.plan.limits().unit;
    Ok(json!({"accountId": id, "plan": account.plan, "unit": unit, "used": used}))
}

/// Checks the form of an address; whether anybody reads there only a message would tell.
fn read_email(text: &str) -> Result<String, String> {
    let sides = text.split_once('@');
    let sound = sides.is_some_and(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !domain.contains('@')
    });
    if !sound {
        return Err("not an address: something, one @, something".to_owned());
    }
    if text.len() > LONGEST_EMAIL {
        return Err(format!("longer than {LONGEST_EMAIL} bytes"));
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("spaces or control characters in it".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_at_sign_and_nothing_that_does_not_print() {
        let longest = format!("{}@example.com", "a".repeat(242));
        for good in ["a@b", "owner+octavo@büro.example", &longest] {
            assert_eq!(read_email(good).as_deref(), Ok(good));
        }
        let too_long = format!("a{longest}");
        for bad in [
            "", "@", "a@", "@b", "ab", "a@b@c", "a b@c", "a@b\n", "a\u{0}@b", &too_long,
        ] {
            assert!(read_email(bad).is_err(), "{bad:?}");
        }
    }
}
