import { describe, expect, it } from 'vitest'
import {
  PLACEHOLDERS,
  isKnownPlaceholder,
  placeholderName,
} from '#core/domain/webhooks/template/placeholders.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'
import type { PlaceholderValues } from '#core/domain/webhooks/template/placeholder-value.ts'
import { SAMPLE_LEAD, sampleValues } from '#core/domain/leads/sample-lead.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

const values: PlaceholderValues = {
  id: 'lead-1',
  name: 'Ada Example',
  email: 'ada@example.com',
  city: null,
  age: 67,
  deal_size: 12.5,
  tobacco: false,
  'custom.policy': 'A-1',
  'custom.__proto__': 'plain',
}

const json = (template: unknown, given = values): string =>
  renderPayload(JSON.stringify(template), 'JSON', given).body
const form = (templateText: string, given = values): string => renderPayload(templateText, 'FORM', given).body

describe('a JSON body', () => {
  it.each([
    ['{{name}}', 'Ada Example'],
    ['{{age}}', 67],
    ['{{deal_size}}', 12.5],
    ['{{tobacco}}', false],
    ['{{city}}', null],
    ['{{zip}}', null],
    ['{{lead.name}}', 'Ada Example'],
    ['{{ name }}', 'Ada Example'],
    ['{{\n\tlead.age\n}}', 67],
    ['{{custom.policy}}', 'A-1'],
    ['{{lead.custom.policy}}', 'A-1'],
    ['{{custom.missing}}', null],
    ['{{custom.__proto__}}', 'plain'],
    ['{{nonsense}}', ''],
    ['{{}}', ''],
    ['{{ }}', ''],
    ['{{__proto__}}', ''],
    ['{{constructor}}', ''],
    ['{{toString}}', ''],
    ['{{lead.lead.name}}', ''],
    ['{{NAME}}', ''],
    [' {{age}}', ' 67'],
    ['{{age}}{{tobacco}}', '67false'],
    ['Age {{age}}, smokes: {{tobacco}}, in {{city}}.', 'Age 67, smokes: false, in .'],
    ['{{nonsense}}!', '!'],
    ['{{constructor}}{{__proto__}}!', '!'],
    ['{{{name}}}', '{Ada Example}'],
    ['{{{{name}}}}', '{{Ada Example}}'],
    ['{{name', '{{name'],
    ['{name}', '{name}'],
    ['{{na{me}}', '{{na{me}}'],
    ['}}{{', '}}{{'],
    ['', ''],
  ])('makes %j into %j', (text, expected) => {
    expect(JSON.parse(json({ field: text }))).toEqual({ field: expected })
  })

  it('keeps keys, literals and the order of members', () => {
    const template =
      '{"10":"{{age}}","9":1.0,"{{email}}":[true,null,{"a":"{{name}}"}],"big":12345678901234567890}'
    expect(renderPayload(template, 'JSON', values).body).toBe(
      '{"10":67,"9":1.0,"{{email}}":[true,null,{"a":"Ada Example"}],"big":12345678901234567890}',
    )
  })

  it.each([
    '{{email}}',
    '$&',
    '$1',
    "$`$'",
    '$$',
    '\\',
    '"',
    '"},"admin":{"',
    '\n\r\t\0',
    '\u2028',
    '😀',
    'שלום עולם',
    '\ud800',
  ])('contains the value %j only as text', (name) => {
    const body = json({ only: '{{name}}', inside: '<{{name}}>', '{{name}}': 1 }, { ...values, name })
    expect(JSON.parse(body)).toEqual({ only: name, inside: `<${name}>`, '{{name}}': 1 })
    // Signed and sent bytes are equal only if the text survives UTF-8.
    expect(Buffer.from(body, 'utf8').toString('utf8')).toBe(body)
  })

  it('accepts spaces in the braces, alone and inside text', () => {
    const given = { ...values, 'custom.a b': 'x' }
    expect(JSON.parse(json({ only: '{{custom.a b}}', inside: '-{{custom.a b}}-' }, given))).toEqual({
      only: '',
      inside: '--',
    })
  })

  it('is {} for the template {}', () => {
    expect(renderPayload('{}', 'JSON', values)).toEqual({
      contentType: 'application/json',
      body: '{}',
      formatted: 0,
      unknownPlaceholders: [],
    })
  })

  it('lists unknown placeholders once each, as written, in order', () => {
    const template = JSON.stringify({
      a: '{{ wrong }} {{name}}',
      b: ['{{lead.first}}', '{{wrong}}'],
      '{{key}}': 1,
    })
    expect(renderPayload(template, 'JSON', values).unknownPlaceholders).toEqual(['wrong', 'lead.first'])
  })

  it.each([
    ['spaces after an opening brace', `{{${' '.repeat(200_000)}`],
    ['spaces around a name', `{{${' '.repeat(100_000)}x${' '.repeat(100_000)}`],
    ['opening braces', '{'.repeat(400_000)],
    ['unfinished placeholders', '{{name'.repeat(60_000)],
  ])('is rendered quickly for %s', (_what, text) => {
    const spent = startThreadClock()
    expect(JSON.parse(json({ text }))).toEqual({ text })
    expect(spent()).toBeLessThan(2000)
  })
})

