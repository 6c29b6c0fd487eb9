import { expect, test } from 'vitest'
import { openWithEndpoint } from '../support/open-with-endpoint.ts'

const PATH = '/api/v1/webhook-configs'
const WORDS =
  'placeholders are filled in only in values of Payload Template, in the query of Endpoint URL and in values of Custom Headers'

const given = openWithEndpoint()

const call = (method: 'POST' | 'PATCH', path: string, body: unknown) =>
  given.app.call(method, path, { token: given.client.token, body })
const valid = () => ({ webhook_name: 'CRM', endpoint_url: given.receiver.url })

test.each<[string, Record<string, unknown>, string, string]>([
  [
    'the path of an address',
    { endpoint_url: 'https://crm.example.com/{{state}}' },
    'endpoint_url',
    '{{state}}',
  ],
  ['its host', { endpoint_url: 'https://{{state}}.example.com/' }, 'endpoint_url', '{{state}}'],
  [
    'an address, escaped',
    { endpoint_url: 'https://crm.example.com/?p=%7B%7bphone%7d%7D' },
    'endpoint_url',
    '{{phone}}',
  ],
  ['a name of the template', { payload_template: { 'lead_{{id}}': 1 } }, 'payload_template', '{{id}}'],
  [
    'a name deep in the template',
    { payload_template: { contact: [{ phones: { '{{phone}}': '{{phone}}' } }] } },
    'payload_template',
    '{{phone}}',
  ],
  [
    'a user name',
    { authentication: { type: 'basic', username: '{{email}}', password: 'secret' } },
    'authentication.username',
    '{{email}}',
  ],
  [
    'a token',
    { authentication: { type: 'bearer', token: '{{custom.token}}' } },
    'authentication.token',
    '{{custom.token}}',
  ],
  [
    'a token address',
    {
      authentication: {
        type: 'oauth2',
        token_url: 'https://crm.example.com/{{state}}',
        client_id: 'a',
        client_secret: 'b',
      },
    },
    'authentication.token_url',
    '{{state}}',
  ],
])(
  'a placeholder in %s is refused by its name, at save, change and test',
  async (_where, body, path, name) => {
    const saved = await call('POST', PATH, { ...valid(), ...body })
    expect(saved.status).toBe(422)
    expect(saved.json.errors).toContainEqual({
      path,
      message: `${name} would be sent as it stands: ${WORDS}`,
    })

    const { json: stored } = await call('POST', PATH, valid())
    expect((await call('PATCH', `${PATH}/${stored.id}`, body)).status).toBe(422)

    const before = given.receiver.requests.length
    const tested = await call('POST', '/functions/v1/test-webhook-endpoint', {
      endpoint_url: given.receiver.url,
      ...body,
    })
    expect(tested.json).toMatchObject({ success: false })
    expect(tested.json.message).toContain(name)
    expect(given.receiver.requests).toHaveLength(before)
  },
)

test.each<[Record<string, unknown>, string, string]>([
  [
    { payload_template: { a: { b: ['x {{ phone }'] } } },
    'payload_template',
    '{{ phone (a.b[0]): It is not closed',
  ],
  [{ payload_template: { a: '{{name}} {{phone' } }, 'payload_template', '{{phone (a): It is not closed'],
  [{ payload_template: { 'a{{id}': 1 } }, 'payload_template', `{{id would be sent as it stands: ${WORDS}`],
  [{ endpoint_url: 'https://a.example.com/?b={{zip' }, 'endpoint_url', '{{zip is not closed. Write {{zip}}'],
  [
    { endpoint_url: 'https://a.example.com/?b={{ phone | e164 }}' },
    'endpoint_url',
    '{{ phone | e164 }}: There is no format "e164"',
  ],
  [
    { custom_headers: { 'X-A': 'US-{{sate}}' } },
    'custom_headers.X-A',
    '{{sate}} is not a known placeholder. Did you mean {{state}}?',
  ],
  [
    { endpoint_url: 'https://a.example.com/?b=%7B%7Bzip%7D' },
    'endpoint_url',
    '{{zip would be sent as it stands',
  ],
  [
    {
      authentication: {
        type: 'oauth2',
        token_url: 'https://a.example.com/{{zip}',
        client_id: 'a',
        client_secret: 'b{{c',
      },
    },
    'authentication.token_url',
    '{{zip would be sent as it stands',
  ],
  [{ custom_headers: { 'X-A': '{{id}' } }, 'custom_headers.X-A', '{{id is not closed. Write {{id}}'],
])('a wrong placeholder is refused: %j', async (body, path, message) => {
  const { status, json } = await call('POST', PATH, { ...valid(), ...body })
  expect({ status, errors: json.errors }).toEqual({
    status: 422,
    errors: [{ path, message: expect.stringContaining(message) as string }],
  })
})

