import { describe, expect, it } from 'vitest'
import { FORMATS } from '#core/domain/webhooks/template/formats/formats.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { filterPlaceholders, stepThrough } from '#web/webhooks/dialog/template/palette/filter-placeholders.ts'
import { FORMAT_USES, offerFormats } from '#web/webhooks/dialog/template/palette/format-uses.ts'
import { listEntries } from '#web/webhooks/dialog/template/palette/list-entries.ts'
import { placeInsertion } from '#web/webhooks/dialog/template/palette/place-insertion.ts'
import { writePlaceholder } from '#web/webhooks/dialog/template/palette/write-placeholder.ts'
import { previewTemplate } from '#web/webhooks/dialog/template/preview-template.ts'
import { suggestName } from '#core/domain/suggest-name.ts'

const KNOWN = ['id', 'name', 'first_name', 'phone', 'phone_10', 'email', 'state', 'state_name', 'zip']

describe('a placeholder inserted at the caret', () => {
  it('has no quotes inside a string', () => {
    expect(writePlaceholder('{"a": "Hi ', 'name')).toBe('{{name}}')
  })

  it('gets quotes outside a string', () => {
    expect(writePlaceholder('{"a": ', 'name')).toBe('"{{name}}"')
    expect(writePlaceholder('', 'name')).toBe('"{{name}}"')
  })

  it('is placed correctly after an escaped quote or backslash', () => {
    expect(writePlaceholder('{"a": "say \\"', 'name')).toBe('{{name}}')
    expect(writePlaceholder('{"a": "\\\\", "b": ', 'name')).toBe('"{{name}}"')
  })
})

describe('the suggestion for an unknown placeholder', () => {
  it('corrects swapped, wrong, missing and extra letters', () => {
    expect(['phnoe', 'emial', 'stat', 'zipp', 'First_Name'].map((name) => suggestName(name, KNOWN))).toEqual([
      'phone',
      'email',
      'state',
      'zip',
      'first_name',
    ])
  })

  it('is empty if no name is similar', () => {
    expect(suggestName('favourite_colour', KNOWN)).toBeUndefined()
    expect(suggestName('xyz', KNOWN)).toBeUndefined()
  })
})

describe('the placeholder palette', () => {
  const names = (search: string) =>
    filterPlaceholders(PLACEHOLDERS, search).flatMap(({ items }) => items.map(({ name }) => name))

  it('shows every placeholder in its group before anything is typed', () => {
    expect(names('')).toEqual(PLACEHOLDERS.map(({ name }) => name))
    expect(filterPlaceholders(PLACEHOLDERS, '').map(({ group }) => group)).toEqual([
      'Lead',
      'Contact',
      'Person',
      'Product',
      'Consent',
      'Delivery',
    ])
  })

  it('searches parts of the name and the description, with or without braces', () => {
    expect(names('{{phone_f')).toEqual(['phone_formatted'])
    expect(names('ten digits')).toEqual(['phone_10'])
    expect(names('no such thing')).toEqual([])
  })

  it('wraps around with the arrow keys', () => {
    const list = ['a', 'b', 'c']
    expect([
      stepThrough(list, null, 'ArrowDown'),
      stepThrough(list, 'c', 'ArrowDown'),
      stepThrough(list, null, 'ArrowUp'),
      stepThrough(list, 'b', 'ArrowUp'),
      stepThrough(list, 'b', 'Tab'),
      stepThrough([], null, 'ArrowDown'),
    ]).toEqual(['a', 'a', 'c', 'a', undefined, undefined])
  })
})

describe('the preview of a template', () => {
  const now = new Date('2026-01-02T03:04:05Z')

  it('shows an indented copy of the body that Test Endpoint sends, and the size of the original', () => {
    const preview = previewTemplate('{"n":"{{name}}","v":1.0,"event":"{{event}}"}', 'JSON', now)
    expect(preview.text).toBe('{\n  "n": "Test Lead",\n  "v": 1.0,\n  "event": "test"\n}')
    expect(preview.bytes).toBe('{"n":"Test Lead","v":1.0,"event":"test"}'.length)
    expect(preview.contentType).toBe('application/json')
  })

  it('shows the form body of a form', () => {
    const preview = previewTemplate('{"a":{"b":"{{name}}"},"c":"{{phnoe}}"}', 'FORM', now)
    expect(preview.text).toBe('a.b=Test+Lead&c=')
  })
})

describe('formats in the editor', () => {
  const now = new Date('2026-01-02T03:04:05Z')

  it('are offered by the palette as documented, each with its result for the fictional lead', () => {
    const formats = listEntries(now).filter(({ group }) => group === 'Formats')
    expect(formats.map(({ name }) => `{{${name}}}`)).toEqual(FORMATS.map(({ example }) => example))
    expect(formats.map(({ sample }) => sample)).toEqual([
      '01/01/2026',
      '202-555-0143',
      'LOS ANGELES',
      'test.lead@example.com',
      'Test Lead',
      'Los Angeles',
      '$15,000.00',
      'California',
      '+12025550143',
    ])
  })

  it('are completed after a bar if they fit the value, and never after an unknown name', () => {
    const offered = (chain: string) =>
      offerFormats(chain, now).map(({ text, sample }) => `${text} → ${sample}`)
    expect(offered('phone').slice(0, 3)).toEqual([
      'phone: e164 → +12025550143',
      'phone: digits → 12025550143',
      'phone: ten → 2025550143',
    ])
    expect(offered('date_of_birth')).toEqual([
      'date: MM/DD/YYYY → 03/14/1958',
      'date: YYYY-MM-DD → 1958-03-14',
      'date: unix → -372470400',
      'if: empty, unknown, lead.city → Los Angeles',
      'if: = CA, West, East → East',
      'default: unknown → 1958-03-14',
    ])
    expect(offered('is_test')).toContain('map: true=Y, false=N → Y')
    expect(offered('campaign | default: none')).toContain('upper → NONE')
    expect(offered('nobody')).toEqual([])
    const known = new Set(FORMATS.map(({ name }) => name))
    expect(new Set(FORMAT_USES.map(({ text }) => text.split(':')[0]))).toEqual(known)
  })

  it('are added to the placeholder at the caret, never inside another format', () => {
    const place = (text: string, inner: string) => {
      const at = text.indexOf('^')
      const plain = text.replace('^', '')
      const { from, to, insert } = placeInsertion(plain, { from: at, to: at }, inner)
      return plain.slice(0, from) + insert + plain.slice(to)
    }
    const dashed = 'phone | phone: dashed'
    expect(place('{"a": "{{alt_ph^one}}"}', dashed)).toBe('{"a": "{{alt_phone | phone: dashed}}"}')
    expect(place('{"a": "{{phone}}^"}', dashed)).toBe('{"a": "{{phone | phone: dashed}}"}')
    expect(place('{"a": "{{city}}^"}', dashed)).toBe('{"a": "{{city}}{{phone | phone: dashed}}"}')
    expect(place('{"a": "^"}', dashed)).toBe('{"a": "{{phone | phone: dashed}}"}')
    expect(place('{"a": "{{ci^ty}}"}', 'state')).toBe('{"a": "{{city}}{{state}}"}')
    expect(place('{"a": ^}', 'state')).toBe('{"a": "{{state}}"}')
  })
})
