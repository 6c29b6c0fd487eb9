import { describe, expect, it, test } from 'vitest'
import { MOST_TEMPLATE_VALUES, refuseTemplate } from '#core/domain/webhooks/template/check-template.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { LARGEST_PAYLOAD, PayloadTooLargeError } from '#core/domain/webhooks/template/payload-size.ts'
import { renderCompiled } from '#core/domain/webhooks/template/render-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

const values = sampleValues('lead.assigned', new Date(0))
const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const TEXTS = {
  plain: 'Avery Example',
  quotes: '"\\"\\',
  controls: '\u0001\b\t\n\f\r\u001f\u007f',
  accents: 'Zoë Ångström',
  'three bytes': '日本',
  'four bytes': '🦊',
  form: "a b*c-d.e_f~g!h'i(j)k&l=m%n+o/p?q",
}
const TEMPLATES = {
  'an empty object': {},
  'nested members': {
    a: '{{comments}}',
    b: { c: ['{{comments}}', 1, null, true], 'd é"': '{{comments}}' },
    e: [],
  },
  'an array of objects': [{ x: 'told: {{comments}}' }, { x: '{{comments}}', y: {} }],
  'a text alone': '{{comments}}',
}

describe.each(Object.entries(TEMPLATES))('%s', (_name, template) => {
  it.each(
    Object.entries(TEXTS).flatMap(([name, text]) => [
      [name, text, 'JSON'] as const,
      [name, text, 'FORM'] as const,
    ]),
  )('with %s is counted to the byte', (_text, comments, payloadType) => {
    const compiled = compileTemplate(JSON.stringify(template))
    const render = (largest?: number) =>
      renderCompiled(compiled, payloadType, { ...values, comments }, 'empty', largest).body
    const exact = bytesOf(render())

    expect(render(exact)).toBe(render())
    if (exact > 0) expect(() => render(exact - 1)).toThrow(PayloadTooLargeError)
  })
})

test('a template may contain the longest text of a lead 26 times even if each character becomes two', () => {
  const comments = '"'.repeat(5000)
  const template = (times: number) =>
    compileTemplate(JSON.stringify(Array.from({ length: times }, () => '{{comments}}')))
  const render = (times: number) =>
    renderCompiled(template(times), 'JSON', { ...values, comments }, 'empty', LARGEST_PAYLOAD).body

  expect(bytesOf(render(26))).toBeLessThanOrEqual(LARGEST_PAYLOAD)
  expect(() => render(27)).toThrow('The payload would be longer than 262,144 bytes.')
})

describe('the formats of a template', () => {
  const comments = 'a b '.repeat(1250)
  /** Renders a template whose formats reduce each value to one letter. */
  const render = (placeholders: number, formats: string, largest = LARGEST_PAYLOAD) =>
    renderCompiled(
      compileTemplate(
        JSON.stringify(Array.from({ length: placeholders }, () => `{{comments | ${formats}}}`)),
      ),
      'JSON',
      { ...values, comments },
      'empty',
      largest,
    )

  test('may read as many characters as a payload may have, however short their result is', () => {
    expect(render(52, 'map: *=x').formatted).toBe(52 * 5000)
    expect(() => render(53, 'map: *=x')).toThrow(
      'The formats of the payload would read more than 262,144 characters.',
    )
  })

  test('are counted one by one, each with the result of the one before', () => {
    expect(render(1, 'title | upper | map: *=word | upper | lower').formatted).toBe(3 * 5000 + 4 + 4)
    expect(() => render(14, 'title | title | title | title | map: *=x')).toThrow(PayloadTooLargeError)
    expect(renderCompiled(compileTemplate('["{{name}}"]'), 'JSON', values).formatted).toBe(0)
  })

  test('are stopped quickly if they would take a second', () => {
    const threadMs = startThreadClock()
    expect(() => render(700, 'title | title | title | title | map: *=x')).toThrow(PayloadTooLargeError)
    expect(threadMs()).toBeLessThan(150)
  })
})

test.each([
  ['numbers', (count: number) => ({ v: Array.from({ length: count - 2 }, () => 1) })],
  ['members', (count: number) => Object.fromEntries(Array.from({ length: count - 1 }, (_v, at) => [at, {}]))],
])('a template of %s may have a limited number of them', (_what, template) => {
  const refused = 'Payload Template has too many values (at most 2,000)'
  expect(refuseTemplate(JSON.stringify(template(MOST_TEMPLATE_VALUES)))).toBeUndefined()
  expect(refuseTemplate(JSON.stringify(template(MOST_TEMPLATE_VALUES + 2)))).toBe(refused)
})
