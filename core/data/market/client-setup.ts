import { sql } from 'kysely'
import type { ClientSetup, SetupProgress, SetupStep } from '#core/contract/market/client-setup.ts'
import type { Db } from '../database.ts'

/** A client that tries for long makes several; a delivered one is among the newest. */
const TEST_LEADS_LOOKED_AT = 20

/**
 * SQL: the median time in minutes from sign-up to approval of the accounts that were approved last; null if there are too
 * few to tell.
 */
const USUAL_WAIT_MINUTES = sql`
  select case when count(*) >= 3 then ceil(extract(epoch from percentile_cont(0.5) within group (order by took)) / 60)::int end
  from (
    select l.at - a.created_at as took
    from auth.audit_log l join client_accounts a on a.user_id = l.user_id
    where l.action = 'client_approved' order by l.at desc, l.id desc limit 20
  ) approved`

/**
 * The steps that a new client has done so far. The first entry of a ledger can only be incoming money, because no
 * balance is negative.
 */
export async function readSetup(db: Db, userId: string): Promise<ClientSetup> {
  const { rows } = await sql<Omit<ClientSetup, 'waits_since'> & { waits_since: Date | null }>`
    select
      exists (
        select from client_accounts where user_id = ${userId} and business_name is not null and licensed_states <> '{}'
      ) as business,
      exists (select from client_webhook_configs where client_user_id = ${userId}) as webhook,
      exists (
        select from client_webhook_configs c join webhook_endpoint_health h on h.webhook_config_id = c.id
        where c.client_user_id = ${userId} and h.last_success_at is not null) as delivered,
      exists (select from orders where client_user_id = ${userId} and deleted_at is null) as "order",
      exists (select from balance_ledger where client_user_id = ${userId}) as funds,
      exists (select from payments where client_user_id = ${userId} and status = 'pending') as funds_asked,
      exists (select from leads where assigned_to = ${userId} and not is_test) as first_lead,
      exists (select from client_accounts where user_id = ${userId} and status = 'active') as approved,
      (select created_at from client_accounts where user_id = ${userId} and status = 'onboarding') as waits_since,
      case when exists (select from client_accounts where user_id = ${userId} and status = 'onboarding')
        then (${USUAL_WAIT_MINUTES}) end as usual_wait_minutes,
      coalesce((select skipped_setup_steps from client_accounts where user_id = ${userId}), '{}') as skipped
  `.execute(db)
  const [setup] = rows
  if (setup === undefined) throw new Error('A row without a table is always there')
  return { ...setup, waits_since: setup.waits_since?.toISOString() ?? null }
}

interface TestLeadRow {
  id: string
  created_at: Date
  attempt_id: string | null
  is_delivered: boolean
}

/** The outcomes of the client's newest test leads at its webhooks. */
export async function readTestLeads(
  db: Db,
  { user_id: userId, member_user_id: member }: { user_id: string; member_user_id?: string | undefined },
): Promise<Pick<SetupProgress, 'test_lead' | 'received_attempt_id'>> {
  const { rows } = await sql<TestLeadRow>`
    select l.id, l.created_at, g.id as attempt_id, coalesce(g.is_delivered, false) as is_delivered
    from (
      select id, created_at from leads where assigned_to = ${userId} and is_test
        and ${member === undefined ? sql`true` : sql`member_user_id = ${member}`}
      order by created_at desc limit ${TEST_LEADS_LOOKED_AT}
    ) l left join lateral (
      select g.id, g.delivery_status = 'delivered' as is_delivered
      from webhook_delivery_logs g
      where g.lead_id = l.id and g.client_user_id = ${userId} and g.created_at >= l.created_at - interval '1 second'
      order by g.delivery_status = 'delivered' desc, g.created_at desc, g.id desc limit 1
    ) g on true
    order by l.created_at desc, l.id desc`.execute(db)
  const [newest] = rows
  return {
    test_lead:
      newest === undefined
        ? null
        : {
            id: newest.id,
            created_at: newest.created_at.toISOString(),
            attempt_id: newest.attempt_id,
          },
    received_attempt_id: rows.find(({ is_delivered }) => is_delivered)?.attempt_id ?? null,
  }
}

/** Notes a step as put off, once. Returns false for a user who is not a client. */
export async function skipSetupStep(db: Db, userId: string, step: SetupStep): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('client_accounts')
    .set({
      skipped_setup_steps: sql<string[]>`array_append(array_remove(skipped_setup_steps, ${step}), ${step})`,
    })
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
