import { expect, test } from 'vitest'
import { renderMail } from '#core/mail/render-mail.ts'

const OWNER = 'c0000000-0000-4000-8000-000000000001'
const reader = (user_id: string) => ({
  user_id,
  publicUrl: 'https://leads.example.com',
  now: new Date('2026-11-01T09:00:00.000Z'),
})
const ADMIN = 'c0000000-0000-4000-8000-000000000002'
const failing = (fields: Record<string, unknown> = {}) => ({
  template: 'endpoint_failing',
  data: {
    webhook_config_id: 'c0000000-0000-4000-8000-0000000000aa',
    webhook_name: 'Example CRM',
    client_user_id: OWNER,
    client_name: 'Example Agency',
    failures_in_row: 20,
    failing_since: '2026-11-01T08:30:00.000Z',
    last_failure: '503: your endpoint is not available right now.',
    waiting: 1234,
    ...fields,
  },
})

test('a notice names the failure, its start, its cause and the number of waiting leads, as text and as HTML', () => {
  const { subject, text, html } = renderMail(failing(), reader(OWNER))

  expect(subject).toBe('A webhook keeps failing')
  for (const body of [text, html]) {
    for (const fact of ['2026-11-01 08:30 UTC', '503: your endpoint', '1,234 deliveries', '20 attempts'])
      expect(body).toContain(fact)
  }
})

test('the owner’s mail links to the webhook, and an administrator’s names the client', () => {
  const link = 'https://leads.example.com/client-integrations?view=configure'
  const toOwner = renderMail(failing(), reader(OWNER)).text
  const toAdmin = renderMail(failing(), reader(ADMIN)).text

  expect([toOwner.includes(link), toOwner.includes('Example Agency')]).toEqual([true, false])
  expect([toAdmin.includes(link), toAdmin.includes('Example Agency')]).toEqual([false, true])
  expect(toAdmin).toContain('https://leads.example.com/admin')
})

test('a client’s input never becomes markup in the HTML', () => {
  const { html } = renderMail(failing({ webhook_name: '<img src=x onerror="alert(1)">&' }), reader(OWNER))

  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;')
})

test('a name with line breaks does not end the subject', () => {
  const data = { order_name: 'Order\r\nBcc: other@example.com\r\n\r\nhello\u2028', reason: null }
  const { subject } = renderMail({ template: 'order_paused', data }, reader(OWNER))

  expect(subject).toMatch(/^Your order “Order Bcc: other@example\.com hello ” was paused$/u)
})

test('the subject of a mail to administrators contains no text of a client', () => {
  const typed = failing({ webhook_name: 'Pay now', client_name: 'Pay now' })
  const others = [typed.data, { ...typed.data, webhook_config_id: 'c0000000-0000-4000-8000-0000000000ab' }]
  expect(renderMail(typed, reader(ADMIN)).subject).toBe('A webhook keeps failing')
  expect(renderMail(failing({ others, more: 40 }), reader(ADMIN)).subject).toBe('43 webhooks keep failing')
})

test('a mail about several webhooks lists each with its cause and its client, and counts the others', () => {
  const other = {
    ...failing().data,
    webhook_config_id: 'c0000000-0000-4000-8000-0000000000ab',
    webhook_name: 'Other CRM',
    last_failure: '404: nothing is there.',
  }
  const digest = failing({ others: [other], more: 1 })
  const [toOwner, toAdmin] = [renderMail(digest, reader(OWNER)).text, renderMail(digest, reader(ADMIN)).text]

  for (const text of [toOwner, toAdmin])
    for (const fact of [
      '503: your endpoint',
      '404: nothing is there.',
      '1 webhook more',
      '2026-11-01 08:30 UTC',
    ])
      expect(text).toContain(fact)
  expect(toAdmin).toContain('Example Agency: Other CRM')
  expect(toOwner).not.toContain('Example Agency')
  expect(toOwner).toContain('https://leads.example.com/client-integrations?view=configure')
})

test('a mail lists at most fifty webhooks, and counts the others', () => {
  const others = Array.from({ length: 69 }, (_, at) => ({
    ...failing().data,
    webhook_config_id: `c0000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  }))
  const { subject, text } = renderMail(failing({ others }), reader(OWNER))

  expect(subject).toBe('70 webhooks keep failing')
  expect(text.split('503: your endpoint')).toHaveLength(51)
  expect(text).toContain('20 webhooks more')
})

test('an unknown template and incomplete data are refused', () => {
  expect(() => renderMail({ template: 'nothing', data: {} }, reader(OWNER))).toThrow(/template/)
  expect(() => renderMail(failing({ waiting: undefined }), reader(OWNER))).toThrow(/waiting/)
})

test('a mail about an endpoint that rejects leads in its answers does not announce a switch-off', () => {
  expect(renderMail(failing(), reader(OWNER)).text).toContain('switched off')
  const { text } = renderMail(failing({ refuses: true }), reader(OWNER))
  expect(text).toContain('has refused the last 20 leads')
  expect(text).not.toContain('switched off')
})
