import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { withoutIndexes } from './without-indexes.ts'

const OTHERS = 100
/** Rows of one statement, which must end before the connection's time limit. */
const CHUNK = 25_000
/** Statements that run at once, one for each core. */
const AT_ONCE = 2
const DAYS = 365

/** The owners of these leads: every second lead is the first client's, the others share the rest. */
export interface FilledLeads {
  client: string
  neighbour: string
  /** some leads of the client, from the whole period */
  sampled: { id: string; name: string; email: string; phone: string; state: string }[]
}

const V7 = (time: RawBuilder<unknown>) => sql`
  encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from ${time}) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`

const FIRST =
  'Robin,Jamie,Kim,Alex,Morgan,Casey,Riley,Jordan,Taylor,Avery,Quinn,Rowan,Sage,Emerson,Parker,Hayden,Dana,Lee'
const STEMS =
  'mar,lin,bel,cor,dan,fen,gal,hol,jan,kel,lor,mon,nor,pat,quin,ros,sal,tan,ul,ver,wil,yor,zan,bra,cla,dre,fre,gri'
const ENDS = 'son,ley,ton,man,berg,field,wood,er,ski,ez,well,ford,by,den,sen,ard'
const STATES =
  'TX,TX,TX,TX,CA,CA,CA,FL,FL,FL,NY,NY,PA,OH,GA,NC,MI,NJ,VA,WA,AZ,MA,TN,IN,MO,MD,WI,CO,MN,SC,AL,LA,KY,OR,OK,CT,UT,IA,NV,AR'

/** Adds this many leads, spread evenly over a year, the oldest first; can be repeated. */
export async function fillLeads(db: Kysely<Database>, count: number): Promise<FilledLeads> {
  const { client, others, webhook } = await owners(db)
  const starts = Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => index * CHUNK)
  const fill = async (): Promise<void> => {
    for (let done = starts.shift(); done !== undefined; done = starts.shift()) {
      const size = Math.min(CHUNK, count - done)
      const from = done
      await db.transaction().execute(async (trx) => {
        await sql`set local synchronous_commit = off`.execute(trx)
        // The made-up rows refer to existing ones, so constraints, triggers and counters can be skipped.
        await sql`set local session_replication_role = replica`.execute(trx)
        await fillSome(trx, { client, others, webhook }, { done: from, size, count })
      })
    }
  }
  await withoutIndexes(db, async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, fill))
    await addOwned(db, client)
  })
  // The sums of days do not include the added leads.
  await sql`delete from lead_day_sums`.execute(db)
  const { rows } = await sql<FilledLeads['sampled'][number]>`
    select id, name, email::text, phone, state from leads tablesample system (${count < 50_000 ? 100 : 2})
    where assigned_to = ${client} and status = 'assigned' and phone is not null limit 1000`.execute(db)
  return { client, neighbour: others[0] ?? '', sampled: rows }
}

async function fillSome(
  trx: Kysely<Database>,
  { client, others, webhook }: { client: string; others: readonly string[]; webhook: string },
  { done, size, count }: { done: number; size: number; count: number },
): Promise<void> {
  const pick = (list: string, by: RawBuilder<unknown>) =>
    sql`(string_to_array(${list}, ','))[1 + (${by})::int % ${list.split(',').length}::int]`
  await sql`
    with drawn as (
      select n, now() - make_interval(secs => ${DAYS * 86_400}::float8 * (1 - (${done}::float8 + n) / ${count}::float8)) as at,
        case when n % 2 = 0 then ${client}::uuid else (${[...others]}::uuid[])[1 + (n / 2) % ${OTHERS}::int] end as holder,
        (random() * 1e6)::int as a, (random() * 1e6)::int as b, (random() * 1e6)::int as c, (random() * 1e6)::int as d
      from generate_series(1, ${size}::int) n
    ), named as (
      select *, ${pick(FIRST, sql`a`)} as first,
        initcap(${pick(STEMS, sql`b`)} || ${pick(STEMS, sql`b / 100`)} || ${pick(ENDS, sql`c`)}) as last
      from drawn
    ), brought as (
      insert into leads (id, created_at, assigned_at, assigned_to, user_id, status, is_test, name, email, phone, state, lead_type,
        source, price_charged)
      select ${V7(sql`at`)}, at, at, holder, case when a % 3 = 0 then holder end, case when d % 50 = 0 then 'returned' else 'assigned' end,
        d % 500 = 1, first || ' ' || last, lower(last) || '.' || lower(first) || c || '@example.com',
        '+1' || (200 + a % 800) || '555' || lpad((b % 10000)::text, 4, '0'), ${pick(STATES, sql`c`)},
        case when d % 1000 = 2 then 'medicare' when a % 4 = 0 then 'auto' else 'final_expense' end, 'Example form', 10 + b % 40
      from named returning id, assigned_to, created_at, status
    ), held as (
      insert into lead_assignments (lead_id, client_user_id, state, disposition, first_viewed_at, assigned_at)
      select id, assigned_to, case when status = 'returned' then 'returned' else 'active' end,
        (array['new','new','attempted','attempted','contacted','follow_up','quoted','sold','not_interested'])[1 + (random() * 8)::int],
        case when random() > 0.01 then created_at end, created_at
      from brought
    ), told as (
      insert into events (type, lead_id, client_user_id, created_at, enqueued_at, planned_at)
      select 'lead.assigned', id, ${client}::uuid, created_at, created_at, created_at from brought
      where assigned_to = ${client} returning id, lead_id, created_at
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
      next_attempt_at, created_at, finished_at)
    select id, 'lead.assigned', ${webhook}::uuid, ${client}::uuid, lead_id,
      case when random() < 0.02 then 'failed' else 'delivered' end, 1, null, created_at, created_at from told`.execute(
    trx,
  )
}

/** Adds a few leads that the client owns and that are assigned to nobody. */
async function addOwned(db: Kysely<Database>, client: string): Promise<void> {
  await sql`
    insert into leads (user_id, name, email, lead_type, state)
    select ${client}::uuid, 'Kim Unassigned', 'kim' || n || '@example.com', 'auto', 'TX' from generate_series(1, 50) n`.execute(
    db,
  )
}

async function owners(db: Kysely<Database>): Promise<{ client: string; others: string[]; webhook: string }> {
  const there = await sql<{ user_id: string }>`
    select user_id from profiles where email like 'bench-%' order by email`.execute(db)
  const [client, ...others] = there.rows.map((row) => row.user_id)
  if (client !== undefined) {
    const { id } = await db.selectFrom('client_webhook_configs').select('id').executeTakeFirstOrThrow()
    return { client, others, webhook: id }
  }
  for (let index = 0; index <= OTHERS; index += 1) {
    const id = randomUUID()
    const email = `bench-${String(index).padStart(3, '0')}@example.com`
    await db.insertInto('auth.users').values({ id, email, password_hash: null }).execute()
    await db.insertInto('profiles').values({ user_id: id, email, name: 'Example Client' }).execute()
  }
  await sql`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select user_id, 'Example CRM', 'https://crm.example.com/leads', '{}', 'none' from profiles where email = 'bench-000@example.com'`.execute(
    db,
  )
  return owners(db)
}
