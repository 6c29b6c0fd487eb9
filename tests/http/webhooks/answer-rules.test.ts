import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

const PATH = '/api/v1/webhook-configs'

let app: TestApp
let client: Person
let receiver: Receiver
beforeAll(async () => {
  app = await startApp({ WEBHOOK_TIMEOUT_MS: '2000' })
  receiver = await startReceiver()
})
beforeEach(async () => {
  client = await app.newClient()
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})

const create = (body: Record<string, unknown>) =>
  app.call('POST', PATH, {
    token: client.token,
    body: { webhook_name: 'CRM', endpoint_url: `${receiver.url}/hook`, ...body },
  })
const change = (id: string, body: unknown) =>
  app.call('PATCH', `${PATH}/${id}`, { token: client.token, body })
const testEndpoint = async (body: unknown) =>
  (await app.call('POST', '/functions/v1/test-webhook-endpoint', { token: client.token, body })).json

const RULE = {
  accepted: { path: 'success', equals: true },
  duplicate: { contains: 'duplicate' },
  rejected: { path: 'success', equals: false },
}

describe('a configuration', () => {
  test('has no success rule by default', async () => {
    expect((await create({})).json).toMatchObject({
      missing_values: 'empty',
      success_rule: null,
      capture_path: null,
    })
  })

  test('stores its rule, its path and its policy, and removes them on request', async () => {
    const rules = { missing_values: 'omit', success_rule: RULE, capture_path: 'data.lead_id' }
    const { status, json } = await create(rules)
    expect({ status, json }).toMatchObject({ status: 201, json: rules })
    expect((await change(json.id, { webhook_name: 'Other' })).json).toMatchObject(rules)
    expect((await change(json.id, { success_rule: null, capture_path: null })).json).toMatchObject({
      missing_values: 'omit',
      success_rule: null,
      capture_path: null,
    })
  })

  test.each([
    [{ success_rule: {} }, 'success_rule'],
    [{ success_rule: { accepted: { path: 'a..b', equals: 1 } } }, 'success_rule'],
    [{ success_rule: { accepted: { path: 'a' } } }, 'success_rule'],
    [{ success_rule: { accepted: { contains: 'a\0' } } }, 'success_rule'],
    [{ success_rule: 'yes' }, 'success_rule'],
    [{ capture_path: '' }, 'capture_path'],
    [{ capture_path: 'a[' }, 'capture_path'],
    [{ missing_values: 'nothing' }, 'missing_values'],
  ])('is refused with %j', async (body, path) => {
    const { status, json } = await create(body)
    expect(status).toBe(422)
    expect(json.errors[0]?.path).toMatch(new RegExp(`^${path}`))
    const { json: saved } = await create({})
    expect((await change(saved.id, body)).status).toBe(422)
  })

  test('is refused while a constant of its preset is empty, and the fault names it', async () => {
    const { status, json } = await create({
      endpoint_url: 'https://<<organization>>.example.com/',
      custom_headers: { 'X-Token': 'a <<token>>' },
      payload_template: { oid: '<<oid>>', nested: [{ list: '<<list_id>>' }] },
    })
    expect(status).toBe(422)
    const messages = Object.fromEntries(
      (json.errors as { path: string; message: string }[]).map(({ path, message }) => [path, message]),
    )
    expect(messages).toEqual({
      endpoint_url: expect.stringContaining('Fill in organization:') as string,
      'custom_headers.X-Token': expect.stringContaining('Fill in token:') as string,
      payload_template: expect.stringContaining('Fill in oid, list_id:') as string,
    })
    const { json: saved } = await create({})
    expect((await change(saved.id, { payload_template: { oid: '<<oid>>' } })).status).toBe(422)
    expect(
      await testEndpoint({ endpoint_url: receiver.url, payload_template: { oid: '<<oid>>' } }),
    ).toMatchObject({
      success: false,
      message: expect.stringContaining('Fill in oid') as string,
    })
  })
})

