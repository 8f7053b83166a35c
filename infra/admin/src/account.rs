//! `account create`, `account set-plan`, `account usage`.

use clap::Subcommand;
use domain::account::Account;
use domain::id::AccountId;
use domain::plan::Plan;
use domain::ports::{ManageAccounts, ReadUsage};
use serde_json::{Value, json};

use crate::clock;
use crate::error::AdminError;
use crate::stack::Stack;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Creates an account.
    Create {
        /// free, starter, pro or business.
        #[arg(long)]
        plan: Plan,
        /// Where its owner is reached.
        #[arg(long)]
        email: Option<String>,
    },
    /// Moves an account and its keys to another plan.
    SetPlan {
        /// The account.
        id: AccountId,
        /// free, starter, pro or business.
        #[arg(long)]
        plan: Plan,
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

pub(crate) async fn run(stack: &Stack, command: Command) -> Result<Value, AdminError> {
    match command {
        Command::Create { plan, email } => create(stack, plan, email).await,
        Command::SetPlan { id, plan } => set_plan(stack, &id, plan).await,
        Command::Usage {
            id,
            set_today,
            set_month,
        } => usage(stack, &id, set_today, set_month).await,
    }
}

async fn create(stack: &Stack, plan: Plan, email: Option<String>) -> Result<Value, AdminError> {
    let now = clock::now();
    let account = Account {
        id: AccountId::mint(now, rand::random()),
        plan,
        email,
        created_at: now,
    };
    stack.services().await.create_account(&account).await?;
    Ok(json!({"accountId": account.id, "plan": plan}))
}

async fn set_plan(stack: &Stack, id: &AccountId, plan: Plan) -> Result<Value, AdminError> {
    if stack.services().await.set_plan(id, plan).await? {
        Ok(json!({"accountId": id, "plan": plan}))
    } else {
        Err(AdminError::Unknown(format!("account {id}")))
    }
}

async fn usage(
    stack: &Stack,
    id: &AccountId,
    today: Option<u32>,
    this_month: Option<u32>,
) -> Result<Value, AdminError> {
    let services = stack.services().await;
    let account = services.account(id).await?;
    let account = account.ok_or_else(|| AdminError::Unknown(format!("account {id}")))?;
    let period = clock::now().period();
    if today.is_some() || this_month.is_some() {
        services.set_used(id, period, today, this_month).await?;
    }
    let used = services.used(id, period).await?;
    let unit = account.plan.limits().unit;
    Ok(json!({"accountId": id, "plan": account.plan, "unit": unit, "used": used}))
}
