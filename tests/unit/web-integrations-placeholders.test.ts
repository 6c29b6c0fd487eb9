import { describe, expect, it } from 'vitest'
import { insertPlaceholder } from '#web/forms/webhook-config/insert-placeholder.ts'
import { suggestPlaceholder } from '#web/forms/webhook-config/suggest-placeholder.ts'

const KNOWN = ['id', 'name', 'first_name', 'phone', 'phone_10', 'email', 'state', 'state_name', 'zip']

describe('a placeholder inserted at the caret', () => {
  const insertAt = (marked: string) => {
    const [before = '', selected = '', after = ''] = marked.split('|')
    const { text, caret } = insertPlaceholder(
      before + selected + after,
      before.length,
      before.length + selected.length,
      'name',
    )
    return `${text.slice(0, caret)}|${text.slice(caret)}`
  }

  it('stands bare inside a string', () => {
    expect(insertAt('{"a": "Hi ||!"}')).toBe('{"a": "Hi {{name}}|!"}')
  })

  it('replaces what is selected', () => {
    expect(insertAt('{"a": "|old|"}')).toBe('{"a": "{{name}}|"}')
  })

  it('brings its own quotes outside a string', () => {
    expect(insertAt('{"a": ||}')).toBe('{"a": "{{name}}"|}')
  })

  it('is not misled by an escaped quote or backslash', () => {
    expect(insertAt('{"a": "say \\"|| "}')).toBe('{"a": "say \\"{{name}}| "}')
    expect(insertAt('{"a": "\\\\", "b": ||}')).toBe('{"a": "\\\\", "b": "{{name}}"|}')
  })

  it('goes into an empty text', () => {
    expect(insertAt('||')).toBe('"{{name}}"|')
  })
})

describe('the suggestion for an unknown placeholder', () => {
  it('finds a swap, a slip, a missing and an extra letter', () => {
    expect(
      ['phnoe', 'emial', 'stat', 'zipp', 'First_Name'].map((name) => suggestPlaceholder(name, KNOWN)),
    ).toEqual(['phone', 'email', 'state', 'zip', 'first_name'])
  })

  it('suggests nothing where nothing is near', () => {
    expect(suggestPlaceholder('favourite_colour', KNOWN)).toBeUndefined()
    expect(suggestPlaceholder('xyz', KNOWN)).toBeUndefined()
  })
})
