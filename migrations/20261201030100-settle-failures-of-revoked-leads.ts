import { sql, type Kysely } from 'kysely'

/**
 * A failed delivery is no dead letter any more once the person of its lead has revoked consent, because it is not sent
 * again: neither when the client is told, nor when a resend is cancelled later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFunctions(db, `${IS_SETTLED} or ${IS_REVOKED}`)
  await createFunction(
    db,
    'settle_revoked',
    `update webhook_deliveries set settled_at = now()
    where lead_id = new.lead_id and client_user_id = new.client_user_id and state = 'failed' and settled_at is null;`,
  )
  await sql`
    create trigger settle_revoked after insert on revocation_holders for each row execute function settle_revoked()`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger settle_revoked on revocation_holders`.execute(db)
  await sql`drop function settle_revoked()`.execute(db)
  await createFunctions(db, IS_SETTLED)
}

/** SQL on `d`, the negative of IS_DEAD in core/data/operations/dead-letters.ts, as 20261129204100 has it. */
const IS_SETTLED = `exists (select from webhook_deliveries r where r.resend_of = d.id and r.state <> 'cancelled')
  or exists (select from leads l where l.id = d.lead_id and l.redacted_at is not null)
  or exists (select from lead_assignments a where a.lead_id = d.lead_id and a.client_user_id = d.client_user_id and a.state <> 'active')`
const IS_REVOKED = `exists (
  select from revocation_holders told where told.lead_id = d.lead_id and told.client_user_id = d.client_user_id)`

async function createFunctions(db: Kysely<unknown>, isSettled: string): Promise<void> {
  await createFunction(
    db,
    'settle_resent',
    `update webhook_deliveries d set settled_at = case when ${isSettled} then coalesce(d.settled_at, now()) end
    where d.id = new.resend_of and d.state = 'failed';`,
  )
  await createFunction(
    db,
    'settle_failed',
    `update webhook_deliveries d set settled_at = now() where d.id = new.id and d.state = 'failed' and (${isSettled});`,
  )
}

async function createFunction(db: Kysely<unknown>, name: string, body: string): Promise<void> {
  await sql`
    create or replace function ${sql.id(name)}() returns trigger language plpgsql security definer set search_path = public as $$
    begin ${sql.raw(body)} return null; end $$`.execute(db)
}
