import { expect, test } from 'vitest'
import { writeMailText, writeSubject } from '#core/domain/webhooks/by-mail/write-mail.ts'

const ID = '01a0aeb7-3d5c-7000-8000-4b8a5c1d2e3f'

test('a subject names the lead’s type and state, and never the person', () => {
  const values = { name: 'Rosa Example', lead_type_label: 'Final expense', state: 'CA' }
  expect(writeSubject('lead.assigned', ID, values)).toBe('New lead: Final expense, CA [5c1d2e3f]')
  expect(writeSubject('lead.created', ID, { ...values, state: null })).toBe(
    'New lead: Final expense [5c1d2e3f]',
  )
  expect(writeSubject('lead.assigned', ID, { ...values, is_test: true })).toBe(
    'Test lead: Final expense, CA [5c1d2e3f]',
  )
  expect(writeSubject('test', ID, values)).toBe('Test lead: Final expense, CA [5c1d2e3f]')
})

test('a subject of an event beside the lead names the event', () => {
  expect(writeSubject('order.cap_reached', ID, {})).toBe('Order cap reached [5c1d2e3f]')
})

test('a subject is one short line, whatever a value holds', () => {
  const subject = writeSubject('lead.assigned', ID, {
    lead_type_label: `Life\r\nBcc: x@example.com\u2028${'x'.repeat(400)}`,
  })
  expect(subject).toMatch(/^New lead: Life Bcc: x@example\.com x+ \[5c1d2e3f\]$/)
  expect(subject.length).toBeLessThan(220)
})

test('a text has one field a line, and no value can pass for a field', () => {
  const form = new URLSearchParams([
    ['Full name', 'Rosa Example'],
    ['note', 'first\r\nphone: 1\nlast\u2028end'],
    ['city', ''],
    ['a.b', '1.50'],
  ])
  const [fields = '', , footer] = writeMailText('lead.assigned', form.toString(), {}).split(/\n\n|-- \n/)
  expect(fields).toBe('Full name: Rosa Example\nnote: first\n  phone: 1\n  last\n  end\ncity:\na.b: 1.50')
  expect(footer).toMatch(/^Leadwire sent this mail/)
})

test('a text of a test says so first', () => {
  expect(writeMailText('test', 'name=Test+Lead', {})).toMatch(/^This is a test\. .*\n\nname: Test Lead\n/)
  expect(writeMailText('lead.assigned', 'name=Test+Lead', { is_test: true })).toMatch(/^This is a test\./)
})