test('texts that only look like placeholders are accepted', async () => {
  const { status } = await call('POST', PATH, {
    ...valid(),
    endpoint_url: `${given.receiver.url}/?filter=%7B%22a%22%3A1%7D`,
    custom_headers: { 'X-Json': '{"a":{"b":1}}', 'X-One': '{state}' },
    payload_template: { '{name}': '{{name}}', 'a}}': 1 },
    authentication: { type: 'basic', username: 'crm', password: 'Zk{{9!qL' },
  })
  expect(status).toBe(201)
})

test('a webhook with such placeholders from before can be changed elsewhere, and its test names them', async () => {
  const { json } = await call('POST', PATH, valid())
  await given.app.context.db
    .updateTable('client_webhook_configs')
    .set({
      endpoint_url: `${given.receiver.url}/{{state}}?p={{phone}}`,
      payload_template: '{"{{id}}":"{{name}}"}',
      fills_address: false,
    })
    .where('id', '=', json.id)
    .execute()
  expect((await call('PATCH', `${PATH}/${json.id}`, { webhook_name: 'Other' })).status).toBe(200)
  const tested = await call('POST', '/functions/v1/test-webhook-endpoint', { webhookId: json.id })
  expect(tested.json).toMatchObject({ success: true })
  expect(tested.json.message).toContain(
    'Sent as they stand, outside of the template’s values: {{state}}, {{id}}, {{phone}}.',
  )
  expect(given.receiver.requests.at(-1)?.path).toMatch(/\?p=\{\{phone\}\}$/)
})

test('a test fills the query and headers, of a draft and of a stored webhook', async () => {
  const body = {
    endpoint_url: `${given.receiver.url}/in?p={{ phone | phone: ten }}&n={{name}}`,
    custom_headers: { 'X-Team': '{{state | if: = CA, West, East}}', 'X-Fixed': 'a' },
  }
  const { json } = await call('POST', PATH, { webhook_name: 'CRM', ...body })
  expect(json).toMatchObject(body)
  for (const tested of [body, { webhookId: json.id }]) {
    expect((await call('POST', '/functions/v1/test-webhook-endpoint', tested)).json).toMatchObject({
      success: true,
    })
    const request = given.receiver.requests.at(-1)
    expect(request?.path).toBe('/in?p=2025550143&n=Test%20Lead')
    expect(request?.headers).toMatchObject({ 'x-team': 'West', 'x-fixed': 'a' })
  }
})

test.each([
  [{ capture_path: '/data/0/id' }, 'capture_path', 'Write data[0].id instead of /data/0/id'],
  [
    { success_rule: { accepted: { path: '/status', equals: 'ok' } } },
    'success_rule.accepted.path',
    'Write status instead of /status',
  ],
  [
    { success_rule: { accepted: { contains: 'ok, saved' }, duplicate: { contains: 'OK' } } },
    'success_rule.accepted',
    'This can never fit: duplicate is tried before it, and fits whatever this does',
  ],
])('a rule that can never match is refused at its faulty place: %j', async (body, path, message) => {
  const { status, json } = await call('POST', PATH, { ...valid(), ...body })
  expect({ status, errors: json.errors }).toEqual({ status: 422, errors: [{ path, message }] })
})

test('a path from the root is understood, even if it was stored before', async () => {
  given.receiver.answerWith({ status: 200, body: '{"status":"ok","data":{"id":"L-7"}}' })
  const rules = { success_rule: { accepted: { path: '$.status', equals: 'ok' } }, capture_path: '$.data.id' }
  const { json } = await call('POST', PATH, { ...valid(), ...rules })
  expect(json).toMatchObject(rules)
  const tested = await call('POST', '/functions/v1/test-webhook-endpoint', { webhookId: json.id })
  expect(tested.json).toMatchObject({ success: true, outcome: 'accepted', receiver_id: 'L-7' })

  await given.app.context.db
    .updateTable('client_webhook_configs')
    .set({ capture_path: ' data.id ', success_rule: '{"accepted":{"path":"/status","equals":"ok"}}' })
    .where('id', '=', json.id)
    .execute()
  const listed = await given.app.call('GET', `${PATH}/${json.id}`, { token: given.client.token })
  expect(listed.json).toMatchObject({ success_rule: { accepted: { path: '/status' } } })
})
