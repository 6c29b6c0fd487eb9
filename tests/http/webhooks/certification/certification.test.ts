import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { certificationGradesSchema } from '#core/contract/webhooks/certification-grade.ts'
import { BURST_REQUESTS, type CertificationStepName } from '#core/contract/webhooks/certification.ts'
import { signingSecretSchema } from '#core/contract/webhooks/webhook-config.ts'
import {
  claimCertification,
  noteCertification,
} from '#core/data/webhooks/certifications/make-certification.ts'
import { createReceiver, type Fault } from '#tests/support/peers/certified-receiver.ts'
import { newLead } from '../../support/start-app.ts'
import { openCertifying, PATIENT } from './open-certifying.ts'

const { given, now, pathOf, call, ask, show, work, certify } = openCertifying()
const grades = async (who = now.client) =>
  certificationGradesSchema.parse(
    (await call('GET', '/api/v1/webhook-configs/certifications', undefined, who)).json,
  ).data

test('a good receiver gets an A, with test leads alone, and nothing of it is seen elsewhere', async () => {
  const run = await certify()
  expect(run).toMatchObject({ state: 'done', grade: 'A', stop: null, is_valid: true, failed: [] })
  expect(run.steps.every(({ result, why }) => result === 'passed' && why === null)).toBe(true)
  const { requests } = given.receiver
  expect(requests.length).toBeGreaterThan(55)
  for (const { headers, body } of requests) {
    expect(headers['x-api-key']).toBe('key-of-the-client-123')
    expect(JSON.parse(body)).toMatchObject({ name: 'Test Lead', is_test: true })
  }
  expect(Math.max(...requests.map(({ rawBody }) => rawBody.length))).toBe(256 * 1024)
  expect(JSON.stringify(run)).not.toContain('key-of-the-client')
  const { rows } = await sql`
    select (select count(*)::int from webhook_deliveries) as deliveries,
      (select count(*)::int from webhook_delivery_logs) as logs,
      (select count(*)::int from webhook_endpoint_health) as health`.execute(given.app.context.db)
  expect(rows).toEqual([{ deliveries: 0, logs: 0, health: 0 }])
})

const BAD: Array<[CertificationStepName, Fault]> = [
  ['duplicate', { repeats: 500 }],
  ['out_of_order', { older: 409 }],
  ['rotated_secret', { readsOnlyFirstSignature: true }],
  ['wrong_signature', { forged: 200 }],
  ['slow_answer', { delayMs: 600 }],
  ['large_payload', { mostBytes: 100 * 1024 }],
  ['burst', { busy: (ofBurst) => (ofBurst > 30 ? { status: 500 } : undefined) }],
  ['retry_after', { busy: (ofBurst) => (ofBurst > 30 ? { status: 429 } : undefined) }],
]
test.each(BAD)(
  'a receiver that fails only %s fails exactly that case',
  { timeout: 30_000 },
  async (step, fault) => {
    const run = await certify(fault, step === 'slow_answer' ? { ...PATIENT, slowMs: 400 } : PATIENT)
    expect(run).toMatchObject({ state: 'done', failed: [step] })
    expect(run.grade).toBe(step === 'wrong_signature' || step === 'duplicate' ? 'C' : 'B')
    const found = run.steps.find((one) => one.step === step)
    expect(found?.why).toMatch(/\.$/)
    expect(found?.code).not.toBeNull()
  },
)

