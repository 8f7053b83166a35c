//! `account create`, `account delete`, `account set-locale`, `account set-plan`, `account token`, `account usage`.

mod erasure;

use std::time::{Duration, SystemTime};

use clap::Subcommand;
use domain::account::Account;
use domain::id::AccountId;
use domain::key::ApiKey;
use domain::operation::Locale;
use domain::plan::Plan;
use domain::ports::{Accounts, Usage};
use domain::timestamp::{Period, Timestamp};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use self::erasure::AccountErasure;
use crate::error::AdminError;
use crate::key::random_bytes;
use crate::stack::Stack;

/// Maximum length of an email address in bytes [RFC 5321, section 4.5.3.1.3, without the angle brackets].
const MAX_EMAIL_BYTES: usize = 254;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Creates an account.
    Create {
        /// Plan: free, starter, pro or business.
        #[arg(long)]
        plan: Plan,
        /// Email address of the owner.
        #[arg(long, value_parser = read_email)]
        email: Option<String>,
        /// Default locale of conversions, such as de-DE.
        #[arg(long)]
        locale: Option<Locale>,
    },
    /// Permanently deletes all rows and objects of an account and cancels its queued jobs. Users stay in the user pool.
    ///
    /// Can be run again after an interruption.
    Delete {
        /// Account id.
        id: AccountId,
        /// Maximum seconds to wait for jobs in status `processing`.
        #[arg(long, default_value_t = 60)]
        wait: u64,
    },
    /// Changes the default locale of an account's conversions. Without one, it is en-US.
    SetLocale {
        /// Account id.
        id: AccountId,
        /// Locale as a BCP 47 tag, such as de-DE.
        #[arg(long)]
        locale: Option<Locale>,
    },
    /// Changes the plan of an account and its keys.
    SetPlan {
        /// Account id.
        id: AccountId,
        /// Plan: free, starter, pro or business.
        #[arg(long)]
        plan: Plan,
    },
    /// Creates an account token without sign-in. Local stacks only.
    Token {
        /// Account id.
        id: AccountId,
    },
    /// Shows or sets the usage of an account.
    Usage {
        /// Account id.
        id: AccountId,
        /// Sets the units used today.
        #[arg(long)]
        set_today: Option<u32>,
        /// Sets the units used this month.
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
        Command::Create {
            plan,
            email,
            locale,
        } => {
            let account = Account {
                id: AccountId::mint(now, rand::random()),
                plan,
                email,
                locale,
                created_at: now,
            };
            create(stack, &account).await
        }
        Command::Delete { id, wait } => delete(stack, &id, wait).await,
        Command::Token { id } => token(stack, &id, now).await,
        Command::SetLocale { id, locale } => set_locale(stack, &id, locale).await,
        Command::SetPlan { id, plan } => set_plan(stack, &id, plan).await,
        Command::Usage {
            id,
            set_today,
            set_month,
        } => usage(stack, &id, now.period(), set_today, set_month).await,
    }
}

async fn create(stack: &Stack, account: &Account) -> Result<Value, AdminError> {
    stack.services().await.create_account(account).await?;
    Ok(json!({"accountId": account.id, "plan": account.plan}))
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

async fn set_locale(
    stack: &Stack,
    id: &AccountId,
    locale: Option<Locale>,
) -> Result<Value, AdminError> {
    if stack.services().await.set_locale(id, locale).await? {
        Ok(json!({"accountId": id, "locale": locale.unwrap_or_default()}))
    } else {
        Err(AdminError::NotFound(format!("account {id}")))
    }
}

async fn set_plan(stack: &Stack, id: &AccountId, plan: Plan) -> Result<Value, AdminError> {
    if stack.services().await.set_plan(id, plan).await? {
        Ok(json!({"accountId": id, "plan": plan}))
    } else {
        Err(AdminError::NotFound(format!("account {id}")))
    }
}

async fn token(stack: &Stack, id: &AccountId, now: Timestamp) -> Result<Value, AdminError> {
    if !stack.is_local() {
        let reason =
            "account token works on local stacks only; on AWS the account's owner signs in";
        return Err(AdminError::Rejected(reason.to_owned()));
    }
    let (services, pool) = (stack.services().await, stack.user_pool()?);
    let unknown = || AdminError::NotFound(format!("account {id}"));
    services.account(id).await?.ok_or_else(unknown)?;
    // The password is used once: each call sets a new one.
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
    let account = account.ok_or_else(|| AdminError::NotFound(format!("account {id}")))?;
    if today.is_some() || this_month.is_some() {
        services.set_used(id, period, today, this_month).await?;
    }
    let used = services.used(id, period).await?;
    let unit = account.plan.limits().unit;
    Ok(json!({"accountId": id, "plan": account.plan, "unit": unit, "used": used}))
}

/// Checks the syntax of an email address.
fn read_email(text: &str) -> Result<String, String> {
    let sides = text.split_once('@');
    let is_valid = sides.is_some_and(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !domain.contains('@')
    });
    if !is_valid {
        return Err("not an email address: expected LOCAL@DOMAIN".to_owned());
    }
    if text.len() > MAX_EMAIL_BYTES {
        return Err(format!("longer than {MAX_EMAIL_BYTES} bytes"));
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("contains spaces or control characters".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_has_one_at_sign_and_printable_characters_only() {
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
