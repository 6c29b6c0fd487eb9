import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
let client: Person
let other: Person
let receiver: Receiver
beforeAll(async () => {
  app = await startApp({ WEBHOOK_TIMEOUT_MS: '3000' })
  client = await app.newClient()
  other = await app.newClient()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})

const testEndpoint = (body: unknown, who = client) =>
  app.call('POST', '/functions/v1/test-webhook-endpoint', { token: who.token, body })
const requestDelivery = (body: unknown, who = client) =>
  app.call('POST', '/functions/v1/webhook-delivery', { token: who.token, body })

describe('test-webhook-endpoint', () => {
  test('sends the fictional lead exactly as a delivery would', async () => {
    const { json: config } = await app.call('POST', '/api/v1/webhook-configs', {
      token: client.token,
      body: {
        webhook_name: 'CRM',
        endpoint_url: `${receiver.url}/hook?key=1`,
        request_method: 'PUT',
        custom_headers: { 'X-Key': 'abc' },
        payload_template: {
          who: '{{name}}',
          test: '{{is_test}}',
          event: '{{event}}',
          order: '{{order_name}}',
        },
      },
    })
    const { json: secret } = await app.call('GET', `/api/v1/webhook-configs/${config.id}/secret`, {
      token: client.token,
    })
    const { status, json } = await testEndpoint({ webhookId: config.id })

    expect({ status, json }).toMatchObject({
      status: 200,
      json: { success: true, error: null, response_status: 200 },
    })
    const request = receiver.requests.at(-1)
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/hook?key=1',
      headers: { 'x-key': 'abc', 'leadwire-event': 'test' },
    })
    const verified = new Webhook(secret.secret).verify(
      request?.rawBody ?? '',
      request?.headers as Record<string, string>,
    )
    expect(verified).toEqual({ who: 'Test Lead', test: true, event: 'test', order: 'Example order' })
    const { json: logs } = await app.call('GET', `/api/v1/webhook-configs/${config.id}/delivery-logs`, {
      token: client.token,
    })
    expect(logs.data).toEqual([])
  })

  test.each([['http_method'], ['request_method']])('accepts the dialog’s fields, with %s', async (method) => {
    const { json } = await testEndpoint({
      endpoint_url: `${receiver.url}/form`,
      [method]: 'PATCH',
      payload_type: 'FORM',
      custom_headers: { 'X-A': 'b' },
      payload_template: { a: { b: '{{first_name}}' }, x: '{{nobody}}' },
    })

    expect(json).toMatchObject({ success: true })
    expect(json.message).toContain('{{nobody}}')
    expect(receiver.requests.at(-1)).toMatchObject({ method: 'PATCH', body: 'a.b=Test&x=' })
  })

  test('sends the example of an event in its own template, marked as a test', async () => {
    const event_templates = {
      'lead.returned': { who: '{{receiver_id}}', event: '{{event}}', back: '{{credited}}' },
    }
    const { json: config } = await app.call('POST', '/api/v1/webhook-configs', {
      token: client.token,
      body: {
        webhook_name: 'Events',
        endpoint_url: `${receiver.url}/events?kind={{event}}`,
        payload_template: { phone: '{{phone}}' },
        success_rule: { rejected: { path: 'status', equals: 'no' } },
        conditions: { match: 'all', rules: [{ field: 'state', is: ['TX'] }] },
        event_templates,
      },
    })
    receiver.answerWith({ status: 200, body: '{"status":"no"}' })
    const { json } = await testEndpoint({ webhookId: config.id, event: 'lead.returned' })
    receiver.answerWith(200)
    expect(json).toMatchObject({ success: true, message: 'Your endpoint answered 200.', outcome: null })
    const sent = receiver.requests.at(-1)
    expect(sent).toMatchObject({
      path: '/events?kind=test',
      headers: { 'leadwire-event': 'test' },
    })
    expect(JSON.parse(sent?.body ?? '')).toEqual({ who: '00Q5g00000ABCDE', event: 'test', back: 25 })

    const byDefault = await testEndpoint({ webhookId: config.id, event: 'balance.low' })
    expect(byDefault.json.success).toBe(true)
    expect(JSON.parse(receiver.requests.at(-1)?.body ?? '')).toMatchObject({
      event: 'test',
      balance: 48.5,
      threshold: 100,
    })
    const draft = { endpoint_url: receiver.url, event: 'lead.returned', event_templates }
    expect((await testEndpoint({ ...draft, webhookId: config.id })).json.success).toBe(true)
    expect(receiver.requests.at(-1)?.body).toContain('"who":"00Q5g00000ABCDE"')
    const { json: logs } = await app.call('GET', `/api/v1/webhook-configs/${config.id}/delivery-logs`, {
      token: client.token,
    })
    expect(logs.data).toEqual([])
  })

  test('tests no event of another client, no unknown one, and no template with a person’s data', async () => {
    const { json: config } = await app.call('POST', '/api/v1/webhook-configs', {
      token: client.token,
      body: { webhook_name: 'Own', endpoint_url: receiver.url },
    })
    const count = receiver.requests.length
    const stranger = await testEndpoint({ webhookId: config.id, event: 'lead.returned' }, other)
    expect(stranger.json).toMatchObject({ success: false, error: 'Webhook not found' })
    expect((await testEndpoint({ webhookId: config.id, event: 'lead.created' })).json.success).toBe(false)
    const personal = { 'balance.low': { phone: '{{phone}}' } }
    const { json } = await testEndpoint({
      endpoint_url: receiver.url,
      event: 'balance.low',
      event_templates: personal,
    })
    expect(json).toMatchObject({
      success: false,
      error: 'balance.low: {{phone}} is no placeholder of balance.low',
    })
    expect(receiver.requests).toHaveLength(count)
  })

  test('returns the endpoint’s answer', async () => {
    receiver.answerWith({ status: 422, body: 'missing agent_id' })
    const { json } = await testEndpoint({ endpoint_url: receiver.url })
    receiver.answerWith(200)

    expect(json).toMatchObject({ success: false, response_status: 422, response_body: 'missing agent_id' })
    expect(json.error).toMatch(/^422: /)
  })

  test('does not switch the webhook off on a 410, and does not say so', async () => {
    receiver.answerWith(410)
    const { json: config } = await app.call('POST', '/api/v1/webhook-configs', {
      token: client.token,
      body: { webhook_name: 'Gone', endpoint_url: receiver.url },
    })
    const { json } = await testEndpoint({ webhookId: config.id })
    receiver.answerWith(200)

    expect(json).toMatchObject({ success: false, response_status: 410 })
    expect(json.error).toMatch(/^410: your endpoint says it is gone\./)
    expect(json.error).not.toContain('was switched off')
    const { json: kept } = await app.call('GET', `/api/v1/webhook-configs/${config.id}`, {
      token: client.token,
    })
    expect(kept.is_active).toBe(true)
  })

  test.each([
    ['an endpoint that never answers', 'hang', /did not answer within 3 s/],
    ['an endpoint that breaks off', 'reset', /connection/],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      /redirects are not followed/,
    ],
  ] as const)('explains %s', async (_what, answer, error) => {
    receiver.answerWith(answer)
    const { status, json } = await testEndpoint({ endpoint_url: receiver.url })
    receiver.answerWith(200)

    expect({ status, success: json.success }).toEqual({ status: 200, success: false })
    expect(json.error).toMatch(error)
  })

  test.each([
    ['a private address', { endpoint_url: 'http://192.168.0.1/' }, /192\.168\.0\.1/],
    [
      'a header of ours',
      { endpoint_url: 'https://example.com', custom_headers: { Host: 'x' } },
      /sets this header itself/,
    ],
    [
      'a template that is a list',
      { endpoint_url: 'https://example.com', payload_template: [1] },
      /JSON object/,
    ],
    ['no endpoint', {}, /Endpoint URL is required/],
    ['a body that is a list', [], /./],
  ])('refuses %s with the reason, and sends nothing', async (_what, body, error) => {
    const before = receiver.requests.length
    const { status, json } = await testEndpoint(body)

    expect({ status, success: json.success }).toEqual({ status: 200, success: false })
    expect(json.error).toMatch(error)
    expect(receiver.requests).toHaveLength(before)
  })

  test('does not find another client’s configuration', async () => {
    const { json: config } = await app.call('POST', '/api/v1/webhook-configs', {
      token: other.token,
      body: { webhook_name: 'Theirs', endpoint_url: receiver.url },
    })

    expect((await testEndpoint({ webhookId: config.id })).json).toMatchObject({
      success: false,
      error: 'Webhook not found',
    })
    const both = { webhookId: config.id, endpoint_url: receiver.url }
    expect((await testEndpoint(both)).json).toMatchObject({ success: false, error: 'Webhook not found' })
  })

  test('answers with a problem without a token or with a broken body', async () => {
    expect((await app.call('POST', '/functions/v1/test-webhook-endpoint', { body: {} })).status).toBe(401)
    expect((await testEndpoint('{')).json.code).toBe('malformed_body')
  })
})

describe('webhook-delivery', () => {
  test('counts the deliveries of a lead, and creates none twice', async () => {
    const buyer = await app.newClient()
    await app.call('POST', '/api/v1/webhook-configs', {
      token: buyer.token,
      body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com', trigger_on_lead_created: true },
    })
    const { json: lead } = await app.call('POST', '/api/v1/leads', { token: buyer.token, body: {} })
    const ask = () => requestDelivery({ lead_id: lead.id, client_user_id: buyer.id }, buyer)

    expect((await ask()).json).toMatchObject({ success: true, error: null, deliveries: 1 })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ json }) => json.deliveries)).toEqual([1, 1, 1])
  })

  test('refuses another client’s lead and another client’s id', async () => {
    const { json: lead } = await app.call('POST', '/api/v1/leads', { token: other.token, body: {} })

    for (const body of [
      { lead_id: lead.id, client_user_id: client.id },
      { lead_id: lead.id, client_user_id: other.id },
      { lead_id: 'nonsense', client_user_id: client.id },
      {},
    ]) {
      const { status, json } = await requestDelivery(body)
      expect({ status, success: json.success, deliveries: json.deliveries }).toEqual({
        status: 200,
        success: false,
        deliveries: 0,
      })
    }
  })
})
