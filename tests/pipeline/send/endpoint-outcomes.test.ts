import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Db } from '#core/data/database.ts'
import { removeOutcomeTellers } from '#core/data/webhooks/health/remove-endpoint-history.ts'
import { BREAKER_RULE } from '#core/domain/webhooks/breaker.ts'
import { startTcpProxy, type ProxiedConnection } from '#scripts/lab/start-tcp-proxy.ts'
import { givenClient, givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { createOutcomeTally, type Outcome } from '#worker/endpoint/tally-outcomes.ts'

let pipeline: TestPipeline
let client: string

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  client = await givenClient(pipeline.db)
})
afterAll(async () => {
  await pipeline.close()
})

/** Creates an endpoint, with helpers for outcomes of attempts whose exchange ended at a `second`. */
async function givenEndpoint() {
  const { id } = await givenConfig(pipeline.context, client, { endpoint_url: 'https://crm.example.com/' })
  const at = (second: number): Date => new Date(Date.UTC(2026, 10, 21, 12, 0, second))
  const ended = (second: number, fields: Partial<Outcome>): Outcome => ({
    webhook_config_id: id,
    is_probe: false,
    ended_at: at(second),
    took_ms: 30,
    status: null,
    delivered: false,
    error_class: null,
    error_message: null,
    ...fields,
  })
  return {
    id,
    at,
    delivered: (second: number) => ended(second, { status: 200, delivered: true }),
    refused: (second: number) =>
      ended(second, { status: 500, error_class: 'http_5xx', error_message: '500' }),
    unanswered: (second: number) => ended(second, { error_class: 'reset', error_message: 'closed' }),
    health: async () => {
      const { rows } = await sql<Record<string, unknown>>`
        select failures_in_row, failing_since, last_attempt_at, last_success_at, last_status, last_error_class,
          unanswered_in_row, breaker
        from webhook_endpoint_health where webhook_config_id = ${id}`.execute(pipeline.db)
      return rows[0]
    },
    hours: async () => {
      const { rows } = await sql<{ delivered: number; failed: number; timed: number }>`
        select sum(delivered)::int as delivered, sum(failed)::int as failed,
          (select sum(one)::int from webhook_endpoint_hours o, unnest(o.latency) one
            where o.webhook_config_id = ${id}) as timed
        from webhook_endpoint_hours where webhook_config_id = ${id}`.execute(pipeline.db)
      return rows[0]
    },
  }
}

/** Records outcomes in the order in which a worker saw them. */
async function tell(outcomes: readonly Outcome[], db: Db = pipeline.db) {
  const tally = createOutcomeTally()
  for (const outcome of outcomes) tally.note(outcome)
  return await tally.tell(db)
}

const times = <Made>(count: number, make: (second: number) => Made): Made[] =>
  Array.from({ length: count }, (_, index) => make(index + 1))

test('outcomes of many endpoints are stored in chunks, each of which locks only its own endpoints', async () => {
  const { delivered } = await givenEndpoint()
  const { rows: many } = await sql<{ id: string }>`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select ${client}, 'CRM', 'https://crm.example.com/', '{}', 'unused' from generate_series(1, 401) returning id`.execute(
    pipeline.db,
  )
  await tell(many.map(({ id }) => ({ ...delivered(1), webhook_config_id: id })))

  const { rows } = await sql<{ told: number; seen: number }>`
    select told::int as told, (
      select count(*)::int from webhook_endpoint_health where webhook_config_id = any(${many.map(({ id }) => id)}::uuid[])
    ) as seen
    from webhook_outcome_tellers order by told_at desc limit 1`.execute(pipeline.db)
  expect(rows).toEqual([{ told: 3, seen: 401 }])
})

