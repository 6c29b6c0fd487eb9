// Nobody can have somebody else's server certified: an endpoint proves first that it is the client's, and a host has its limits.
import { connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHALLENGE_PATH,
  OWN_RUNS_OF_HOST_A_DAY,
  RUNS_OF_HOST_A_DAY,
} from '#core/contract/webhooks/certification.ts'
import { claimCertification } from '#core/data/webhooks/certifications/make-certification.ts'
import { USUAL_TEMPO } from '#core/domain/webhooks/certification/limits.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { ResolveName } from '#core/endpoint/look-ups.ts'
import { startReceiver, type AnswerScript, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createReceiver } from '#tests/support/peers/certified-receiver.ts'
import { openCertifying, PATIENT } from './open-certifying.ts'

const { given, now, givenConfig, pathOf, call, ask, show, work, certify } = openCertifying()

describe('a third party', () => {
  /** Another server, which a name of the client's leads to. */
  async function startThirdParty(answer: AnswerScript = 200): Promise<Receiver> {
    const other = await startReceiver(answer)
    onTestFinished(other.close)
    return other
  }
  const proofs = ['POST', 'GET']

  test.each([
    ['answers every request', 200],
    ['redirects', { status: 307, headers: { location: 'http://127.0.0.1:9/leads' } }],
    ['repeats requests whole', 'mirror'],
  ] as const)('that %s gets two requests and no more', async (_what, answer) => {
    given.receiver.answerWith(
      answer === 'mirror'
        ? ({ headers, body }) => ({ status: 200, body: JSON.stringify({ headers, body }) })
        : typeof answer === 'number'
          ? answer
          : { ...answer, headers: { ...answer.headers, location: `${given.receiver.url}/elsewhere` } },
    )
    await ask()
    await work()
    expect((await show()).run).toMatchObject({ state: 'stopped', stop: 'unproved', grade: null })
    expect(given.receiver.requests.map(({ method }) => method)).toEqual(proofs)
    expect(given.receiver.requests.map(({ path }) => path)).toEqual(['/leads', CHALLENGE_PATH])
  })
  test.each([
    [
      'as text',
      { 'x-note': '%s' },
      (headers: object) =>
        Object.entries(headers)
          .map((pair) => pair.join(': '))
          .join('\n'),
    ],
    ['as JSON', { 'x-note': 'so %s it' }, (headers: object) => JSON.stringify({ headers }, null, 2)],
    [
      'alone',
      { 'user-agent': '%s' },
      (headers: { 'user-agent'?: string | undefined }) => headers['user-agent'] ?? '',
    ],
  ] as const)(
    'that repeats headers %s is not proved by one with the challenge',
    async (_how, header, repeat) => {
      const { challenge } = await show()
      const custom_headers = JSON.parse(JSON.stringify(header).replace('%s', challenge)) as object
      expect((await call('PATCH', pathOf(), { custom_headers })).status).toBe(200)
      given.receiver.answerWith(({ headers }) => ({ status: 200, body: repeat(headers) }))
      await ask()
      await work()
      expect((await show()).run).toMatchObject({ stop: 'unproved' })
      expect(given.receiver.requests.map(({ method }) => method)).toEqual(proofs)
    },
  )
  test('that serves the challenge of another webhook is not proved', async () => {
    const { challenge } = await show()
    const other = await givenConfig(now.client)
    given.receiver.answerWith({ status: 200, body: challenge })
    await ask(now.client, other)
    await work()
    const { json } = await call('GET', `${pathOf(other)}/certification`)
    expect(json).toMatchObject({ run: { stop: 'unproved' } })
  })
  test('gets two requests if a name is led to it once the run has begun', async () => {
    const victim = await startThirdParty()
    const good = createReceiver(now.secret)
    let isLed = false
    given.receiver.answerWith((request) => {
      isLed ||= given.receiver.requests.length > 3
      return { ...good(request), headers: { connection: 'close' } }
    })
    const { context } = given.app
    const resolve: ResolveName = (_name, _options, callback) => {
      callback(null, [{ address: isLed ? '127.0.0.2' : '127.0.0.1', family: 4 }])
    }
    // Both listen on one port, as two servers of the public internet would.
    const forward = createServer((socket) => {
      socket.pipe(connect(victim.port, '127.0.0.1')).pipe(socket)
    }).listen(given.receiver.port, '127.0.0.2')
    onTestFinished(() => void forward.close())
    await sql`update client_webhook_configs set endpoint_url = ${`http://crm.example.com:${given.receiver.port}/leads`}
      where id = ${now.config}`.execute(context.db)
    await ask()
    await work({ guard: createAddressGuard(['127.0.0.0/8'], resolve) })
    expect((await show()).run).toMatchObject({ stop: 'unproved' })
    expect(victim.requests.map(({ method }) => method)).toEqual(proofs)
  })
})

test('an endpoint that cannot answer with the nonce is proved by its host’s challenge', async () => {
  const { challenge, challenge_url } = await show()
  expect(challenge_url).toBe(`${given.receiver.url}${CHALLENGE_PATH}`)
  const good = createReceiver(now.secret, { challenge: () => ({ status: 200, body: 'stored' }) })
  given.receiver.answerWith((request) =>
    request.path === CHALLENGE_PATH
      ? { status: 200, body: `${challenge}\nof-another-webhook\n` }
      : good(request),
  )
  await ask()
  await work()
  expect((await show()).run).toMatchObject({ state: 'done', grade: 'A' })
  const asked = given.receiver.requests.find(({ method }) => method === 'GET')
  expect(asked?.headers).toMatchObject({ 'x-api-key': 'key-of-the-client-123' })
  expect(asked?.headers).not.toHaveProperty('webhook-signature')
})

test('a host is certified three times a day, over all clients, and a run under way is not made twice', async () => {
  given.receiver.answerWith(createReceiver(now.secret))
  const first = await ask()
  expect((await ask()).json).toMatchObject({ run: { id: (first.json as { run?: { id: string } }).run?.id } })
  await call('DELETE', pathOf())
  for (let count = 1; count < RUNS_OF_HOST_A_DAY; count += 1) {
    const other = await given.app.newClient()
    expect((await ask(other, await givenConfig(other))).status).toBe(202)
  }
  const last = await given.app.newClient()
  const id = await givenConfig(last)
  const refused = await ask(last, id)
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
})

test('a client gets two of a host’s three runs a day, and runs without proof use up none', async () => {
  given.receiver.answerWith(200)
  for (let count = 0; count < RUNS_OF_HOST_A_DAY; count += 1) {
    expect((await ask()).status).toBe(202)
    await work()
    expect((await show()).run).toMatchObject({ stop: 'unproved' })
  }
  for (let count = 0; count < OWN_RUNS_OF_HOST_A_DAY; count += 1)
    expect((await certify({ busy: () => ({ status: 503 }) })).stop).toBe('unavailable')
  // A webhook of its own does not help.
  const refused = await ask(now.client, await givenConfig(now.client))
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
  expect(JSON.stringify(refused.json)).toContain('left for other clients')
  const other = await given.app.newClient()
  expect((await ask(other, await givenConfig(other))).status).toBe(202)
})

test('workers that look at the same moment begin one run of a host', async () => {
  const { db } = given.app.context
  for (let round = 0; round < 10; round += 1) {
    await sql`delete from endpoint_certifications`.execute(db)
    await sql`
      insert into endpoint_certifications (webhook_config_id, client_user_id, host, fingerprint)
      select uuid_v7(), uuid_v7(), 'hooks.example.com', '' from generate_series(1, 4)`.execute(db)
    const claimed = await Promise.all(Array.from({ length: 4 }, () => claimCertification(db, 30)))
    expect(claimed.filter((one) => one !== undefined)).toHaveLength(1)
  }
})

test('single requests keep their distance, and the limit of requests a minute', async () => {
  expect([null, 60, 6000].map((limit) => USUAL_TEMPO.paceMs(limit))).toEqual([250, 1000, 250])
  const at: number[] = []
  const good = createReceiver(now.secret)
  given.receiver.answerWith((request) => {
    if (at.length < 9) at.push(performance.now())
    return good(request)
  })
  await ask()
  const began = performance.now()
  await work({ tempo: { ...PATIENT, paceMs: () => 60 } })
  // The first is the proof. A busy machine only makes a request arrive later.
  for (const [index, arrived] of at.entries())
    expect(arrived - began).toBeGreaterThanOrEqual(Math.max(0, index - 1) * 60 - 5)
  expect(at).toHaveLength(9)
})

test('a client’s runs for many hosts are made one after the other, and another client’s goes between them', async () => {
  const { db } = given.app.context
  const other = await given.app.newClient()
  const theirs = await givenConfig(other)
  await ask()
  await ask(now.client, await givenConfig(now.client))
  await ask(other, theirs)
  await sql`update endpoint_certifications set host = id::text || '.example.com'`.execute(db)
  const first = await claimCertification(db, 30)
  const second = await claimCertification(db, 30)
  expect([first?.webhook_config_id, second?.webhook_config_id]).toEqual([now.config, theirs])
  expect(await claimCertification(db, 30)).toBeUndefined()
})

test('an IPv4 address shares its three runs with its form as IPv6', async () => {
  const statuses = []
  for (const host of ['93.184.216.34', '[::ffff:93.184.216.34]', '0x5db8d822', '[::ffff:5db8:d822]']) {
    const body = {
      webhook_name: 'CRM',
      endpoint_url: `https://${host}/leads`,
      payload_template: { id: '{{id}}' },
    }
    const who = await given.app.newClient()
    const { json } = await call('POST', '/api/v1/webhook-configs', body, who)
    statuses.push((await ask(who, json.id)).status)
  }
  expect(statuses).toEqual([202, 202, 202, 429])
})
