import { sql, type Kysely } from 'kysely'

/** Deliveries may be tens of millions, so nothing may wait for this migration. */
export const isOutsideTransaction = true

/** Failed deliveries that are looked at in one statement. */
const PIECE = 2000

/**
 * Notes when a failed delivery stopped being a dead letter: it was sent again, its lead was erased, or its client has
 * lost the lead. So dead letters are counted from an index that holds no others, however many failures were sent again.
 * Nothing is written for a delivery that arrives. Servers and workers of older versions are covered by the triggers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await takeInAnInstant(db, 'alter table webhook_deliveries add column if not exists settled_at timestamptz')
  for (const [name, body] of Object.entries(FUNCTIONS))
    await sql`
      create or replace function ${sql.id(name)}() returns trigger language plpgsql security definer set search_path = public as $$
      begin ${sql.raw(body)} return null; end $$`.execute(db)
  for (const { table, name, on } of TRIGGERS)
    await takeInAnInstant(db, `create or replace trigger ${name} ${on.replace('*', table)}`)
  await settleEarlier(db)
  await sql`drop index concurrently if exists webhook_deliveries_unsettled`.execute(db)
  await sql`
    create index concurrently webhook_deliveries_unsettled on webhook_deliveries (finished_at desc, id desc)
    include (webhook_config_id) where state = 'failed' and settled_at is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists webhook_deliveries_unsettled`.execute(db)
  for (const { table, name } of TRIGGERS)
    await takeInAnInstant(db, `drop trigger if exists ${name} on ${table}`)
  for (const name of Object.keys(FUNCTIONS)) await sql`drop function if exists ${sql.id(name)}()`.execute(db)
  await takeInAnInstant(db, 'alter table webhook_deliveries drop column if exists settled_at')
}

/** SQL on `d`, the negative of IS_DEAD in core/data/operations/dead-letters.ts. */
const IS_SETTLED = `(
  exists (select from webhook_deliveries r where r.resend_of = d.id and r.state <> 'cancelled')
  or exists (select from leads l where l.id = d.lead_id and l.redacted_at is not null)
  or exists (select from lead_assignments a where a.lead_id = d.lead_id and a.client_user_id = d.client_user_id and a.state <> 'active'))`

const FUNCTIONS: Readonly<Record<string, string>> = {
  // A resend came, was cancelled, or counts again. Each writes the row, so that two at once wait for each other.
  settle_resent: `
    update webhook_deliveries d set settled_at = case when ${IS_SETTLED} then coalesce(d.settled_at, now()) end
    where d.id = new.resend_of and d.state = 'failed';`,
  settle_failed: `
    update webhook_deliveries d set settled_at = now() where d.id = new.id and d.state = 'failed' and ${IS_SETTLED};`,
  settle_erased: `
    update webhook_deliveries set settled_at = now() where lead_id = new.id and state = 'failed' and settled_at is null;`,
  settle_ended: `
    update webhook_deliveries set settled_at = now()
    where lead_id = new.lead_id and client_user_id = new.client_user_id and state = 'failed' and settled_at is null;`,
}

// Triggers before an update would lock each row, with a record in the journal, whatever their condition.
const TRIGGERS = [
  {
    table: 'webhook_deliveries',
    name: 'settle_resent',
    on: `after insert on * for each row when (new.resend_of is not null) execute function settle_resent()`,
  },
  {
    table: 'webhook_deliveries',
    name: 'settle_resent_anew',
    on: `after update of state on * for each row
      when (new.resend_of is not null and (old.state = 'cancelled') <> (new.state = 'cancelled')) execute function settle_resent()`,
  },
  {
    table: 'webhook_deliveries',
    name: 'settle_failed',
    on: `after update of state on * for each row
      when (new.state = 'failed' and old.state <> 'failed') execute function settle_failed()`,
  },
  {
    table: 'webhook_deliveries',
    name: 'settle_stored',
    on: `after insert on * for each row when (new.state = 'failed') execute function settle_failed()`,
  },
  {
    table: 'leads',
    name: 'settle_erased',
    on: `after update of redacted_at on * for each row
      when (old.redacted_at is null and new.redacted_at is not null) execute function settle_erased()`,
  },
  {
    table: 'lead_assignments',
    name: 'settle_ended',
    on: `after update of state on * for each row
      when (old.state = 'active' and new.state <> 'active') execute function settle_ended()`,
  },
] as const

/** Settles failures of the past, a piece at a time, newest first. */
async function settleEarlier(db: Kysely<unknown>): Promise<void> {
  let after = { finished_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
  for (;;) {
    const { rows } = await sql<{ finished_at: string; id: string }>`
      with looked as materialized (
        select d.id, d.finished_at from webhook_deliveries d
        where d.state = 'failed' and (d.finished_at, d.id) < (${after.finished_at}::timestamptz, ${after.id}::uuid)
        order by d.finished_at desc, d.id desc limit ${sql.lit(PIECE)}
      ), settled as (
        update webhook_deliveries d set settled_at = now()
        where d.id in (select id from looked) and d.state = 'failed' and d.settled_at is null and ${sql.raw(IS_SETTLED)}
      )
      select finished_at::text, id from looked order by finished_at, id limit 1`.execute(db)
    const [last] = rows
    if (last === undefined) return
    after = last
  }
}

/** Runs a statement that needs the table for itself; nobody waits behind it for long. */
async function takeInAnInstant(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          ${sql.raw(statement)};
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}
