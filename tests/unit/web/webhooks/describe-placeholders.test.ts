import { expect, test } from 'vitest'
import { describePlaceholders } from '#web/webhooks/list/describe-placeholders.ts'

const describeOf = (
  payload_template: Record<string, unknown>,
  missing_values: 'empty' | 'null' | 'omit' = 'empty',
  endpoint_url = 'https://crm.example.com/',
) => describePlaceholders({ endpoint_url, payload_template, missing_values })

test('a webhook with only known placeholders gets no note', () => {
  expect(
    describeOf({
      a: '{{phone}}',
      b: ['{{ lead.name | upper }} of {{custom.plan}}', 1, null],
      c: { d: 'no {{' },
    }),
  ).toEqual([])
})

test('unknown placeholders are named once each, with their effect', () => {
  const template = { a: '{{phone_number}}', b: { c: ['x {{ nmae | upper }}', '{{phone_number}}'] } }
  expect(describeOf(template)).toEqual([
    'Unknown in Payload Template, and sent empty: {{phone_number}}, {{ nmae | upper }}. Edit the webhook and choose a name from the list.',
  ])
  expect(describeOf(template, 'null')[0]).toContain('sent as null')
  expect(describeOf(template, 'omit')[0]).toContain('left out')
})

test('a row names only as many placeholders as fit', () => {
  const template = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((name) => [name, `{{${name}_${'x'.repeat(80)}}}`]),
  )
  const [said = ''] = describeOf(template)
  expect(said).toContain('… and 2 more.')
  expect(said.length).toBeLessThan(350)
})

test('placeholders in places where nothing is filled in are named', () => {
  expect(describeOf({ 'lead_{{id}}': 1 }, 'empty', 'https://crm.example.com/%7B%7Bstate}}')).toEqual([
    'Sent as it stands, because nothing is filled in there: {{state}}, {{id}}.',
  ])
})
