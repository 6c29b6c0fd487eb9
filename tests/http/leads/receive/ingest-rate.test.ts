import { createKeyring } from '#core/secrets/keyring.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '#core/telemetry/logger.ts'
import { createContext, type ServerContext } from '#server/context.ts'
import { openIngestRates } from '#server/leads/ingest-rates.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { newLead, startApp, type TestApp, type TestSource } from '../../support/start-app.ts'

const LIMIT = 250
const MINUTE = 60_000
let app: TestApp
let others: ServerContext[]
const closings: Array<() => Promise<void>> = []
beforeAll(async () => {
  app = await startApp({ INGEST_RATE: String(LIMIT) })
  const { config } = app.context
  others = await Promise.all(
    ['second', 'third'].map(async (name) => {
      const { context, close } = await createContext(
        config,
        createKeyring(config.secretsKey ?? ''),
        createLogger(name, 'silent'),
      )
      closings.push(close)
      await waitUntil(() => context.announce.isReady(), { what: 'Redis' })
      return context
    }),
  )
})
afterAll(async () => {
  for (const close of closings) await close()
  await app.close()
})

/**
 * Runs work with a new source within one minute of the clock; if the minute ends meanwhile, it is repeated.
 */
async function inOneMinute<T>(work: (source: TestSource) => Promise<T>): Promise<T> {
  for (;;) {
    const source = await app.newSource()
    const minute = Math.floor(Date.now() / MINUTE)
    const done = await work(source)
    if (Math.floor(Date.now() / MINUTE) === minute) return done
  }
}
const post = ({ key }: TestSource, body: unknown = newLead()) =>
  app.call('POST', '/api/v1/leads', { token: key, body })
const postBatch = ({ key }: TestSource, count: number) =>
  app.call('POST', '/api/v1/leads/batch', {
    token: key,
    body: Array.from({ length: count }, () => newLead()),
  })
const countLeads = async ({ id }: TestSource) =>
  (await app.context.db.selectFrom('leads').select('id').where('source_id', '=', id).execute()).length

test('a lead above the source’s limit a minute is not stored, and the answer says how long to wait', async () => {
  const { whole, tooMany, single, last, kept } = await inOneMinute(async (given) => ({
    whole: await postBatch(given, LIMIT - 1),
    tooMany: await postBatch(given, 2),
    single: await post(given),
    last: await post(given, { name: 'Nobody' }),
    kept: await countLeads(given),
  }))

  expect(whole.status).toBe(200)
  expect(single.status).toBe(201)
  expect(single.headers.get('RateLimit-Policy')).toBe(`"leads";q=${LIMIT};w=60`)
  expect(single.headers.get('RateLimit')).toMatch(/^"leads";r=0;t=\d+$/)
  for (const refused of [tooMany, last]) {
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited', title: 'Too many requests' } })
    const seconds = Number(refused.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused.json.detail).toMatch(
      /^Too many leads\. Please wait (a second|\d+ seconds) and try again\.$/,
    )
  }
  expect(last.headers.get('RateLimit')).toMatch(/^"leads";r=0;t=\d+$/)
  expect(kept).toBe(LIMIT)
  expect((await post(await app.newSource())).status).toBe(201)
})

test('all servers count together, exactly, for any number of requests at once', async () => {
  const counted = await inOneMinute(async ({ id }) => {
    const asked = [app.context, ...others].flatMap(({ leads: { ingestRates } }) =>
      Array.from({ length: LIMIT }, () => ingestRates.spend(id, 1)),
    )
    return (await Promise.all(asked)).filter(({ ok }) => ok).length
  })

  // Tokens that one server has taken and not spent are lost to the others: at most one lot per server.
  expect(counted).toBeLessThanOrEqual(LIMIT)
  expect(counted).toBeGreaterThan(LIMIT - 2 * 3)
})

test('a server that is busy itself waits for an answer of Redis that is already there', async () => {
  const allowed = await inOneMinute(async ({ id }) => {
    const asked = [app.context, ...others].map(({ leads: { ingestRates } }) => ingestRates.spend(id, LIMIT))
    await new Promise<void>((resolve) => {
      process.nextTick(resolve)
    })
    const until = performance.now() + 250
    while (performance.now() < until);
    return (await Promise.all(asked)).filter(({ ok }) => ok).length
  })

  expect(allowed).toBe(1)
})

test('a batch above the limit of a minute counts as the limit, because no source could send it otherwise', async () => {
  const [first, second] = await inOneMinute(async (source) => [
    await postBatch(source, LIMIT + 50),
    await postBatch(source, 1),
  ])

  expect([first.status, second.status]).toEqual([200, 429])
})

test('the count starts again each minute, and without Redis each server counts alone', async () => {
  let at = 5 * MINUTE + 1
  const alone = openIngestRates(100, undefined, () => at)
  const spend = async (times: number) => {
    const rates = []
    for (let turn = 0; turn < times; turn += 1) rates.push(await alone.spend('a', 1))
    return rates.filter(({ ok }) => ok).length
  }

  expect(await spend(150)).toBe(100)
  expect(await alone.spend('a', 1)).toEqual({
    ok: false,
    limit: 100,
    remaining: 0,
    window_seconds: 60,
    reset_seconds: 60,
  })
  at += MINUTE
  expect(await spend(150)).toBe(100)
})
