import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  refuseFilled,
  refuseInUrl,
  withoutPlaceholders,
} from '#core/domain/webhooks/template/check-address.ts'
import { compileAddress, fillAddress } from '#core/domain/webhooks/template/fill-address.ts'
import type { PlaceholderValues } from '#core/domain/webhooks/template/placeholder-value.ts'

const fill = (url: string, headers: Record<string, string>, values: PlaceholderValues) => {
  const compiled = compileAddress(url, headers)
  return compiled && fillAddress(compiled, values, () => undefined)
}
const fillUrl = (query: string, values: PlaceholderValues) =>
  fill(`https://crm.example.com/leads?${query}`, {}, values)?.url?.split('?').slice(1).join('?')

test.each([
  ['p={{phone}}&n={{name}}', 'p=%2B15125550143&n=A%26B%3D%20%23%2F%3F%C3%A9'],
  ['a={{ age }}&b={{tobacco}}&c={{city}}&d=1', 'a=67&b=true&c=&d=1'],
  ["t={{state | if: = CA, 'West & North', lead.age}}", 't=West%20%26%20North'],
  ['a={{name}}{{age}}?{{age}}', 'a=A%26B%3D%20%23%2F%3F%C3%A967?67'],
])('the query %s becomes %s', (query, filled) => {
  const values = { phone: '+15125550143', name: 'A&B= #/?é', age: 67, tobacco: true, state: 'CA', city: null }
  expect(refuseInUrl(`https://crm.example.com/leads?${query}`)).toBeUndefined()
  expect(fillUrl(query, values)).toBe(filled)
})

test('no value changes an address before its query, adds a parameter or breaks the address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      const url = fill('https://crm.example.com:8443/a?first={{name}}&last={{name}}', {}, { name })?.url ?? ''
      const parsed = new URL(url)
      expect([parsed.origin, parsed.pathname, parsed.hash]).toEqual([
        'https://crm.example.com:8443',
        '/a',
        '',
      ])
      expect([...parsed.searchParams]).toEqual([
        ['first', name.toWellFormed()],
        ['last', name.toWellFormed()],
      ])
    }),
  )
})

test('a header is one line that can be sent, whatever a value holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      const headers = fill(
        'https://a.example.com',
        { 'X-Name': 'to {{name}}', 'X-Other': '1' },
        { name },
      )?.headers
      expect(headers?.['X-Name']).toMatch(/^to[\u0020-\u007e\u00a0-\u00ff]*$/)
      expect(Object.keys(headers ?? {})).toEqual(['X-Name'])
    }),
  )
  const name = ' Zoë\r\nX-Evil: 1\u0085 Łódź 🙂\t'
  expect(fill('https://a.example.com', { 'X-Name': '{{name}}' }, { name })?.headers).toEqual({
    'X-Name': 'Zoë X-Evil: 1  ?ód? ?',
  })
})

test('a URL or header that would be too long is given up early', () => {
  const values = { comments: 'é'.repeat(5000) }
  expect(() => fillUrl('a={{comments}}', values)).toThrow('The URL would be longer than 8,000 characters.')
  expect(() => fill('https://a.example.com', { 'X-A': '{{comments}}' }, values)).toThrow(
    'The value of the header X-A would be too long.',
  )
  const many = Object.fromEntries(Array.from({ length: 5 }, (_, nr) => [`X-${nr}`, '{{comments}}']))
  expect(() => fill('https://a.example.com', many, { comments: 'a'.repeat(4000) })).toThrow('header X-4')
})

test('nothing is compiled where nothing is filled in', () => {
  expect(compileAddress('https://a.example.com/{{x}}?filter=%7B%7Bid%7D%7D', { a: '{x}' })).toBeUndefined()
})

test.each([
  ['https://{{state}}.example.com/?a={{id}}', '{{state}} would be sent as it stands'],
  ['https://example.com:{{age}}/', '{{age}} would be sent as it stands'],
  ['https://{{id}}@example.com/?a=1', '{{id}} would be sent as it stands'],
  ['{{custom.url}}?a=1', '{{custom.url}} would be sent as it stands'],
  ['https://{{a?b}}.example.com/', '{{a would be sent as it stands'],
  ['https://example.com/%7B%7Bid}}?a={{id}}', '{{id}} would be sent as it stands'],
  ['https://example.com/?a=%7B%7Bid%7D%7D', '{{id}} would be sent as it stands'],
  ['https://example.com/?a={{phnoe}}', '{{phnoe}} is not a known placeholder. Did you mean {{phone}}?'],
  ['https://example.com/?a={{name | date: YYYY}}', '{{name | date: YYYY}}: date is for times and dates'],
  ['https://example.com/?a={{phone', '{{phone is not closed. Write {{phone}}'],
])('the address %s is refused', (url, reason) => {
  expect(refuseInUrl(url)).toContain(reason)
})

test('an address is judged without the placeholders of its query', () => {
  const url = "https://example.com/a?b={{ state | map: CA='#1 \\', *=x }}&c=1"
  expect(refuseInUrl(url)).toBeUndefined()
  expect(withoutPlaceholders(url)).toBe('https://example.com/a?b=x&c=1')
  expect(refuseFilled('{"a":1} {x} }} {{id}}')).toBeUndefined()
})
