import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { fillDeliveries, type SampledAttempt } from './fill-deliveries.ts'

const LOG_WEEKS = 26
const CONFIGURATIONS = 100
/** Attempts for one lead, of all configurations together. */
const EACH_LEAD = 20
/**
 * In the second half of the configurations every third attempt is for `lead.created`; the first half gets
 * only `lead.assigned`.
 */
const CREATED_EVERY = 3
/** Every tenth attempt failed. */
const FAILED_EVERY = 10
/** Rows of one statement, which must end before the connection's time limit. */
const CHUNK = 20_000

export interface FilledLogs {
  client: string
  configurations: string[]
  sampled: SampledAttempt[]
}

const V7 = (time: ReturnType<typeof sql>) => sql`
  encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from ${time}) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`

/**
 * Adds this many attempts of one client's many configurations, spread evenly over half a year; can be
 * repeated.
 */
export async function fillLogs(db: Kysely<Database>, count: number): Promise<FilledLogs> {
  const { client, configurations } = await owner(db)
  await makeWeeks(db)
  for (let done = 0; done < count; done += CHUNK) {
    const size = Math.min(CHUNK, count - done)
    await sql`
      with brought as (
        insert into leads (created_at, user_id, name, email, phone, lead_type)
        select now() - make_interval(weeks => ${LOG_WEEKS + 1}), ${client}, 'Example Lead', gen_random_uuid() || '@example.com',
          '+1512555' || lpad((n % 10000)::text, 4, '0'), 'final_expense'
        from generate_series(1, ${Math.ceil(size / EACH_LEAD)}::int) n returning id
      )
      insert into webhook_delivery_logs (id, created_at, webhook_config_id, client_user_id, delivery_id, event_id,
        event_type, lead_id, delivery_status, response_status, attempt_number, processing_time_ms, error_class,
        error_message, remote_address, request_url, request_method, timing)
      select ${V7(sql`at`)}, at, (${configurations}::uuid[])[1 + n % ${CONFIGURATIONS}::int], ${client}, ${V7(sql`at`)},
        ${V7(sql`at`)}, case when n % ${CONFIGURATIONS}::int >= ${CONFIGURATIONS / 2}::int and n % ${CREATED_EVERY}::int = 0
          then 'lead.created' else 'lead.assigned' end, lead, case when failed then 'failed' else 'delivered' end,
        case when failed then 503 else 200 end, 1, 40 + n % 50, case when failed then 'http_5xx' end,
        case when failed then '503: your endpoint is not available right now.' end, '192.0.2.1',
        'https://crm.example.com/leads', 'POST', '{"connect_ms":null,"headers_ms":40,"total_ms":41}'
      from (
        select n, random() < ${1 / FAILED_EVERY}::float8 as failed,
          now() - random() * make_interval(weeks => ${LOG_WEEKS}) as at,
          leads.ids[1 + n % array_length(leads.ids, 1)] as lead
        from generate_series(1, ${size}::int) n, (select array_agg(id) as ids from brought) leads
        order by at
      ) made`.execute(db)
  }
  return { client, configurations, sampled: await fillDeliveries(db, client, configurations) }
}

async function owner(db: Kysely<Database>): Promise<{ client: string; configurations: string[] }> {
  const there = await db
    .selectFrom('client_webhook_configs')
    .select(['id', 'client_user_id'])
    .orderBy('id')
    .execute()
  if (there[0] !== undefined)
    return { client: there[0].client_user_id, configurations: there.map(({ id }) => id) }
  const client = randomUUID()
  const email = `${client}@example.com`
  await db.insertInto('auth.users').values({ id: client, email, password_hash: null }).execute()
  await db.insertInto('profiles').values({ user_id: client, email, name: 'Example Client' }).execute()
  await sql`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select ${client}, 'Example CRM ' || n, 'https://crm.example.com/leads', '{}', 'none'
    from generate_series(1, ${CONFIGURATIONS}::int) n`.execute(db)
  return owner(db)
}

/** Makes the weekly partitions: a row of each week falls into the default partition and is moved. */
async function makeWeeks(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into webhook_delivery_log_bodies (id, created_at, request_headers, request_body)
    select gen_random_uuid(), now() - make_interval(weeks => n), '{}', '' from generate_series(1, ${LOG_WEEKS}::int) n
  `.execute(db)
  await sql`
    insert into webhook_delivery_logs (webhook_config_id, created_at, client_user_id, delivery_id, event_id, event_type,
      lead_id, delivery_status, attempt_number, request_url, request_method)
    select gen_random_uuid(), now() - make_interval(weeks => n), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
      'lead.assigned', gen_random_uuid(), 'delivered', 1, '', 'POST' from generate_series(1, ${LOG_WEEKS}::int) n
  `.execute(db)
  await ensureLogPartitions(db, 4)
}
