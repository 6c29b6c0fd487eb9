import { describe, expect, test } from 'vitest'
import { openWithEndpoint } from '../support/open-with-endpoint.ts'

const given = openWithEndpoint()

const PATH = '/api/v1/webhook-configs'
const NOT_UTF8 = 'Must be UTF-8: it holds half of a character, or bytes of another encoding'
const NUL = 'Must not contain a NUL character'
const call = (method: string, path: string, body: unknown) =>
  given.app.call(method, path, { token: given.client.token, body })
const refusal = async (method: string, path: string, body: unknown) => {
  const { status, json } = await call(method, path, body)
  return { status, errors: json.errors }
}
const good = () => ({ webhook_name: 'My CRM', endpoint_url: `${given.receiver.url}/hook` })
/** The same as JSON text, with one more member. */
const goodWith = (member: string) => `{${member},${JSON.stringify(good()).slice(1)}`
const testEndpoint = async (body: unknown) =>
  (await call('POST', '/functions/v1/test-webhook-endpoint', body)).json

test('a name loses its markup, and a name of nothing but markup counts as missing', async () => {
  const { json } = await call('POST', PATH, { ...good(), webhook_name: '<b>My CRM</b> javascript:x' })
  const renamed = await call('PATCH', `${PATH}/${json.id}`, { webhook_name: 'CRM <2> onclick=now' })
  expect([json.webhook_name, renamed.json.webhook_name]).toEqual(['bMy CRM/b x', 'CRM 2 now'])
  expect(await refusal('PATCH', `${PATH}/${json.id}`, { webhook_name: '<>' })).toEqual({
    status: 422,
    errors: [{ path: 'webhook_name', message: 'Webhook Name is required' }],
  })
})

describe('text that cannot be kept or sent', () => {
  test.each([
    ['a name', { webhook_name: 'CRM \ud83d' }, 'webhook_name', NOT_UTF8],
    ['a name with a NUL', { webhook_name: 'CRM \0' }, 'webhook_name', NUL],
    ['an address', { endpoint_url: 'https://crm.example.com/?a=\udc00' }, 'endpoint_url', NOT_UTF8],
    [
      'a form’s template',
      { payload_type: 'FORM', payload_template: { a: { b: ['\ud800'] } } },
      'payload_template.a.b.0',
      NOT_UTF8,
    ],
    [
      'a member’s name in a form’s template',
      { payload_type: 'FORM', payload_template: { 'a\ud800': 1 } },
      'payload_template.a\ufffd',
      NOT_UTF8,
    ],
    ['a template', { payload_template: { a: '{{name}}\0' } }, 'payload_template.a', NUL],
    ['a header', { custom_headers: { 'X-A': '\ud800' } }, 'custom_headers.X-A', NOT_UTF8],
    [
      'a password',
      { authentication: { type: 'basic', username: 'u', password: 'a\ud800' } },
      'authentication.password',
      NOT_UTF8,
    ],
    [
      'a success rule',
      { success_rule: { rejected: { contains: 'no\ud800' } } },
      'success_rule.rejected.contains',
      NOT_UTF8,
    ],
    [
      'a success rule with a NUL',
      { success_rule: { accepted: { contains: 'a\0' } } },
      'success_rule.accepted.contains',
      NUL,
    ],
    ['a path in an answer', { capture_path: 'data.\ud800' }, 'capture_path', NOT_UTF8],
  ])(
    'is refused in %s, when a webhook is created and when it is changed',
    async (_what, fields, path, message) => {
      const { json } = await call('POST', PATH, good())
      const refused = { status: 422, errors: [{ path, message }] }

      expect(await refusal('POST', PATH, { ...good(), ...fields })).toEqual(refused)
      expect(await refusal('PATCH', `${PATH}/${json.id}`, fields)).toEqual(refused)
    },
  )

  test.each([
    ['value', '{"a":"\\ud800","a":"x"}'],
    ['name', '{"a":{"\\u0000":1},"a":"x"}'],
  ])('is found in a %s even if a repeated member hides it', async (_what, template) => {
    const body = goodWith(`"payload_type":"FORM","payload_template":${template}`)

    expect(await refusal('POST', PATH, body)).toMatchObject({
      status: 422,
      errors: [{ path: 'payload_template' }],
    })
  })

  test('is refused in a preview and in a test, and nothing is sent', async () => {
    const payload_template = { a: '\ud800' }
    const before = given.receiver.requests.length

    expect(await refusal('POST', `${PATH}/preview`, { payload_type: 'FORM', payload_template })).toEqual({
      status: 422,
      errors: [{ path: 'payload_template.a', message: NOT_UTF8 }],
    })
    expect(await testEndpoint({ ...good(), payload_type: 'FORM', payload_template })).toMatchObject({
      success: false,
      error: `a: ${NOT_UTF8}`,
    })
    const authentication = { type: 'basic', username: 'u', password: '\ud800' }
    expect((await testEndpoint({ ...good(), authentication })).success).toBe(false)
    expect(given.receiver.requests).toHaveLength(before)
  })

  test.each(['%00a', 'Jos%E9'])('is refused in a search of the logs: %s', async (search) => {
    const { json } = await call('POST', PATH, good())

    expect(
      await refusal('GET', `${PATH}/${json.id}/delivery-logs?search=${search}`, undefined),
    ).toMatchObject({
      status: 422,
      errors: [{ path: 'search' }],
    })
  })

  test('does not include emoji and other whole characters, which arrive unchanged', async () => {
    const payload_template = { 'é😀': '\u0001 😀' }
    await testEndpoint({ ...good(), payload_type: 'FORM', payload_template })
    expect(given.receiver.requests.at(-1)?.body).toBe('%C3%A9%F0%9F%98%80=%01+%F0%9F%98%80')

    await testEndpoint({ ...good(), payload_template })
    expect(JSON.parse(given.receiver.requests.at(-1)?.body ?? '')).toEqual(payload_template)
  })
})

