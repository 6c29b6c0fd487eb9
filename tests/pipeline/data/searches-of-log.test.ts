import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeliverableEvent } from '#core/contract/events.ts'
import { openDatabase, type Db } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { readChangeTokens } from '#core/data/change-tokens.ts'
import { listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import type { LogFilter } from '#core/data/webhooks/logs/log-filter.ts'
import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { givenClient, givenConfig } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const WEEKS = 26
const DAY_MS = 86_400_000
const ATTEMPTS = 13_000
const PAGE = 7
const LONG = `502: ${'a gateway before your endpoint had no answer. '.repeat(12)}`

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let db: Kysely<Database>
let client: string
/** A configuration that fails with three texts and gets only one type of event. */
let plain: string
/**
 * A configuration that gets both types of event and fails with more texts than are searched one by one, some
 * of them long.
 */
let wordy: string
/** Newest first. */
let all: Array<{ id: string; config: string; event_type: DeliverableEvent; at: Date; error: string | null }>

beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
  db = opened.db
  client = await givenClient(db)
  const given = { db, secrets: createSecretBox(Buffer.alloc(32, 1).toString('base64')) }
  const make = async () => (await givenConfig(given, client, { endpoint_url: 'https://crm.example.com' })).id
  plain = await make()
  wordy = await make()
  await attempt(
    plain,
    sql`'lead.assigned'`,
    sql`(array['503: not available', '401: Refused', 'timed out after 15 s'])[1 + n % 3]`,
  )
  await attempt(
    wordy,
    sql`case when n % 3 = 0 then 'lead.created' else 'lead.assigned' end`,
    sql`case when n % 10 = 0 then ${LONG} || 'Number ' || n % 4 else '409: lead ' || n % 90 || ' is there 100%' end`,
  )
  await ensureLogPartitions(db, 4)
  await sql`vacuum (analyze) webhook_delivery_logs`.execute(db)
  const { rows } = await sql<(typeof all)[number]>`
    select id, webhook_config_id as config, event_type, created_at as at, error_message as error
    from webhook_delivery_logs order by created_at desc, id desc`.execute(db)
  all = rows
}, 60_000)
afterAll(async () => {
  await opened.close()
  await database.drop()
})

/** Inserts attempts spread evenly over half a year, four at each time; at every second time they failed. */
async function attempt(config: string, event: ReturnType<typeof sql>, error: ReturnType<typeof sql>) {
  await sql`
    insert into webhook_delivery_logs (created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type,
      lead_id, delivery_status, attempt_number, error_message, request_url, request_method)
    select now() - make_interval(weeks => ${WEEKS}) * (n - n % 4) / ${ATTEMPTS}::int, ${config}::uuid, ${client}::uuid,
      gen_random_uuid(), gen_random_uuid(), ${event}, gen_random_uuid(),
      case when n % 8 < 4 then 'failed' else 'delivered' end, 1, case when n % 8 < 4 then ${error} end, '', 'POST'
    from generate_series(1, ${ATTEMPTS}::int - 1) n`.execute(db)
}

const kept = () => ({
  since: new Date(Date.now() - 180 * DAY_MS),
  until: new Date(Date.now() + 7 * DAY_MS),
})

async function readPages(filter: Partial<LogFilter>): Promise<string[][]> {
  const pages: string[][] = []
  let after: { at: string; id: string } | undefined
  do {
    const rows = await listDeliveryLogs(db, { client, kept: kept(), ...filter }, { limit: PAGE, after })
    pages.push(rows.slice(0, PAGE).map(({ id }) => id))
    const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
    after = last === undefined ? undefined : { at: last.position, id: last.id }
  } while (after !== undefined && pages.length < 6)
  return pages
}

/** Counts the rows of the log that were read for an answer. */
async function rowsRead(ask: (trx: Db) => Promise<unknown>, of = db): Promise<number> {
  return await of.transaction().execute(async (trx) => {
    const sum = async (): Promise<number> => {
      const { rows } = await sql<{ read: number }>`
        select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as read from pg_stat_xact_user_tables
        where relname ~ '^webhook_delivery_logs_'`.execute(trx)
      return rows[0]?.read ?? expect.fail('no figures of the log')
    }
    const before = await sum()
    await ask(trx)
    return (await sum()) - before
  })
}

const SEARCHES: Array<[string, 'plain' | 'wordy', string, Partial<LogFilter>]> = [
  ['a text in many errors', 'plain', 'not available', {}],
  ['a text in other letters', 'plain', 'rEFUSED', {}],
  ['a text in no error', 'plain', 'zebra crossing', {}],
  ['a text in one of many errors', 'wordy', 'lead 41 is', {}],
  ['a text in many different errors', 'wordy', 'is there', {}],
  ['the end of a long text', 'wordy', 'number 2', {}],
  ['a wildcard for any text', 'wordy', '0%', {}],
  ['a wildcard for any letter', 'wordy', 'lead_4', {}],
  ['a text and an event type', 'wordy', 'there', { event_type: 'lead.created' }],
  ['a text and an event type that never came', 'plain', 'refused', { event_type: 'lead.created' }],
  [
    'a text and a month',
    'plain',
    'timed out',
    { from: new Date(Date.now() - 90 * DAY_MS), to: new Date(Date.now() - 60 * DAY_MS) },
  ],
  ['a text and the status failed', 'plain', 'timed', { status: 'failed' }],
  ['a text and the status delivered', 'plain', 'timed', { status: 'delivered' }],
]