describe('an endpoint with an open breaker that got no request', () => {
  const open = async () => {
    const endpoint = await givenEndpoint()
    await tell(times(BREAKER_RULE.opensAfter, endpoint.unanswered))
    const probe = async (second: number, errorClass: string) => {
      await sql`update webhook_endpoint_health set probe_delivery_id = gen_random_uuid(), probe_at = now() + interval '1 hour'
        where webhook_config_id = ${endpoint.id}`.execute(pipeline.db)
      await tell([{ ...endpoint.unanswered(second), is_probe: true, error_class: errorClass }])
      const { rows } = await sql<{ breaker: string; probes: number; ended: boolean; due: boolean }>`
        select breaker, probes, probe_delivery_id is null as ended, probe_at <= now() as due
        from webhook_endpoint_health where webhook_config_id = ${endpoint.id}`.execute(pipeline.db)
      return rows[0]
    }
    return { endpoint, probe }
  }

  test.for(['authentication', 'blocked_address', 'invalid_request'])(
    'does not count as unanswered: %s',
    async (errorClass) => {
      const { endpoint } = await open()
      await tell(times(3, (second) => ({ ...endpoint.unanswered(second + 20), error_class: errorClass })))
      expect(await endpoint.health()).toMatchObject({
        breaker: 'open',
        unanswered_in_row: BREAKER_RULE.opensAfter,
        failures_in_row: BREAKER_RULE.opensAfter + 3,
      })
      expect(await endpoint.hours()).toMatchObject({ timed: BREAKER_RULE.opensAfter })
    },
  )

  test.for([
    ['invalid_request', 'at once, by another delivery', { probes: 0, due: true }],
    ['authentication', 'later', { probes: 1, due: false }],
    ['blocked_address', 'later', { probes: 1, due: false }],
    ['timeout', 'later', { probes: 1, due: false }],
  ] as const)('gets, after a probe that ended with %s, the next probe %s', async ([errorClass, , next]) => {
    const { probe } = await open()
    expect(await probe(30, errorClass)).toEqual({ breaker: 'open', ended: true, ...next })
  })
})

describe('a commit', () => {
  /** Opens a database whose first commit breaks as told. */
  async function breaking(how: (connection: ProxiedConnection) => void) {
    const url = pipeline.environment.env['DATABASE_URL'] ?? ''
    const proxy = await startTcpProxy(url)
    let broken = 0
    proxy.onSent((connection, piece) => {
      if (broken > 0 || !/commit/i.test(piece)) return
      broken += 1
      how(connection)
    })
    const { db, close } = openDatabase(
      { url: proxy.through(url), poolSize: 2, name: 'test' },
      () => undefined,
    )
    return {
      db,
      broken: () => broken,
      close: async () => {
        await close()
        await proxy.close()
      },
    }
  }

  test.for([
    ['whose answer is lost', (connection: ProxiedConnection) => connection.cutAtReply()],
    ['that never arrives', (connection: ProxiedConnection) => connection.cut()],
  ] as const)('%s makes the worker store the outcomes again, counted once', async ([, how]) => {
    const endpoint = await givenEndpoint()
    const { db, broken, close } = await breaking(how)
    const tally = createOutcomeTally()
    const few = BREAKER_RULE.opensAfter - 2
    tally.note(endpoint.delivered(1))
    for (const outcome of times(few, (second) => endpoint.unanswered(second + 1))) tally.note(outcome)
    await expect(tally.tell(db)).rejects.toThrow()
    expect(broken()).toBe(1)

    tally.note(endpoint.unanswered(30))
    await tally.tell(db)
    await tally.tell(db)

    expect(await endpoint.hours()).toEqual({ delivered: 1, failed: few + 1, timed: few + 2 })
    expect(await endpoint.health()).toMatchObject({
      failures_in_row: few + 1,
      unanswered_in_row: few + 1,
      breaker: 'closed',
      last_attempt_at: endpoint.at(30),
    })
    await close()
  })
})