describe('a name that every JavaScript object has', () => {
  test('is sent as a header like any other', async () => {
    const custom_headers = { constructor: 'a', toString: 'b', valueOf: 'c', hasOwnProperty: 'd' }
    const { json } = await call('POST', PATH, { ...good(), custom_headers })
    expect(json.custom_headers).toEqual(custom_headers)

    expect(await testEndpoint({ webhookId: json.id })).toMatchObject({ success: true })
    const { headers } = given.receiver.requests.at(-1) ?? {}
    expect(Object.entries(custom_headers).map(([name]) => headers?.[name.toLowerCase()])).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })

  test('is refused as a header if nothing can send it, and never left out', async () => {
    const headers = '"custom_headers":{"X-A":"1","__proto__":"2"}'
    const errors = [{ path: 'custom_headers.__proto__', message: 'This header name cannot be used' }]
    const { json } = await call('POST', PATH, good())

    expect(await refusal('POST', PATH, goodWith(headers))).toEqual({ status: 422, errors })
    expect(await refusal('PATCH', `${PATH}/${json.id}`, `{${headers}}`)).toEqual({ status: 422, errors })
    expect(await testEndpoint(goodWith(headers))).toMatchObject({
      success: false,
      error: '__proto__: This header name cannot be used',
    })
  })

  test.each(['JSON', 'FORM'])('is a normal member in a template (%s)', async (type) => {
    const template = '{"__proto__":"{{first_name}}","constructor":{"toString":"{{city}}"}}'
    const { json, text } = await call(
      'POST',
      PATH,
      goodWith(`"payload_type":"${type}","payload_template":${template}`),
    )
    expect(text).toContain(template)

    await testEndpoint({ webhookId: json.id })
    expect(given.receiver.requests.at(-1)?.body).toBe(
      type === 'JSON'
        ? '{"__proto__":"Test","constructor":{"toString":"Los Angeles"}}'
        : '__proto__=Test&constructor.toString=Los+Angeles',
    )
  })
})
