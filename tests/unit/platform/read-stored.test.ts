import { expect, it } from 'vitest'
import { z } from 'zod'
import { readStored, readStoredJson, StoredDataError } from '#core/read-stored.ts'

const schema = z.object({ type: z.literal('basic'), password: z.string() })

it('reads a value that fits its schema', () => {
  expect(readStoredJson(schema, '{"type":"basic","password":"p"}', 'a row')).toEqual({
    type: 'basic',
    password: 'p',
  })
})

it.each<[string, () => unknown]>([
  ['another shape', () => readStored(schema, { type: 'basic', password: 58694702 }, 'a row')],
  ['text that is no JSON', () => readStoredJson(schema, '{"password":"58694702', 'a row')],
])('refuses %s with a typed error that names the place and not the value', (_what, read) => {
  const error = (() => {
    try {
      return read()
    } catch (error_) {
      return error_
    }
  })()
  expect(error).toBeInstanceOf(StoredDataError)
  expect(error).toMatchObject({ code: 'stored_data_unreadable' })
  expect(String(error)).toContain('a row cannot be read as stored')
  expect(String(error)).not.toContain('58694702')
})
