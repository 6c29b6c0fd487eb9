import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const FILES = globSync('core/contract/**/*.ts')
/** Marks the modules of the second copy, which use what the browser uses. */
const COPY = '?small-zod'

type Modules = Map<string, Record<string, unknown>>

async function loadSchemas(mark: '' | typeof COPY): Promise<Modules> {
  const loaded: Modules = new Map()
  for (const file of FILES) {
    const { href } = pathToFileURL(path.resolve(file))
    loaded.set(file, (await import(`${href}${mark}`)) as Record<string, unknown>)
  }
  return loaded
}

/** Lets modules of the copy import modules of the copy, and the small zod instead of the whole one. */
function hookCopy() {
  return registerHooks({
    resolve: (specifier, context, next) => {
      if (context.parentURL?.endsWith(COPY) !== true) return next(specifier, context)
      if (specifier === 'zod') return next('#web/app/small-zod.ts', context)
      const found = next(specifier, context)
      return found.url.includes('/core/') ? { ...found, url: `${found.url}${COPY}` } : found
    },
  })
}

test('every schema of the contract behaves the same in the browser and on the server', async () => {
  const whole = await loadSchemas('')
  const hooks = hookCopy()
  const small = await loadSchemas(COPY)
  // Other files run in the same process.
  hooks.deregister()
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
