import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Authentication } from '#core/contract/webhooks/authentication.ts'
import { createTestAuthority } from '#scripts/chaos/certificate.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startRawServer } from '#tests/support/peers/raw-server.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { bearerOf, startTokenServer } from '#tests/support/peers/token-server.ts'

let pipeline: TestPipeline
let crm: Receiver
let owner: string
const tokens = await startTokenServer()
beforeAll(async () => {
  pipeline = await startPipeline({
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_RETRY_SCHEDULE: '1',
    WEBHOOK_RETRY_JITTER: '0',
  })
  owner = await givenClient(pipeline.db)
  crm = await startReceiver()
})
afterEach(async () => {
  await pipeline.db.deleteFrom('client_webhook_configs').execute()
  crm.answerWith(200)
  crm.requests.splice(0)
})
afterAll(async () => {
  await pipeline.close()
  await crm.close()
  await tokens.close()
})

async function configure(authentication: Authentication, url = crm.url): Promise<string> {
  const config = await givenConfig(pipeline.context, owner, {
    endpoint_url: url,
    trigger_on_lead_created: true,
  })
  const sealed = pipeline.context.secrets.seal(
    'client_webhook_configs.authentication',
    JSON.stringify(authentication),
  )
  await pipeline.db
    .updateTable('client_webhook_configs')
    .set({ authentication: sealed })
    .where('id', '=', config.id)
    .execute()
  return config.id
}

async function deliverLead(): Promise<void> {
  await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, owner))
  await drain(pipeline.context)
}

async function readLog(configId: string) {
  return await pipeline.db
    .selectFrom('webhook_delivery_logs as log')
    .leftJoin('webhook_delivery_log_bodies as body', 'body.id', 'log.id')
    .selectAll('log')
    .select(['request_headers', 'response_headers', 'response_body'])
    .where('webhook_config_id', '=', configId)
    .orderBy('attempt_number')
    .execute()
}

const TOKEN_WAIT_MS = 400

const oauth2: Authentication = {
  type: 'oauth2',
  token_url: `${tokens.url}/token`,
  client_id: 'leadwire',
  client_secret: 'client-secret-of-the-crm',
  scope: '',
  credentials_in: 'body',
}

describe('a delivery', () => {
  it.each<[string, Authentication, string, string]>([
    [
      'a password',
      { type: 'basic', username: 'leadwire', password: 'password-of-the-crm' },
      `Basic ${btoa('leadwire:password-of-the-crm')}`,
      'Basic ••••',
    ],
    ['a token', { type: 'bearer', token: 'short-token' }, 'Bearer short-token', 'Bearer ••••'],
  ])('carries %s, and its log shows a mask', async (_what, authentication, sent, logged) => {
    const id = await configure(authentication)
    await deliverLead()

    expect(crm.requests.map(({ headers }) => headers.authorization)).toEqual([sent])
    const log = await readLog(id)
    expect(JSON.parse(log[0]?.request_headers ?? '')).toMatchObject({ authorization: logged })
    expect(JSON.stringify(log)).not.toMatch(/of-the-crm|short-token/)
  })

  it('carries an access token, one for all deliveries of its configuration', async () => {
    const id = await configure(oauth2)
    const before = tokens.given()
    await Promise.all([deliverLead(), deliverLead(), deliverLead()])

    expect(tokens.given()).toBe(before + 1)
    expect(new Set(crm.requests.map(bearerOf))).toEqual(new Set([`token-${before + 1}`]))
    expect(JSON.stringify(await readLog(id))).not.toMatch(/client-secret|token-\d/)
  })

  it('whose cached token is refused is sent again at once, within the same attempt', async () => {
    const id = await configure(oauth2)
    await deliverLead()
    const revoked = bearerOf(crm.requests[0] ?? expect.fail('nothing came'))
    crm.answerWith((request) => (bearerOf(request) === revoked ? 401 : 200))
    await deliverLead()

    expect(crm.requests).toHaveLength(3)
    expect(crm.requests[2]?.headers['leadwire-attempt']).toBe('1')
    expect((await readLog(id)).map(({ delivery_status }) => delivery_status)).toEqual([
      'delivered',
      'delivered',
    ])
  })

  it('counts its wait for a token as time of the endpoint, not as our own', async () => {
    tokens.answerWith({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: 'late', token_type: 'Bearer', expires_in: 0 }),
      delayMs: TOKEN_WAIT_MS,
    })
    const id = await configure(oauth2)
    await deliverLead()

    const [attempt] = await readLog(id)
    expect(attempt).toMatchObject({ delivery_status: 'delivered' })
    expect(attempt?.processing_time_ms).toBeGreaterThanOrEqual(TOKEN_WAIT_MS - 20)
  })

  it('without a token is a failed attempt with its reason, and gets a retry', async () => {
    tokens.answerWith({ status: 400, body: '{"error":"invalid_client"}' })
    const id = await configure(oauth2)
    await deliverLead()

    expect(crm.requests).toEqual([])
    const log = await readLog(id)
    expect(log).toHaveLength(2)
    expect(log[0]).toMatchObject({
      delivery_status: 'failed',
      error_class: 'authentication',
      error_message:
        'The token address answered 400: invalid_client. Check Client ID, Client secret and Send credentials in.',
      response_status: null,
    })
  })

  it('shows its client certificate to an endpoint of a private authority', async () => {
    const authority = createTestAuthority('Private authority')
    const clients = createTestAuthority('Client authority')
    const own = clients.issue(['leadwire.example.com'])
    const server = await startRawServer((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), {
      tls: {
        ...authority.issue(['localhost']),
        requestCert: true,
        rejectUnauthorized: true,
        ca: clients.cert,
      },
    })
    const id = await configure({ type: 'none' }, server.url.replace('127.0.0.1', 'localhost'))
    await pipeline.db
      .updateTable('client_webhook_configs')
      .set({
        ca_certificate: authority.cert,
        client_certificate: own.cert,
        client_key: pipeline.context.secrets.seal('client_webhook_configs.client_key', own.key),
      })
      .where('id', '=', id)
      .execute()
    await deliverLead()

    expect((await readLog(id)).map(({ delivery_status }) => delivery_status)).toEqual(['delivered'])
    await waitUntil(() => server.received().includes('webhook-signature'))
    await server.close()
  })
})