describe('an outcome that is stored after a later one', () => {
  test('as a failure leaves the success that came after it', async () => {
    const endpoint = await givenEndpoint()
    await tell([endpoint.delivered(20)])
    await tell([endpoint.refused(10)])

    expect(await endpoint.health()).toMatchObject({
      failures_in_row: 0,
      failing_since: null,
      last_attempt_at: endpoint.at(20),
      last_success_at: endpoint.at(20),
      last_status: 200,
      last_error_class: null,
    })
    expect(await endpoint.hours()).toEqual({ delivered: 1, failed: 1, timed: 2 })
  })

  test('as a success leaves the failures that came after it', async () => {
    const endpoint = await givenEndpoint()
    await tell([endpoint.refused(20), endpoint.refused(21)])
    await tell([endpoint.delivered(10)])

    expect(await endpoint.health()).toMatchObject({
      failures_in_row: 2,
      failing_since: endpoint.at(20),
      last_success_at: endpoint.at(10),
      last_status: 500,
      last_error_class: 'http_5xx',
    })
  })

  test('as a success between two failures leaves the second failure', async () => {
    const endpoint = await givenEndpoint()
    await tell([endpoint.refused(10)])
    await tell([endpoint.refused(20)])
    await tell([endpoint.delivered(15)])

    expect(await endpoint.health()).toMatchObject({
      failures_in_row: 1,
      failing_since: endpoint.at(20),
      last_success_at: endpoint.at(15),
      last_status: 500,
    })
  })

  test('by the same worker, in one batch, follows the same rule', async () => {
    const endpoint = await givenEndpoint()
    await tell([endpoint.refused(30), endpoint.delivered(20), endpoint.refused(10), endpoint.refused(25)])

    expect(await endpoint.health()).toMatchObject({
      failures_in_row: 2,
      failing_since: endpoint.at(25),
      last_attempt_at: endpoint.at(30),
      last_success_at: endpoint.at(20),
      last_status: 500,
    })
  })

  test('as an answer does not close a breaker that opened after it', async () => {
    const endpoint = await givenEndpoint()
    expect(
      await tell(times(BREAKER_RULE.opensAfter, (second) => endpoint.unanswered(second + 10))),
    ).toMatchObject([{ breaker: 'open' }])

    expect(await tell([endpoint.delivered(5)])).toEqual([])
    expect(await endpoint.health()).toMatchObject({
      breaker: 'open',
      unanswered_in_row: BREAKER_RULE.opensAfter,
      last_success_at: endpoint.at(5),
    })
    expect(await tell([endpoint.delivered(40)])).toMatchObject([{ breaker: 'closed' }])
    expect(await endpoint.health()).toMatchObject({ unanswered_in_row: 0, last_status: 200 })
  })

  test('without an answer does not open a breaker after the answer that followed it', async () => {
    const endpoint = await givenEndpoint()
    await tell([endpoint.refused(50)])

    expect(await tell(times(BREAKER_RULE.opensAfter, endpoint.unanswered))).toEqual([])
    expect(await endpoint.health()).toMatchObject({
      breaker: 'closed',
      unanswered_in_row: 0,
      last_status: 500,
    })
  })
})

test('adds up, with those of other workers, to one row of failures if all are in order', async () => {
  const endpoint = await givenEndpoint()
  await tell([endpoint.delivered(1), endpoint.refused(2)])
  await tell([endpoint.refused(3), endpoint.unanswered(4)])
  expect(await endpoint.health()).toMatchObject({
    failures_in_row: 3,
    failing_since: endpoint.at(2),
    unanswered_in_row: 1,
  })
  await tell([endpoint.delivered(5)])

  expect(await endpoint.health()).toMatchObject({
    failures_in_row: 0,
    failing_since: null,
    unanswered_in_row: 0,
    last_success_at: endpoint.at(5),
    last_status: 200,
  })
})

test('a worker that reports nothing any more is forgotten', async () => {
  const endpoint = await givenEndpoint()
  await tell([endpoint.delivered(1)])
  const count = async (): Promise<number> =>
    (await pipeline.db.selectFrom('webhook_outcome_tellers').select('id').execute()).length
  expect(await count()).toBeGreaterThan(0)
  await removeOutcomeTellers(pipeline.db, new Date(Date.now() - 60_000))
  expect(await count()).toBeGreaterThan(0)
  await removeOutcomeTellers(pipeline.db, new Date(Date.now() + 60_000))
  expect(await count()).toBe(0)
})
