// Nobody can have somebody else's server certified: an endpoint proves first that it is the client's.
import { connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CHALLENGE_PATH } from '#core/contract/webhooks/certification.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { ResolveName } from '#core/endpoint/look-ups.ts'
import { startReceiver, type AnswerScript, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createReceiver } from '#tests/support/peers/certified-receiver.ts'
import { openCertifying } from './open-certifying.ts'

const { given, now, givenConfig, pathOf, call, ask, show, work } = openCertifying()

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
    await work(8000, createAddressGuard(['127.0.0.0/8'], resolve))
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
