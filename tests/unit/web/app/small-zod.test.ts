import { globSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

const FILES = globSync('core/contract/**/*.ts')

type Modules = Map<string, Record<string, unknown>>

async function loadSchemas(): Promise<Modules> {
  const loaded: Modules = new Map()
  for (const file of FILES) {
    const module = (await import(path.resolve(file))) as Record<string, unknown>
    loaded.set(file, module)
  }
  return loaded
}

// Other files run in the same process.
afterAll(() => {
  vi.doUnmock('zod')
  vi.resetModules()
})

test('every schema of the contract behaves the same in the browser and on the server', async () => {
  const whole = await loadSchemas()
  vi.resetModules()
  vi.doMock('zod', () => import('#web/app/small-zod.ts'))
  const small = await loadSchemas()
  let compared = 0
  for (const [file, module] of whole)
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'object' || value === null || !('_zod' in value)) continue
      compared += 1
      expect(describe(small.get(file)?.[name]), `${file} ${name}`).toEqual(describe(value))
    }
  expect(compared).toBeGreaterThan(150)
})

/** Describes a schema down to its last check; a function only by its text. */
function describe(value: unknown, seen = new Set<unknown>()): unknown {
  if (typeof value === 'function') return String(value).replaceAll(/\s/g, '')
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
  if (seen.has(value)) return 'seen before'
  const below = new Set([...seen, value])
  const inner = '_zod' in value ? (value._zod as { def: object }).def : value
  const entries = Object.entries(inner).map(([key, part]) => [key, describe(part, below)] as const)
  return Array.isArray(inner) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
}
