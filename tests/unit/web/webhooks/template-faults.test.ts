import { expect, test } from 'vitest'
import { findTemplateFaults } from '#web/webhooks/dialog/template/find-template-faults.ts'
import { describeFormat, describeMissing } from '#web/webhooks/dialog/template/describe-format.ts'

/** Returns each fault as its text and its sentence. */
const faultsOf = (template: string) =>
  findTemplateFaults(template).map(
    ({ from, to, severity, message, replacement }) =>
      `${severity} ${template.slice(from, to)}: ${message}${replacement === undefined ? '' : ` → ${replacement}`}`,
  )
const NOT_CLOSED = 'Placeholder not closed: it is sent as it stands.'

test.each([
  ['{"who": "{{name}}", "x": "{{ lead.phone }} and {{custom.color}}", "y": "}} {a} {"}', []],
  ['{"who": "{{phone}"}', [`warning {{phone}: ${NOT_CLOSED} Write {{phone}}. → {{phone}}`]],
  ['{"who": "{{phone"}', [`warning {{phone: ${NOT_CLOSED} Write {{phone}}. → {{phone}}`]],
  ['{"a": {"b": "{{phone"}}', [`warning {{phone: ${NOT_CLOSED} Write {{phone}}. → {{phone}}`]],
  ['{"who": "{{first_name last_name"}', [`warning {{first_name last_name: ${NOT_CLOSED}`]],
  ['{"who": "{{{name}}}"}', []],
  [
    '{"a": "{{ phnoe }}", "b": "{{nothing_like_it}}"}',
    [
      'warning {{ phnoe }}: {{phnoe}} is not a known placeholder and will be sent empty. Did you mean {{phone}}? → {{phone}}',
      'warning {{nothing_like_it}}: {{nothing_like_it}} is not a known placeholder and will be sent empty.',
    ],
  ],
  ['{"phnoe": "phnoe"}', []],
  ['[]', ['error []: Must be a JSON object: { "key": "value" }']],
  ['', ['error : Enter a JSON object, for example {}']],
])('%s shows its faults at their places', (template, faults) => {
  expect(faultsOf(template)).toEqual(faults)
})

test('broken JSON is one error at its place, beside faults that are still detectable', () => {
  const [error, ...rest] = findTemplateFaults('{"a": "{{phone}",\n "b": }')
  expect(error).toMatchObject({ from: 24, to: 25, severity: 'error' })
  expect(rest).toMatchObject([{ from: 7, to: 15, severity: 'warning' }])
})

test('the help texts match the selected format', () => {
  expect(describeFormat('JSON')).toContain('keeps its type')
  expect(describeFormat('FORM')).toContain('form field')
  expect(describeMissing('empty', 'JSON')).toContain('null')
  expect(describeMissing('empty', 'FORM')).not.toContain('null')
  expect(describeMissing('omit', 'FORM')).toContain('field is left out')
})
