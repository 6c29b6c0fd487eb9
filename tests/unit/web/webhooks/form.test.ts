import { describe, expect, it } from 'vitest'
import { webhookConfigSchema } from '#core/contract/webhooks/webhook-config.ts'
import { readWebhookConfigText, writeWebhookBody } from '#web/webhooks/queries/webhook-config-text.ts'
import { editAccess, writeAccess } from '#web/webhooks/dialog/access/access-values.ts'
import {
  describeJsonFault,
  findHeadersFault,
  findJsonObjectFault,
} from '#web/webhooks/dialog/check-json-object.ts'
import {
  editWebhookValues,
  NEW_WEBHOOK_VALUES,
  refusalOfField,
  webhookFormSchema,
} from '#web/webhooks/dialog/webhook-form-values.ts'

const messagesOf = (values: object): Record<string, string> => {
  const parsed = webhookFormSchema.safeParse({ ...NEW_WEBHOOK_VALUES, ...values })
  return parsed.success
    ? {}
    : Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]))
}
const filled = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' }

describe('the JSON texts of the webhook form', () => {
  const describeFault = (text: string) => {
    const fault = findJsonObjectFault(text)
    return fault === null ? null : describeJsonFault(fault)
  }

  it('accept an object in any layout', () => {
    expect([describeFault('{}'), describeFault(' {\n "a": [1, {"b": null}] }\n')]).toEqual([null, null])
  })

  it('name line and column of the first fault', () => {
    expect(describeFault('{\n  "a": 1,\n  b: 2\n}')).toMatch(/^Line 3, column 3: /)
    expect(describeFault('{a')).toMatch(/^Line 1, column 2: /)
  })

  it.each(['[]', '"text"', '7', 'null'])('refuse %s, which is JSON but not an object', (text) => {
    expect(describeFault(text)).toBe('Must be a JSON object: { "key": "value" }')
  })

  it('require a text', () => {
    expect(describeFault(' \n ')).toBe('Enter a JSON object, for example {}')
  })

  it('require every header value to be a string', () => {
    expect(findHeadersFault('{"X-A": "1"}')).toBeNull()
    expect(findHeadersFault('{"X-A": "1", "X-B": 2}')?.message).toBe(
      'The value of "X-B" must be a string in quotes',
    )
  })
})

describe('the values of the webhook form (docs/product.md §4, §5)', () => {
  it('begin as docs/product.md §4 says, with the eight default placeholders', () => {
    expect(NEW_WEBHOOK_VALUES).toMatchObject({
      request_method: 'POST',
      payload_type: 'JSON',
      is_active: true,
      trigger_on_lead_assigned: true,
      trigger_on_lead_created: false,
      custom_headers: '{}',
    })
    expect(Object.keys(JSON.parse(NEW_WEBHOOK_VALUES.payload_template) as object)).toEqual([
      'lead_id',
      'name',
      'email',
      'phone',
      'lead_type',
      'state',
      'city',
      'created_at',
    ])
  })

  it('name the required fields that are empty', () => {
    expect(messagesOf({ webhook_name: '  ' })).toEqual({
      webhook_name: 'Webhook Name is required',
      endpoint_url: 'Endpoint URL is required',
    })
  })

  it.each(['crm.example.com', 'ftp://crm.example.com', 'https://', 'http://['])(
    'refuse %s as an address',
    (endpoint_url) => {
      expect(Object.keys(messagesOf({ ...filled, endpoint_url }))).toEqual(['endpoint_url'])
    },
  )

  it('pass when name, address and both JSON texts are good', () => {
    expect(messagesOf(filled)).toEqual({})
    expect(Object.keys(messagesOf({ ...filled, custom_headers: '{a' }))).toEqual(['custom_headers'])
    expect(Object.keys(messagesOf({ ...filled, payload_template: '[]' }))).toEqual(['payload_template'])
  })

  it('ask for a constant even if it has the name of a prototype’s member', () => {
    const payload_template = '{"a":"<<constructor>>","b":"<<toString>>"}'
    expect(messagesOf({ ...filled, payload_template })).toEqual({ constants: 'Fill in toString' })
  })

  it("show a server's fault at its field, with the part that it names", () => {
    const show = (path: string) => refusalOfField({ path, message: 'Not allowed' })
    expect(show('endpoint_url')).toEqual({ field: 'endpoint_url', message: 'Not allowed' })
    expect(show('custom_headers.Host')).toEqual({ field: 'custom_headers', message: 'Host: Not allowed' })
    expect([show('client_user_id'), show('')]).toEqual([undefined, undefined])
  })
})

