import { expect, test } from 'vitest'
import {
  describeAdvanced,
  describeAnswer,
  describeAuthentication,
  describeCertificates,
} from '#web/webhooks/dialog/describe-options.ts'
import { describeRate, editRate, rateShape, writeRate } from '#web/webhooks/dialog/sending/rate-values.ts'
import { isSentInTheClear } from '#web/webhooks/dialog/endpoint/is-sent-in-the-clear.ts'
import { describeLoss } from '#web/webhooks/list/describe-loss.ts'
import { NEW_WEBHOOK_VALUES } from '#web/webhooks/dialog/webhook-form-values.ts'

test('a limit of requests a minute is typed as a number, and no number means no limit', () => {
  const { requests_per_minute: rate } = rateShape
  expect(['', ' 60 ', '1', '6000'].map((text) => rate.safeParse(text).success)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['0', '6001', '1.5', '-1', 'many'].map((text) => rate.safeParse(text).success)).not.toContain(true)
  expect(['', ' 60 ', '1', 'x'].map(writeRate)).toEqual([null, 60, 1, null])
  expect(editRate(null)).toBe('')
  expect([editRate(6000), '1', ''].map(describeRate)).toEqual([
    'At most 6,000 requests a minute',
    'At most 1 request a minute',
    'As fast as leads come',
  ])
})

test('a closed group shows its settings on one line', () => {
  const values = NEW_WEBHOOK_VALUES
  expect(describeAdvanced(values)).toBe('No custom headers · default template, 8 fields · Test Endpoint')
  expect(
    describeAdvanced({
      trigger_on_lead_created: true,
      custom_headers: '{"X-Source": "leadwire"}',
      payload_template: '{"who": "{{name}}"}',
    }),
  ).toBe('Also when received · 1 custom header · template of your own, 1 field · Test Endpoint')
  expect(describeAdvanced({ ...values, custom_headers: '{', payload_template: '[]' })).toBe(
    'Custom headers: invalid JSON · template: invalid JSON · Test Endpoint',
  )
  expect(describeAuthentication(values.authentication)).toBe('None')
  const stored = { type: 'bearer', mask: '••••cdef' }
  expect(describeAuthentication({ ...values.authentication, type: 'bearer', stored })).toBe(
    'Bearer token, stored',
  )
  expect(describeAuthentication({ ...values.authentication, type: 'basic', username: 'crm', stored })).toBe(
    'Basic, as crm',
  )
  expect(describeCertificates(values)).toBe('None of your own')
  expect(describeCertificates({ ca_certificate: 'x', client_certificate: 'y' })).toBe(
    'CA certificate and client certificate',
  )
  expect(describeAnswer(values)).toBe('Every 2xx is a success')
  const asked = { kind: 'contains', path: '', value: 'ok' } as const
  expect(
    describeAnswer({
      answer: { ...values.answer, accepted: asked, rejected: asked },
      capture_path: ' data.id ',
    }),
  ).toBe('Looks for accepted, rejected · id at data.id')
})

test('plain http:// causes a warning, except for this machine and for an incomplete address', () => {
  const warned = ['http://crm.example.com', ' HTTP://crm.example.com/leads ', 'http://10.0.0.8/']
  expect(warned.filter((url) => !isSentInTheClear(url))).toEqual([])
  const quiet = [
    '',
    'http://',
    'https://crm.example.com',
    'http://127.0.0.1:4999/x',
    'http://localhost',
    'crm',
  ]
  expect(quiet.filter((url) => isSentInTheClear(url))).toEqual([])
})

test('Delete says what happens to waiting deliveries', () => {
  const rest = 'The leads and their timelines stay.'
  expect(describeLoss(undefined)).toBe(`Deliveries that wait for it are not sent. ${rest}`)
  expect(describeLoss({ waiting: 0, waiting_more: false })).toBe(`Nothing waits for it. ${rest}`)
  expect(describeLoss({ waiting: 1, waiting_more: false })).toContain('1 delivery waits for it')
  expect(describeLoss({ waiting: 10_000, waiting_more: true })).toContain('More than 10,000 deliveries wait')
})