describe('test-webhook-endpoint', () => {
  const answer = (body: unknown) => {
    receiver.answerWith({ status: 200, body: JSON.stringify(body) })
  }

  test('judges the answer by the rule in the form', async () => {
    const draft = { endpoint_url: receiver.url, success_rule: RULE, capture_path: 'id' }
    answer({ success: true, id: 42 })
    expect(await testEndpoint(draft)).toMatchObject({
      success: true,
      outcome: 'accepted',
      receiver_id: '42',
      message:
        'Your endpoint answered 200, and its answer says: accepted. Its id for the lead is 42. Not duplicate: it does not contain "duplicate". Not rejected: "success" is not false.',
    })
    answer({ success: true, message: 'Duplicate' })
    expect(await testEndpoint(draft)).toMatchObject({
      success: true,
      outcome: 'duplicate',
      receiver_id: null,
      message:
        'Your endpoint answered 200, and its answer says: duplicate. No id stands at "id". Not rejected: "success" is not false.',
    })
    answer({ success: false })
    expect(await testEndpoint(draft)).toMatchObject({
      success: false,
      outcome: 'rejected',
      error: expect.stringContaining('its answer says no: "success" is false') as string,
    })
    answer('hello')
    expect(await testEndpoint(draft)).toMatchObject({ success: false, outcome: null, response_status: 200 })
  })

  test.each([
    // XML, and a form's text: no path matches.
    [
      '<response status="success" id="1"/>',
      { accepted: { contains: 'status="success"' }, rejected: { path: 'response.status', equals: 'failed' } },
      ['Not rejected: it is not JSON, which a path needs.'],
    ],
    // The item's index is missing.
    [
      '{"code":"OK","data":{"messages":[{"status":"QUEUED"}]}}',
      { accepted: { path: 'code', equals: 'OK' }, rejected: { path: 'data.messages.status', equals: 'BAD' } },
      ['Not rejected: it has no "data.messages.status"; "status" stands at data.messages[0].status.'],
    ],
    [
      '{"status":"ok","is_duplicate":0}',
      { accepted: { path: 'status', equals: 'ok' }, duplicate: { path: 'is_duplicate', equals: true } },
      ['Not duplicate: "is_duplicate" is not true.'],
    ],
    [
      '{"id":7}',
      { rejected: { path: 'error', equals: true } },
      ['answer says: accepted. ', 'Not rejected: it has no "error".'],
    ],
    // The path is right, but this answer has no error.
    [
      '{"success":true,"errors":[]}',
      { accepted: { path: 'success', equals: true }, rejected: { path: 'errors[0]', equals: 'Taken' } },
      ['Not rejected: it has no "errors[0]".'],
    ],
    // A rejection, which says nothing about the member that the rule looks for.
    [
      '{"wufoo_submit":[{"success":"false"}]}',
      { accepted: { path: 'success', equals: true }, rejected: { contains: '"success":"false"' } },
      [
        'its answer says no',
        'Not accepted: it has no "success"; "success" stands at wufoo_submit[0].success.',
      ],
    ],
    [
      'status=ok&message=Already+in+CRM',
      { duplicate: { contains: 'Already in CRM' }, accepted: { contains: 'status=ok' } },
      ['answer says: duplicate.'],
    ],
    // The path begins with the name of a variable.
    [
      '{"messages":[{"status":"0"}]}',
      { accepted: { path: 'responseData.messages[0].status', equals: '0' } },
      ['it has no "responseData.messages[0].status"; "status" stands at messages[0].status.'],
    ],
  ])('explains for %s why each part of a rule does not match', async (body, rule, told) => {
    receiver.answerWith({ status: 200, body })
    const { message } = await testEndpoint({ endpoint_url: receiver.url, success_rule: rule })
    for (const sentence of told) expect(message).toContain(sentence)
  })

  test('explains once why an answer is not accepted', async () => {
    answer({ result: 'no' })
    const rule = { accepted: { path: 'result', equals: 'yes' } }
    const { message } = await testEndpoint({ endpoint_url: receiver.url, success_rule: rule })
    expect(message).toMatch(/asks for: "result" is not "yes"\.$/)
  })

  test('says that a rule applies only to a 2xx answer', async () => {
    receiver.answerWith({ status: 409, body: '{"status":"exists"}' })
    const rule = { duplicate: { path: 'status', equals: 'exists' } }
    const { message } = await testEndpoint({ endpoint_url: receiver.url, success_rule: rule })
    expect(message).toMatch(/^409: .*Its success rule was not asked: it reads 2xx answers alone\.$/)
  })

  test('explains why no id was found', async () => {
    const capture = async (body: string, path: string) => {
      receiver.answerWith({ status: 200, body })
      return (await testEndpoint({ endpoint_url: receiver.url, capture_path: path })).message
    }
    expect(await capture('<r><LeadID>1</LeadID></r>', 'r.LeadID')).toMatch(
      /No id stands at "r\.LeadID": it is not JSON, which a path needs\.$/,
    )
    expect(await capture('', 'id')).toMatch(/No id stands at "id": its body is empty\.$/)
    expect(await capture('{"data":{"ids":[17]}}', 'response.ids[0]')).toMatch(
      /No id stands at "response\.ids\[0\]"; "ids\[0\]" stands at data\.ids\[0\]\.$/,
    )
    expect(await capture(JSON.stringify({ id: 'x'.repeat(201) }), 'id')).toMatch(
      / is x{200}, cut off there\.$/,
    )
    // Neither value there is an id.
    expect(await capture('{"id":null,"data":{"id":{}}}', 'lead.id')).toMatch(/No id stands at "lead\.id"\.$/)
    expect(await capture('{"request_id":"a1b2"}', 'Ticket')).toMatch(/No id stands at "Ticket"\.$/)
    expect(await capture('{"data":{"items":[{"ID":5}]}}', 'id')).toMatch(
      /No id stands at "id"; "id" stands at data\.items\[0\]\.ID\.$/,
    )
    // A member may be named after a person.
    expect(await capture('{"jane@example.com":{"id":1}}', 'id')).toMatch(/No id stands at "id"\.$/)
  })

  test('judges the answer by the rule of a saved configuration', async () => {
    const { json } = await create({ success_rule: { rejected: { contains: 'refused' } }, capture_path: 'id' })
    answer({ text: 'Refused' })
    expect(await testEndpoint({ webhookId: json.id })).toMatchObject({ success: false, outcome: 'rejected' })
    answer({ text: 'thanks', id: 'L-1' })
    expect(await testEndpoint({ webhookId: json.id })).toMatchObject({
      success: true,
      outcome: 'accepted',
      receiver_id: 'L-1',
    })
  })

  test('applies the policy for missing values', async () => {
    await testEndpoint({
      endpoint_url: receiver.url,
      payload_template: { a: '{{comments}}', b: '{{first_name}}' },
      missing_values: 'omit',
    })
    expect(receiver.requests.at(-1)?.body).toBe('{"b":"Test"}')
  })
})

test('the preview also uses the policy for missing values', async () => {
  const body = { payload_template: { a: '{{comments}}', b: 'x {{comments}}' } }
  const preview = async (missing_values?: string) => {
    const given = { ...body, missing_values }
    return (await app.call('POST', `${PATH}/preview`, { token: client.token, body: given })).json
  }
  expect([await preview(), await preview('null'), await preview('omit')]).toMatchObject([
    { body: '{"a":null,"b":"x "}' },
    { body: '{"a":null,"b":null}' },
    { body: '{}' },
  ])
})

test('the presets can be read', async () => {
  const { status, json } = await app.call('GET', '/api/v1/webhook-presets', { token: client.token })
  expect({ status, json }).toEqual({ status: 200, json: { data: PRESETS } })
})