describe('a payload template on its way to the API and back', () => {
  const template = '{ "b": 1.0, "10": "{{id}}",\n  "2": 12345678901234567890, "a": "😀\\u00e9" }'

  it('is sent verbatim, key order and numbers untouched', () => {
    const body = writeWebhookBody({ ...filled, custom_headers: '{"X-A":"1"}', payload_template: template })
    expect(body).toContain(`"payload_template":${template}`)
    expect(JSON.parse(body)).toMatchObject({ webhook_name: 'CRM', custom_headers: { 'X-A': '1' } })
  })

  const answer = (payload: string) =>
    `{"id":"0193a000-0000-7000-8000-000000000001","webhook_name":"payload_template","endpoint_url":"https://x.example.com",` +
    `"request_method":"PUT","payload_type":"FORM","is_active":false,"trigger_on_lead_created":true,` +
    `"trigger_on_lead_assigned":false,"custom_headers":{"X-B":"2","1":"z"},"payload_template":${payload},` +
    `"missing_values":"empty","success_rule":null,"capture_path":null,"authentication":{"type":"none"},` +
    `"ca_certificate":null,"client_certificate":null,"client_key":null,"conditions":null,"sending_hours":null,` +
    `"client_user_id":"0193a000-0000-7000-8000-00000000000a","member_user_id":null,"created_by":null,"disabled_reason":null,` +
    `"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}`

  it('comes back for editing as the text that was saved', () => {
    const values = editWebhookValues(readWebhookConfigText(answer(template)))
    expect(values).toMatchObject({
      webhook_name: 'payload_template',
      request_method: 'PUT',
      payload_type: 'FORM',
      is_active: false,
      trigger_on_lead_created: true,
      trigger_on_lead_assigned: false,
      payload_template: template,
      custom_headers: '{\n  "X-B": "2",\n  "1": "z"\n}',
    })
  })

  it('is indented for reading if it is one line, with order and digits kept', () => {
    const { templateText } = readWebhookConfigText(answer('{"b":1.0,"1":12345678901234567890}'))
    expect(templateText).toBe('{\n  "b": 1.0,\n  "1": 12345678901234567890\n}')
  })
})

describe('authentication in the form', () => {
  const stored = webhookConfigSchema.parse({
    ...JSON.parse(
      `{"id":"0193a000-0000-7000-8000-000000000001","webhook_name":"CRM","endpoint_url":"https://x.example.com",` +
        `"request_method":"POST","payload_type":"JSON","is_active":true,"trigger_on_lead_created":true,` +
        `"trigger_on_lead_assigned":false,"custom_headers":{},"payload_template":{},"missing_values":"empty",` +
        `"success_rule":null,"capture_path":null,"conditions":null,"sending_hours":null,` +
        `"client_user_id":"0193a000-0000-7000-8000-00000000000a","member_user_id":null,"created_by":null,"disabled_reason":null,"created_at":"2026-01-01T00:00:00Z",` +
        `"updated_at":"2026-01-01T00:00:00Z"}`,
    ),
    authentication: { type: 'basic', username: 'leadwire', password: '••••' },
    ca_certificate: null,
    client_certificate: '-----BEGIN CERTIFICATE-----',
    client_key: '••••',
  })

  it('never puts a mask into a field, and sends it back for a field that is left empty', () => {
    const values = editAccess(stored)
    expect([values.authentication.password, values.client_key]).toEqual(['', ''])
    expect(writeAccess(values)).toEqual({
      authentication: { type: 'basic', username: 'leadwire', password: '••••' },
      ca_certificate: null,
      client_certificate: '-----BEGIN CERTIFICATE-----',
      client_key: '••••',
    })
  })

  it('sends a typed value in place of the stored one', () => {
    const values = editAccess(stored)
    const typed = {
      ...values,
      authentication: { ...values.authentication, password: 'new' },
      client_key: 'key',
    }
    expect(writeAccess(typed)).toMatchObject({ authentication: { password: 'new' }, client_key: 'key' })
  })

  it('asks for one that cannot be read, and leaves it out until another is chosen', () => {
    const lost = { ...stored, authentication: { type: 'none' as const }, authentication_unreadable: true }
    const values = editAccess(lost)
    expect(writeAccess(values)).not.toHaveProperty('authentication')
    const parsed = webhookFormSchema.safeParse({ ...NEW_WEBHOOK_VALUES, ...filled, ...values })
    expect(parsed.error?.issues).toMatchObject([
      { path: ['authentication', 'type'], message: 'Its authentication cannot be read; enter it again' },
    ])
    const chosen = { ...values, authentication: { ...values.authentication, type: 'none' as const } }
    expect(writeAccess(chosen)).toMatchObject({ authentication: { type: 'none' } })
  })

  it('keeps no secret of another kind, and removes the key with its certificate', () => {
    const values = editAccess(stored)
    const other = { ...values, authentication: { ...values.authentication, type: 'bearer' as const } }
    expect(writeAccess(other).authentication).toEqual({ type: 'bearer', token: '' })
    expect(writeAccess({ ...values, client_certificate: ' ' })).toMatchObject({
      client_certificate: null,
      client_key: null,
    })
  })

  it('asks for the fields of its kind, and shows a refusal at its field', () => {
    const missing = { ...NEW_WEBHOOK_VALUES.authentication, type: 'oauth2' as const }
    const parsed = webhookFormSchema.safeParse({ ...NEW_WEBHOOK_VALUES, ...filled, authentication: missing })
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'authentication.token_url',
      'authentication.client_id',
      'authentication.client_secret',
    ])
    expect(refusalOfField({ path: 'authentication.token', message: 'No' })).toEqual({
      field: 'authentication.token',
      message: 'No',
    })
    expect(refusalOfField({ path: 'client_key', message: 'No' })?.field).toBe('client_key')
  })
})