describe('a search finds errors by', () => {
  it.each(SEARCHES)('%s', async (_what, which, search, filter) => {
    const config = which === 'plain' ? plain : wordy
    const { event_type, from, to, status } = filter
    const expected = all.filter(
      (one) =>
        one.config === config &&
        one.error?.toLowerCase().includes(search.toLowerCase()) === true &&
        one.at >= kept().since &&
        (event_type === undefined || one.event_type === event_type) &&
        (from === undefined || one.at >= from) &&
        (to === undefined || one.at < to) &&
        status !== 'delivered',
    )
    const pages = await readPages({ webhook_config_id: config, search, ...filter })

    const wanted = expected.map(({ id }) => id).slice(0, 6 * PAGE)
    expect(pages.flat()).toEqual(wanted)
    expect(pages.slice(0, -1).every((page) => page.length === PAGE)).toBe(true)
  })
})

it('a search shows attempts with an unknown status or event type, and finds their errors', async () => {
  await sql`
    update webhook_delivery_logs set delivery_status = 'quarantined' where id = ${all[9]?.id} and webhook_config_id = ${all[9]?.config}`.execute(
    db,
  )
  const failed = all.find(({ config, error }) => config === wordy && error?.startsWith('409') === true)
  await sql`update webhook_delivery_logs set event_type = 'lead.sold' where id = ${failed?.id}`.execute(db)

  const pages = await readPages({ webhook_config_id: all[9]?.config ?? '' })
  expect(pages.flat()).toContain(all[9]?.id)
  expect((await readPages({ webhook_config_id: wordy }))[0]).toContain(failed?.id)
  expect((await readPages({ webhook_config_id: wordy, search: failed?.error ?? '' }))[0]).toContain(
    failed?.id,
  )
})

describe('a search of a large log reads few rows', () => {
  const asked: Array<[string, () => Partial<LogFilter>]> = [
    ['for an event type that never came', () => ({ event_type: 'lead.created' })],
    [
      'for failures of an event type that never came',
      () => ({ event_type: 'lead.created', status: 'failed' }),
    ],
    ['for a text in no error', () => ({ search: 'zebra crossing' })],
    ['for a text in many errors', () => ({ search: 'not available' })],
    [
      'for a text in many errors and an event type that never came',
      () => ({ search: 'not available', event_type: 'lead.created' }),
    ],
    ['for the newest', () => ({})],
    ['for delivered attempts', () => ({ status: 'delivered' })],
  ]
  it.each(asked)('%s', async (_what, filter) => {
    const read = await rowsReadOften(filter)
    // For every week: each of three texts once, the end of each, and the start of the searched ones; then a
    // page and one more for each type and each end.
    expect(read).toBeLessThanOrEqual(5 * (WEEKS + 2) + 4 * (PAGE + 1))
  })

  it('for delivered attempts where one event type always fails', async () => {
    await sql`
      update webhook_delivery_logs set delivery_status = 'failed'
      where webhook_config_id = ${wordy} and event_type = 'lead.created'`.execute(db)
    await sql`vacuum (analyze) webhook_delivery_logs`.execute(db)
    const read = await rowsReadOften(() => ({ webhook_config_id: wordy, status: 'delivered' }))
    expect(read).toBeLessThanOrEqual(5 * (WEEKS + 2) + 4 * (PAGE + 1))
  })
})

describe('a search of two days of a webhook with one event type reads few rows', () => {
  beforeAll(async () => {
    // According to the statistics, neither the webhook nor the type excludes any rows.
    await sql`delete from webhook_delivery_logs where webhook_config_id <> ${plain}`.execute(db)
    await sql`update webhook_delivery_logs set created_at = now() - (now() - created_at) / 91`.execute(db)
    await sql`vacuum (full, analyze) webhook_delivery_logs`.execute(db)
  })

  it.each<[string, () => Partial<LogFilter>]>([
    ['for the newest', () => ({})],
    ['for an event type that never came', () => ({ event_type: 'lead.created' })],
    ['of a new webhook', () => ({ webhook_config_id: wordy })],
  ])('%s', async (_what, filter) => {
    expect(await rowsReadOften(filter)).toBeLessThanOrEqual(4 * (WEEKS + 2) + 4 * (PAGE + 1))
  })

  it('for the change tokens', async () => {
    const followed = openDatabase(
      { url: database.url, poolSize: 1, name: 'test', byKey: true, inLine: true },
      () => undefined,
    )
    try {
      const read = await rowsRead(async (trx) => await readChangeTokens(trx, [client], null), followed.db)
      expect(read).toBeLessThanOrEqual(200)
    } finally {
      await followed.close()
    }
  })
})

/** Run at the end, when PostgreSQL has a cached plan. */
async function rowsReadOften(filter: () => Partial<LogFilter>): Promise<number> {
  const ask = async (trx: Db): Promise<unknown> =>
    await listDeliveryLogs(
      trx,
      { client, kept: kept(), webhook_config_id: plain, ...filter() },
      { limit: PAGE, after: undefined },
    )
  for (let asked = 0; asked < 12; asked += 1) await ask(db)
  return await rowsRead(ask)
}
