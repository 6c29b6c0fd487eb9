import type { Kysely, KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWorkToDo, type WorkToDo } from '#core/data/operations/work-to-do.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { createLookForWork } from '#worker/housekeeping/look-for-work.ts'
import { startChores } from '#worker/housekeeping/start-chores.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { noticeTo } from '#tests/support/given/due-mails.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const SECONDS = { unplannedSeconds: 30 }
const NOTHING: WorkToDo = {
  unenqueued: false,
  unplanned: false,
  due: false,
  alone: false,
  held: false,
  mails: false,
  unsold: false,
  undelivered: false,
  funding: false,
  charges: false,
  provider_ends: false,
  imports: false,
  recalls: false,
  revocations: false,
  receipts: false,
  exports: false,
  certifications: false,
  late: false,
}

const LATER = new Date(Date.now() + 3_600_000)

let pipeline: TestPipeline
beforeEach(async () => {
  pipeline = await startPipeline({ HOUSEKEEPING_PACE: '10' }, { worker: false })
  await pipeline.db.updateTable('lead_types').set({ offer_again_at: LATER }).execute()
})
afterEach(async () => {
  await pipeline.close()
})

const look = () => readWorkToDo(pipeline.db, { types: CONSUMED_EVENTS, ...SECONDS })

function counting(db: Kysely<Database>): { db: Kysely<Database>; asked: () => number } {
  let asked = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  }
  return { db: db.withPlugin(plugin), asked: () => asked }
}

test('an idle worker asks PostgreSQL about once a beat, for all its chores together', async () => {
  const { context } = pipeline
  const { db, asked } = counting(context.db)
  const heartbeat = `${queuePrefix(context.config.redis)}:heartbeat:*`
  const beats = async (): Promise<number> => {
    const [key] = await context.redis.keys(heartbeat)
    return key === undefined ? 0 : Number(await context.redis.get(key))
  }
  const reach = (beat: number) => waitUntil(async () => (await beats()) >= beat, { what: `Beat ${beat}` })
  const workers = { pulses: [], replace: () => undefined }
  const dispatcher = {
    notify: () => Promise.resolve(),
    setWorkerCount: () => undefined,
    pause: () => undefined,
    pulse: { queue: 'rounds', slots: 1, started: 0, running: 0 },
  }
  const { stop } = startChores(
    { ...context, db },
    {
      workers,
      dispatcher,
      alone: { look: () => Promise.resolve(), pause: () => undefined },
      ordersOf: () => [],
      assign: async () => await Promise.resolve(undefined),
    },
    () => undefined,
  )
  // The poll at the start is over.
  await reach(10)
  const [before, from] = [asked(), await beats()]
  await reach(from + 30)
  const [statements, passed] = [asked() - before, (await beats()) - from]
  await stop()

  expect(statements).toBeGreaterThan(0)
  expect(statements / passed).toBeLessThan(2.5)
})

