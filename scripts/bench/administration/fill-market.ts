import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { withoutIndexes } from '../leads/without-indexes.ts'

const CLIENTS = 1000
const WEBHOOKS = 2000
const SOURCES = 100
const DAYS = 30
const EACH_LEAD = 10
/** Rows of one statement, which must end before the connection's time limit. */
const CHUNK = 10_000
/** Statements that run at once, one for each core. */
const AT_ONCE = 2

const V7 = (time: RawBuilder<unknown>) => sql`
  encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from ${time}) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`
/** The ids of the nth client, webhook and source. */
const ID = (kind: 'client' | 'webhook' | 'source', n: RawBuilder<unknown>) =>
  sql`(${{ client: '00000000-0000-7000-8000-', webhook: '00000000-0000-7000-a000-', source: '00000000-0000-7000-9000-' }[kind]}::text
    || lpad((${n})::text, 12, '0'))::uuid`

/**
 * Fills a market of 30 days: leads of 100 sources, seven of ten sold to one of 1,000 clients, 2 % given back, ten
 * deliveries each; one delivery of 400 failed, most of which were sent again; as many rows of the audit log as leads.
 */
export async function fillMarket(db: Kysely<Database>, leads: number): Promise<void> {
  await giveOwners(db)
  await withoutIndexes(db, async () => {
    const starts = Array.from({ length: Math.ceil(leads / CHUNK) }, (_, index) => index * CHUNK)
    const fill = async (): Promise<void> => {
      for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
        const chunk = { from, size: Math.min(CHUNK, leads - from), leads }
        await unguarded(db, (trx) => fillSome(trx, chunk))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, fill))
  })
  await unguarded(db, (trx) => enterMoney(trx))
  await unguarded(db, (trx) => failSome(trx))
  await unguarded(db, async (trx) => {
    await sql`
      insert into auth.audit_log (at, action, user_id, actor_id, actor)
      select now() - make_interval(secs => ${leads}::int - n), case when n % 20 = 0 then 'account_changed' else 'signed_in' end,
        ${ID('client', sql`1 + n % ${CLIENTS}::int`)}, ${ID('client', sql`1 + n % ${CLIENTS}::int`)}, case when n % 20 = 0 then 'admin' else 'user' end
      from generate_series(1, ${leads}::int) n`.execute(trx)
  })
}

/** The rows refer to existing ones, so constraints, triggers and counters can be skipped. */
async function unguarded(
  db: Kysely<Database>,
  run: (trx: Kysely<Database>) => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`set local synchronous_commit = off`.execute(trx)
    await sql`set local session_replication_role = replica`.execute(trx)
    await run(trx)
  })
}

async function giveOwners(db: Kysely<Database>): Promise<void> {
  const each = (count: number) => sql`generate_series(1, ${count}::int) n`
  await sql`
    insert into auth.users (id, email)
    select ${ID('client', sql`n`)}, 'client' || n || '@example.com' from ${each(CLIENTS)}`.execute(db)
  await sql`
    insert into profiles (user_id, email, name) select id, email, 'Client ' || email from auth.users`.execute(
    db,
  )
  await sql`
    update client_accounts set status = 'active', business_name = 'Business ' || right(user_id::text, 4)`.execute(
    db,
  )
  await sql`
    insert into sources (id, name, auto_assign, api_key_hash, api_key_prefix)
    select ${ID('source', sql`n`)}, 'Source ' || n, true, decode(md5(${randomUUID()} || n) || md5(n::text), 'hex'), 'lw_src_' from ${each(SOURCES)}`.execute(
    db,
  )
  await sql`
    insert into client_webhook_configs (id, client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select ${ID('webhook', sql`n`)}, ${ID('client', sql`1 + n % ${CLIENTS}::int`)}, 'CRM ' || n, 'https://crm.example.com/' || n, '{}', 'none'
    from ${each(WEBHOOKS)}`.execute(db)
  await sql`
    insert into orders (client_user_id, name, lead_type, daily_cap, timezone, schedule)
    select user_id, 'Order', 'final_expense', 50, 'America/New_York', '{}' from profiles`.execute(db)
}

