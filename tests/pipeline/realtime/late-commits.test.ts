import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Kysely, type Transaction } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { withinSavepoint } from '#core/data/within-savepoint.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { startTcpProxy } from '#scripts/lab/start-tcp-proxy.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { givenBuyer } from '#tests/support/given/market.ts'
import { assignLead, givenClient, givenConfig, givenLead } from '#tests/support/given/pipeline.ts'
import { setUpFeeds } from './support/follow-feed.ts'

const feeds = setUpFeeds()
/** Longer than a row may be written before its commit without its transaction being noticed. */
const LONG_MS = 4000

async function store(trx: Transaction<Database>, client: string): Promise<string> {
  const lead = { user_id: client, lead_type: 'final_expense', state: 'CA' }
  const { id } = await trx.insertInto('leads').values(lead).returning('id').executeTakeFirstOrThrow()
  const event = { type: 'lead.created', lead_id: id, client_user_id: client } as const
  await trx.insertInto('events').values(event).execute()
  return id
}

/** Begins a transaction, and commits it when the result is called. */
async function begin<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<{ done: T; commit: () => Promise<void> }> {
  const done = Promise.withResolvers<T>()
  const release = Promise.withResolvers<void>()
  const running = db.transaction().execute(async (trx) => {
    done.resolve(await work(trx))
    await release.promise
  })
  running.catch(done.reject)
  return {
    done: await done.promise,
    commit: async () => {
      release.resolve()
      await running
    },
  }
}

const ids = (leads: readonly string[]): string[] => leads.map((lead) => `INSERT ${lead}`)

test('a commit that comes later than others with newer times is told, of every table, and once', async () => {
  const { db, context } = feeds.pipeline
  const [client, buyer] = [await givenClient(db), await givenBuyer(db)]
  const { id: hook } = await givenConfig(context, client, { endpoint_url: 'https://crm.example.com/' })
  const heard = await feeds.follow(client)
  const paid = await feeds.follow(buyer, { tables: ['client_balances'] })

  const late = await begin(db, async (trx) => {
    const lead = await store(trx, client)
    await trx
      .updateTable('client_webhook_configs')
      .set({ updated_at: sql`now()` })
      .where('id', '=', hook)
      .execute()
    const entry = {
      client_user_id: buyer,
      entry_type: 'top_up',
      amount: '7.00',
      reference_id: randomUUID(),
    } as const
    await trx.insertInto('balance_ledger').values(entry).execute()
    return lead
  })
  const early: string[] = []
  const until = Date.now() + LONG_MS
  while (Date.now() < until) {
    early.push(await givenLead(db, client))
    await wait(400)
  }
  await heard.count(early.length)
  await late.commit()
  await heard.count(early.length + 2)
  await paid.count(1)
  const [last] = [await givenLead(db, client)]
  await heard.count(early.length + 3)

  expect(heard.of('leads')).toEqual(ids([...early, late.done, last]))
  expect(heard.of('client_webhook_configs')).toEqual([`UPDATE ${hook}`])
  expect(paid.changes).toMatchObject([{ record: { balance: 1007 } }])
  expect(heard.resyncs).toBe(0)
})

test('an attempt that a worker could not record for minutes is told when it is recorded, and once', async () => {
  const { db, context } = feeds.pipeline
  const client = await givenClient(db)
  const { id: webhook_config_id } = await givenConfig(context, client, {
    endpoint_url: 'https://crm.example.com/',
  })
  const heard = await feeds.follow(client, { tables: ['webhook_delivery_logs'] })
  const of = { webhook_config_id, client_user_id: client }
  const told = async (ago: number, count: number): Promise<void> => {
    await givenLogRow(db, new Date(Date.now() - ago), of)
    await expect.poll(() => heard.changes.length, { timeout: 40_000 }).toBe(count)
  }
  await told(300_000, 1)
  await told(0, 2)
  await told(240_000, 3)
})