test('a receiver that protects itself with 429 and Retry-After is asked again after the pause', async () => {
  let until = 0
  const early: number[] = []
  const run = await certify({
    busy: (ofBurst, at) => {
      if (ofBurst > BURST_REQUESTS && at < until) early.push(at)
      if (ofBurst <= 20 || ofBurst > BURST_REQUESTS) return undefined
      until ||= at + 1000
      return { status: 429, headers: { 'retry-after': '1' } }
    },
  })
  expect(run).toMatchObject({ grade: 'A', failed: [] })
  expect(run.steps.at(-1)?.attempts.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(early).toEqual([])
})

test('a receiver that checks Ed25519 signatures alone is tried with forged ones of these', async () => {
  await call('PATCH', pathOf(), { sign_asymmetric: true })
  const { public_keys } = signingSecretSchema.parse((await call('GET', `${pathOf()}/secret`)).json)
  const publicKey = public_keys[0]?.public_key ?? ''
  expect(await certify({ publicKey })).toMatchObject({ grade: 'A', failed: [] })
  expect((await certify({ publicKey, forged: 200 })).failed).toEqual(['wrong_signature'])
})

test('an endpoint with a limit of requests a minute gets a burst that the limit allows', async () => {
  await call('PATCH', pathOf(), { requests_per_minute: 60 })
  const run = await certify({ busy: (ofBurst) => (ofBurst > 6 ? { status: 500 } : undefined) })
  expect(run.grade).toBe('A')
  expect(run.steps.find(({ step }) => step === 'burst')?.attempts).toHaveLength(6)
})

describe('a run stops', () => {
  const busyAt = (count: number, status: number): Fault => {
    let seen = 0
    return { busy: () => ((seen += 1) >= count ? { status } : undefined) }
  }
  test.each([
    ['at the first 503', 'unavailable', busyAt(3, 503)],
    ['at a 429 that it did not ask for', 'throttled', busyAt(3, 429)],
    ['if the endpoint refuses an ordinary lead', 'refused', busyAt(1, 400)],
  ] as const)('%s', async (_title, stop, fault) => {
    const run = await certify(fault)
    expect(run).toMatchObject({ state: 'stopped', stop, grade: null, is_valid: false })
    expect(given.receiver.requests.length).toBeLessThan(6)
    expect(await grades()).toEqual([])
  })
  test('at the first time-out', async () => {
    given.receiver.answerWith((request) =>
      request.headers['leadwire-challenge'] === undefined ? 'hang' : createReceiver(now.secret)(request),
    )
    await ask()
    await work({ timeoutMs: 3000 })
    expect((await show()).run).toMatchObject({ state: 'stopped', stop: 'timed_out' })
    expect(given.receiver.requests).toHaveLength(2)
  })
  test('at the first 503 within the burst', async () => {
    const run = await certify({ busy: (ofBurst) => (ofBurst > 30 ? { status: 503 } : undefined) })
    expect(run).toMatchObject({ stop: 'unavailable', failed: ['burst'] })
  })
  test('if the webhook is changed meanwhile', async () => {
    expect((await ask()).status).toBe(202)
    await call('PATCH', pathOf(), { endpoint_url: `${given.receiver.url}/other` })
    await work()
    expect((await show()).run).toMatchObject({ stop: 'changed' })
    expect(given.receiver.requests).toEqual([])
  })
  test.each([
    [
      'pauses sending to',
      sql`update client_webhook_configs set sending_pause_reason = 'Abuse' where client_user_id =`,
    ],
    ['suspends', sql`update profiles set status = 'suspended' where user_id =`],
  ])('if an administrator %s the account meanwhile', async (_what, act) => {
    const good = createReceiver(now.secret)
    given.receiver.answerWith((request) => {
      if (given.receiver.requests.length === 3)
        stopped = sql`${act} ${now.client.id}`.execute(given.app.context.db)
      return { ...good(request), delayMs: given.receiver.requests.length === 3 ? 200 : 0 }
    })
    let stopped: Promise<unknown> | undefined
    await ask()
    await work()
    await stopped
    const { rows } = await sql`select stop from endpoint_certifications`.execute(given.app.context.db)
    expect(rows).toEqual([{ stop: 'changed' }])
    expect(given.receiver.requests).toHaveLength(3)
  })
})

test('leads that wait go first: no run begins', async () => {
  const source = await given.app.newSource({ owner: now.client })
  await call('PATCH', pathOf(), { trigger_on_lead_created: true })
  const { json } = await given.app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
  await call('POST', '/functions/v1/webhook-delivery', {
    lead_id: json.lead_id,
    client_user_id: now.client.id,
  })
  expect((await ask()).status).toBe(409)
  expect(given.receiver.requests).toEqual([])
  await call('POST', `${pathOf()}/cancel-waiting`, { dry_run: false })
  expect((await ask()).status).toBe(202)
})

describe('the badge', () => {
  test.each([
    ['endpoint', { endpoint_url: 'https://crm.example.com/leads', custom_headers: {} }],
    ['method', { request_method: 'PUT' }],
    ['format', { payload_type: 'FORM' }],
    ['headers', { custom_headers: { 'X-Api-Key': 'another-key-456' } }],
    ['authentication', { authentication: { type: 'bearer', token: 'token-of-the-client' } }],
    ['secret', 'rotate'],
  ] as const)(
    'ends with another %s, and not with another name or the same values again',
    async (_what, change) => {
      await certify()
      await call('PATCH', pathOf(), {
        webhook_name: 'Renamed',
        request_method: 'POST',
        custom_headers: { 'X-Api-Key': 'key-of-the-client-123' },
      })
      expect(await grades()).toMatchObject([{ webhook_config_id: now.config, grade: 'A' }])
      if (change === 'rotate') await call('POST', `${pathOf()}/secret/rotate`)
      else expect((await call('PATCH', pathOf(), change)).status).toBe(200)
      expect(await grades()).toEqual([])
      expect((await show()).run).toMatchObject({ grade: 'A', is_valid: false })
    },
  )
  test('is nobody else’s', async () => {
    await certify()
    expect(await grades(given.client)).toEqual([])
    expect((await ask(given.client)).status).toBe(404)
    expect((await call('GET', `${pathOf()}/certification`, undefined, given.client)).status).toBe(404)
  })
})

test('a worker that ends is followed by another, which continues with the case that was under way', async () => {
  given.receiver.answerWith(createReceiver(now.secret))
  await ask()
  const claimed = await claimCertification(given.app.context.db, -1)
  if (claimed === undefined) throw new Error('Nothing to make')
  const kept = ['ownership', 'plain', 'duplicate'].map((step) => ({
    step,
    result: step === 'duplicate' ? 'running' : 'passed',
    detail: null,
    attempts: [],
  }))
  await noteCertification(given.app.context.db, claimed, { steps: JSON.stringify(kept), leaseSeconds: -1 })
  await work()
  const { run } = await show()
  expect(run).toMatchObject({ state: 'done', grade: 'A' })
  expect(run?.steps.map(({ attempts }) => attempts.length).slice(0, 3)).toEqual([1, 0, 2])
  const late = { steps: '[]', leaseSeconds: 30 }
  expect(await noteCertification(given.app.context.db, claimed, late)).toBe(false)
})