async function fillSome(
  trx: Kysely<Database>,
  { from, size, leads }: { from: number; size: number; leads: number },
): Promise<void> {
  await sql`
    with drawn as (
      select now() - make_interval(secs => ${DAYS * 86_400}::float8 * (1 - (${from}::float8 + n) / ${leads}::float8)) as at,
        (random() * 1e6)::int as a, (random() * 1e6)::int as b, (random() * 1e6)::int as c, random() as chance
      from generate_series(1, ${size}::int) n
    ), brought as (
      insert into leads (id, created_at, assigned_at, assigned_to, status, is_test, name, email, phone, state, lead_type, source_id, cost, price_charged)
      select ${V7(sql`at`)}, at, case when chance < 0.7 then at + interval '2 seconds' end,
        case when chance < 0.7 then ${ID('client', sql`1 + a % ${CLIENTS}::int`)} end,
        case when chance < 0.02 then 'returned' when chance < 0.7 then 'assigned' when chance < 0.8 then 'duplicate' else 'expired' end,
        c % 200 = 0, 'Kim Sample' || b, 'kim' || b || '@example.com', '+1512555' || lpad((c % 10000)::text, 4, '0'),
        (string_to_array('TX,CA,FL,NY,PA,OH,GA,NC,MI,NJ,VA,WA,AZ,MA,TN,IN', ','))[1 + b % 16],
        (array['final_expense', 'auto', 'medicare', 'home', 'life'])[1 + c % 5], ${ID('source', sql`1 + b % ${SOURCES}::int`)}, 4.5,
        case when chance < 0.7 then 10 + a % 40 end
      from drawn returning id, created_at, assigned_at, assigned_to, status, price_charged
    ), decided as (
      insert into assignment_decisions (lead_id, outcome, reason, client_user_id, decided_at)
      select id, case when assigned_to is not null then 'assigned' else status end, case status when 'expired' then 'funds' end, assigned_to, created_at
      from brought
    ), held as (
      insert into lead_assignments (id, lead_id, client_user_id, price, state, first_viewed_at, assigned_at)
      select ${V7(sql`assigned_at`)}, id, assigned_to, price_charged, case status when 'returned' then 'returned' else 'active' end, created_at, assigned_at
      from brought where assigned_to is not null returning *
    ), undone as (
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, status, decided_at, created_at)
      select id, lead_id, client_user_id, 'wrong_state', 'approved', least(now(), assigned_at + interval '5 hours'), assigned_at from held where state = 'returned'
    )
    insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, next_attempt_at, created_at, finished_at)
    select ${V7(sql`l.created_at`)}, gen_random_uuid(), 'lead.assigned', ${ID('webhook', sql`1 + n % ${WEBHOOKS}::int`)},
      ${ID('client', sql`1 + (1 + n % ${WEBHOOKS}::int) % ${CLIENTS}::int`)}, l.id, 'delivered', 1, null, l.created_at,
      l.created_at + make_interval(secs => 0.1 + random() * random() * 3)
    from (select *, abs(hashtext(id::text)) % 100000 as hash from brought) l cross join generate_series(1, ${EACH_LEAD}::int) e cross join lateral (select hash + e * 7 as n) chosen`.execute(
    trx,
  )
}

/** Entries take their ids in the order of their times. */
async function enterMoney(trx: Kysely<Database>): Promise<void> {
  await sql`
    insert into balance_ledger (id, client_user_id, entry_type, amount, balance_after, reference_type, reference_id, idempotency_key, created_at)
    select row_number() over (order by at), client, entry_type, amount, 100, kind, id, entry_type || id, at from (
      select client_user_id as client, 'lead_purchase' as entry_type, -price as amount, 'assignment' as kind, id::text as id, assigned_at as at from lead_assignments
      union all
      select r.client_user_id, 'lead_return', a.price, 'return', r.id::text, r.decided_at from lead_returns r join lead_assignments a on a.id = r.assignment_id
    ) entries`.execute(trx)
}

/** One delivery of 400 failed, and seven of eight of those were sent again, as the triggers note it. */
async function failSome(trx: Kysely<Database>): Promise<void> {
  await sql`
    with failed as (
      update webhook_deliveries set state = 'failed', attempt = 8, failure_class = 'http_5xx',
        settled_at = case when abs(hashtext(id::text)) % 8 > 0 then finished_at end
      where abs(hashtext(event_id::text)) % 400 = 0 returning *
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, next_attempt_at, finished_at, created_at, resend_of)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, 'delivered', 1, null, finished_at, finished_at, id from failed where settled_at is not null`.execute(
    trx,
  )
}

/** A long outage: deliveries that are due, and as many whose next attempt is planned for later. */
export async function queueDeliveries(db: Kysely<Database>, each: number): Promise<void> {
  await unguarded(db, (trx) =>
    sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, next_attempt_at, created_at)
    select gen_random_uuid(), 'lead.assigned', ${ID('webhook', sql`1 + n % ${WEBHOOKS}::int`)}, ${ID('client', sql`1 + (1 + n % ${WEBHOOKS}::int) % ${CLIENTS}::int`)},
      gen_random_uuid(), 'pending', 1, now() + make_interval(secs => (n - ${each}::int) / 10.0 + case when n > ${each}::int then 3600 else 0 end), now()
    from generate_series(1, 2 * ${each}::int) n`.execute(trx),
  )
}