test('a row that a savepoint wrote is told after its transaction', async () => {
  const { db } = feeds.pipeline
  const client = await givenClient(db)
  const heard = await feeds.follow(client)
  const inside = await begin(db, (trx) => withinSavepoint(trx, () => store(trx, client)))
  const beside = await givenLead(db, client)
  await heard.count(1)
  await inside.commit()
  await heard.count(2)
  expect(heard.of('leads')).toEqual(ids([beside, inside.done]))
})

test('nothing of a transaction is told that is rolled back', async () => {
  const { db } = feeds.pipeline
  const client = await givenClient(db)
  const heard = await feeds.follow(client)
  const failing = db.transaction().execute(async (trx) => {
    await store(trx, client)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const lead = await givenLead(db, client)
  await heard.count(1)
  expect(heard.of('leads')).toEqual(ids([lead]))
})

test('a burst is told whole, each row in its order', async () => {
  const { db } = feeds.pipeline
  const client = await givenClient(db)
  const heard = await feeds.follow(client, { tables: ['leads'] })
  const leads: string[] = []
  const one = async (): Promise<void> => {
    for (let round = 0; round < 15; round += 1) {
      const lead = await givenLead(db, client)
      leads.push(lead)
      await assignLead(db, lead)
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  const newest = new Map<string, unknown>()
  const isTold = (): boolean => {
    for (const { record } of heard.changes) newest.set(String(record?.['id']), record?.['status'])
    return leads.every((lead) => newest.get(lead) === 'assigned')
  }
  await expect.poll(isTold, { timeout: 10_000 }).toBe(true)
  for (const lead of leads) {
    const types = heard.changes.filter(({ record }) => record?.['id'] === lead).map(({ type }) => type)
    expect(types[0]).toBe('INSERT')
    expect(types.slice(1)).toEqual(types.length > 1 ? ['UPDATE'] : [])
  }
})

test('a listener is told to read again when more was written than can be told, and then hears on', async () => {
  const { db } = feeds.pipeline
  const client = await givenClient(db)
  const heard = await feeds.follow(client)
  await sql`
    insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
    select 'lead.created', uuid_v7(), ${client}, now(), now() from generate_series(1, 20000)`.execute(db)
  await expect.poll(() => heard.resyncs, { timeout: 10_000 }).toBe(1)
  const lead = await givenLead(db, client)
  await heard.count(1)
  expect(heard.of('leads')).toEqual(ids([lead]))
  expect(heard.resyncs).toBe(1)
})

test('two servers tell their own listeners the same', async () => {
  const { db } = feeds.pipeline
  const client = await givenClient(db)
  const followThere = feeds.open()
  const [here, there] = [await feeds.follow(client), await followThere(client)]
  const leads = [await givenLead(db, client), await givenLead(db, client)]
  await here.count(2)
  await there.count(2)
  expect(here.of('leads').toSorted()).toEqual(ids(leads).toSorted())
  expect(there.of('leads').toSorted()).toEqual(ids(leads).toSorted())
})

test('what happens while a server cannot reach PostgreSQL is told when it can again', async () => {
  const { db, environment } = feeds.pipeline
  const client = await givenClient(db)
  const url = environment.env['DATABASE_URL'] ?? ''
  const proxy = await startTcpProxy(url)
  onTestFinished(() => proxy.close())
  const heard = await feeds.open(proxy.through(url))(client)
  const before = await givenLead(db, client)
  await heard.count(1)
  proxy.fault.swallow = 1
  proxy.resetAll()
  const leads: string[] = []
  for (const until = Date.now() + LONG_MS; Date.now() < until; await wait(500))
    leads.push(await givenLead(db, client))
  expect(heard.of('leads')).toEqual(ids([before]))
  proxy.mend()
  await heard.count(1 + leads.length)
  const after = await givenLead(db, client)
  await heard.count(2 + leads.length)
  expect(heard.of('leads').toSorted()).toEqual(ids([before, ...leads, after]).toSorted())
})