describe('a form body', () => {
  it.each([
    ['{}', ''],
    ['{"name":"{{name}}","age":"{{age}}"}', 'name=Ada+Example&age=67'],
    ['{"a":{"b":{"c":"{{id}}"},"d":1}}', 'a.b.c=lead-1&a.d=1'],
    ['{"tag":["a","{{id}}",["b"]]}', 'tag=a&tag=lead-1&tag=b'],
    ['{"people":[{"n":"a"},{"n":"b"}]}', 'people.n=a&people.n=b'],
    ['{"a":"{{city}}","b":null,"c":"{{wrong}}"}', 'a=&b=&c='],
    ['{"n":1.0,"big":12345678901234567890,"e":1E400}', 'n=1.0&big=12345678901234567890&e=1E400'],
    ['{"t":true,"f":"{{tobacco}}"}', 't=true&f=false'],
    ['{"empty":[],"none":{}}', ''],
    ['{"10":"x","9":"y"}', '10=x&9=y'],
    ['{"{{email}}":"{{email}}"}', '%7B%7Bemail%7D%7D=ada%40example.com'],
    ['{"a b&c=":"+ &=%"}', 'a+b%26c%3D=%2B+%26%3D%25'],
    ['{"e":"😀","h":"שלום"}', 'e=%F0%9F%98%80&h=%D7%A9%D7%9C%D7%95%D7%9D'],
  ])('of %s is %s', (template, expected) => {
    expect(form(template)).toBe(expected)
  })

  it('keeps quotes, line breaks and a value like a=b inside its field', () => {
    const name = 'a"\'\r\n&email=evil@example.com'
    const fields = new URLSearchParams(form('{"name":"{{name}}","email":"{{email}}"}', { ...values, name }))
    expect([...fields]).toEqual([
      ['name', name],
      ['email', 'ada@example.com'],
    ])
  })

  it('replaces half of a surrogate pair, which no form can contain', () => {
    expect(form('{"name":"{{name}}"}', { name: 'a\ud800' })).toBe('name=a%EF%BF%BD')
  })

  it('sets its own content type', () => {
    expect(renderPayload('{}', 'FORM', values).contentType).toBe('application/x-www-form-urlencoded')
  })
})

describe('the palette', () => {
  it('knows each of its names, with and without lead., and any custom key', () => {
    const names = PLACEHOLDERS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !isKnownPlaceholder(placeholderName(`lead.${name}`)))).toEqual([])
    expect(['custom.a', 'custom.a.b-c_d'].filter(isKnownPlaceholder)).toHaveLength(2)
    expect(
      ['custom', 'custom.', 'custom.a b', 'custom.{a}', 'hasOwnProperty', ''].filter(isKnownPlaceholder),
    ).toEqual([])
  })

  it('lists exactly the placeholders for which a lead has a value', () => {
    const sample = sampleValues('test', new Date('2026-01-31T12:00:00Z'))
    const known = Object.keys(sample).filter((name) => sample[name] !== undefined)
    expect(known.toSorted()).toEqual(PLACEHOLDERS.map(({ name }) => name).toSorted())
    expect(sample['event']).toBe('test')
  })

  it('shows a sample with an address and a phone that reach nobody', () => {
    expect(SAMPLE_LEAD.email).toMatch(/@example\.com$/)
    expect(SAMPLE_LEAD.phone).toMatch(/^\+1\d{3}55501\d{2}$/)
    expect(SAMPLE_LEAD).toMatchObject({ is_test: true, lead_type: 'final_expense', state: 'CA' })
  })
})

describe('a placeholder without a value', () => {
  const template = JSON.stringify({
    alone: '{{comments}}',
    inText: 'Note: {{comments}}',
    halfThere: '{{first_name}} {{comments}}',
    list: ['{{comments}}', 'x {{comments}}', '{{first_name}}'],
    nested: { only: '{{comments}}' },
    unknown: '{{no_such_name}}',
    constant: 'CA',
    nothing: null,
  })
  const some = { first_name: 'Avery', comments: null }

  it.each([
    [
      'empty',
      '{"alone":null,"inText":"Note: ","halfThere":"Avery ","list":[null,"x ","Avery"],"nested":{"only":null},' +
        '"unknown":"","constant":"CA","nothing":null}',
      'alone=&inText=Note%3A+&halfThere=Avery+&list=&list=x+&list=Avery&nested.only=&unknown=&constant=CA&nothing=',
    ],
    [
      'null',
      '{"alone":null,"inText":null,"halfThere":"Avery ","list":[null,null,"Avery"],"nested":{"only":null},' +
        '"unknown":null,"constant":"CA","nothing":null}',
      'alone=&inText=&halfThere=Avery+&list=&list=&list=Avery&nested.only=&unknown=&constant=CA&nothing=',
    ],
    [
      'omit',
      '{"halfThere":"Avery ","list":["Avery"],"nested":{},"constant":"CA","nothing":null}',
      'halfThere=Avery+&list=Avery&constant=CA&nothing=',
    ],
  ] as const)('under %s gives the same text everywhere, in JSON and as a form', (missing, json, form) => {
    expect(renderPayload(template, 'JSON', some, missing).body).toBe(json)
    expect(renderPayload(template, 'FORM', some, missing).body).toBe(form)
  })

  it('renders as before without a setting', () => {
    expect(renderPayload(template, 'JSON', some)).toEqual(renderPayload(template, 'JSON', some, 'empty'))
  })

  it('is not confused with empty text, zero or false', () => {
    const values = { comments: '', age: 0, tobacco: false }
    const text = '{"a":"{{comments}}","b":"{{age}}","c":"{{tobacco}}","d":"{{age}}{{comments}}"}'
    expect(renderPayload(text, 'JSON', values, 'omit').body).toBe('{"a":"","b":0,"c":false,"d":"0"}')
  })
})