test('the poll finds each kind of work when it is due', async () => {
  const { context, db } = pipeline
  expect(await look()).toEqual(NOTHING)

  const client = await givenClient(db)
  const { id: config } = await givenConfig(context, client, { endpoint_url: 'http://127.0.0.1:9/leads' })
  const lead = await givenLead(db, client)
  expect(await look()).toEqual(NOTHING)
  await sql`update events set created_at = now() - interval '3 seconds'`.execute(db)
  expect(await look()).toEqual({ ...NOTHING, unenqueued: true })
  await sql`update events set enqueued_at = now()`.execute(db)
  expect(await look()).toEqual(NOTHING)
  await sql`update events set enqueued_at = now() - interval '31 seconds'`.execute(db)
  expect(await look()).toEqual({ ...NOTHING, unplanned: true })
  await sql`update events set planned_at = now()`.execute(db)
  expect(await look()).toEqual(NOTHING)

  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
    select id, type, ${config}::uuid, ${client}::uuid, ${lead}::uuid from events`.execute(db)
  expect(await look()).toEqual({ ...NOTHING, due: true })
  await sql`update webhook_deliveries set lease_until = now() + interval '1 minute'`.execute(db)
  expect(await look()).toEqual(NOTHING)
  await sql`update webhook_deliveries set state = 'held', next_attempt_at = null, lease_until = null`.execute(
    db,
  )
  expect(await look()).toEqual({ ...NOTHING, held: true })
  await sql`update webhook_deliveries set state = 'cancelled', finished_at = now()`.execute(db)

  await sql`insert into webhook_endpoint_health (webhook_config_id, releasing_since) values (${config}, now())`.execute(
    db,
  )
  expect(await look()).toEqual({ ...NOTHING, held: true })
  await sql`
    update webhook_endpoint_health set releasing_since = null, breaker = 'open', opened_at = now(),
      probe_at = now() + interval '1 minute'`.execute(db)
  expect(await look()).toEqual(NOTHING)
  await sql`update webhook_endpoint_health set probe_at = now()`.execute(db)
  expect(await look()).toEqual({ ...NOTHING, held: true })
  await sql`delete from webhook_endpoint_health`.execute(db)

  await queueMails(db, [noticeTo(client)])
  expect(await look()).toEqual({ ...NOTHING, mails: true })
  await sql`update mails set next_try_at = now() + interval '1 minute'`.execute(db)
  expect(await look()).toEqual(NOTHING)

  await sql`update lead_types set offer_again_at = now()`.execute(db)
  expect(await look()).toEqual({ ...NOTHING, unsold: true })
  await db.updateTable('lead_types').set({ offer_again_at: LATER }).execute()
  await sql`update leads set status = 'unassigned', expires_at = now()`.execute(db)
  expect(await look()).toEqual({ ...NOTHING, unsold: true })
  await sql`delete from leads`.execute(db)

  await db.insertInto('undelivered_leads').values({ assignment_id: crypto.randomUUID() }).execute()
  expect(await look()).toEqual({ ...NOTHING, undelivered: true })
})

test('chores that ask at the same time share one query; a later chore makes another query', async () => {
  const { db, asked } = counting(pipeline.db)
  const { look: ask } = createLookForWork({ db }, SECONDS)

  await Promise.all([ask(), ask(), ask()])
  expect(asked()).toBe(1)
  await ask()
  expect(asked()).toBe(2)
})

test('a chore runs at its start, while there is work for it, and once more', async () => {
  const { db } = pipeline
  let runs = 0
  const { onlyFor } = createLookForWork({ db }, SECONDS)
  const chore = onlyFor(['mails'], async () => {
    runs += 1
    await Promise.resolve()
  })
  const run = () => chore(new AbortController().signal)

  await run()
  await run()
  expect(runs).toBe(1)
  await queueMails(db, [noticeTo(await givenClient(db))])
  await run()
  await run()
  expect(runs).toBe(3)
  await sql`update mails set next_try_at = null`.execute(db)
  await run()
  await run()
  expect(runs).toBe(4)
})

test('a chore for rare work is loaded and run only when there is such work', async () => {
  const { db } = pipeline
  const done: string[] = []
  const { loadedFor } = createLookForWork({ db }, SECONDS)
  const chore = loadedFor(['mails'], async () => {
    done.push('loaded')
    return await Promise.resolve(async () => void (await Promise.resolve(done.push('run'))))
  })
  const run = () => chore(new AbortController().signal)

  await run()
  expect(done).toEqual([])
  await queueMails(db, [noticeTo(await givenClient(db))])
  await run()
  await run()
  expect(done).toEqual(['loaded', 'run', 'run'])
})

test('a chore that failed runs again, even if it has no more work', async () => {
  let runs = 0
  const { onlyFor } = createLookForWork({ db: pipeline.db }, SECONDS)
  const chore = onlyFor(['mails'], async () => {
    runs += 1
    await Promise.resolve()
    if (runs === 1) throw new Error('PostgreSQL is away')
  })
  const run = () => chore(new AbortController().signal)

  await expect(run()).rejects.toThrow('PostgreSQL is away')
  await run()
  await run()
  expect(runs).toBe(2)
})
