import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiRoutes } from '#server/api-routes.ts'
import { readInput } from '#server/http/read-input.ts'

const faultsOf = (schema: z.ZodType, given: unknown): string[] => {
  const read = readInput(schema, given)
  return read.ok ? [] : read.errors.map(({ message }) => message)
}

describe('a fault', () => {
  it.each([
    [z.string(), 5, 'Must be text'],
    [z.object({ name: z.string() }), {}, 'Is required'],
    [z.object({}), [], 'Must be an object'],
    [z.array(z.string()), {}, 'Must be a list'],
    [z.boolean(), 'yes', 'Must be true or false'],
    [z.int(), 1.5, 'Must be a whole number'],
    [z.coerce.number(), 'x', 'Must be a number'],
    [z.number().max(100), 101, 'Must be at most 100'],
    [z.number().min(1), 0, 'Must be at least 1'],
    [z.number().positive(), 0, 'Must be more than 0'],
    [z.string().max(1000), 'x'.repeat(1001), 'Must have at most 1,000 characters'],
    [z.string().min(1), '', 'Must have at least 1 character'],
    [z.array(z.string()).min(1), [], 'Must have at least 1 entry'],
    [z.enum(['a', 'b', 'c']), 'd', 'Must be "a", "b" or "c"'],
    [z.literal('a'), 'd', 'Must be "a"'],
    [z.uuid(), 'x', 'Must be an id'],
    [z.string().regex(/^a$/), 'b', 'Is not in the form that is asked for'],
    [z.union([z.string(), z.number()]), true, 'Is not in the form that is asked for'],
    [z.string('Name is required'), 5, 'Name is required'],
  ])('is described in plain words: %#', (schema, given, message) => {
    expect(faultsOf(schema, given)).toEqual([message])
  })

  const WRONG = [undefined, null, true, 5, -1.5, 1e300, '', 'x', 'x'.repeat(100_000), [], [5], {}, { x: 5 }]

  it.each(
    apiRoutes.flatMap(({ method, path, body, query }) =>
      [body, query].flatMap((schema) =>
        schema === undefined ? [] : [[`${method} ${path}`, schema] as const],
      ),
    ),
  )('of %s is never described in the words of a library', (_name, schema) => {
    const names = Object.keys((schema as Partial<z.ZodObject>).shape ?? {})
    const given = [...WRONG, ...names.flatMap((name) => WRONG.map((value) => ({ [name]: value })))]
    for (const message of given.flatMap((value) => faultsOf(schema, value)))
      expect(message).not.toMatch(
        /Invalid (input|option|element|key|string|number|UUID)|Too (big|small):|Unrecognized|expected/,
      )
  })
})
