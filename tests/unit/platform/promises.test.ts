import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ENVIRONMENT_VARIABLES } from '#core/config/config.ts'
import { APP_PATHS, SITE_PATHS } from '#core/contract/paths.ts'
import { apiRoutes } from '#server/api-routes.ts'

const CALLS = apiRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)

/**
 * Returns the code in the first cell of each row below this heading and its sub-headings, except rows for
 * later.
 */
function firstCells(document: 'contract' | 'product', heading: string): string[] {
  const text = readFileSync(new URL(`../../../docs/${document}.md`, import.meta.url), 'utf8')
  const [before = '', section = ''] = text.split(`# ${heading}\n`)
  const [, signs = ''] = /\n(#*)$/.exec(before) ?? []
  return section
    .split(new RegExp(`^(?:#{1,${signs.length + 1}} |Not built yet)`, 'm'), 1)
    .flatMap((part) => part.split('\n'))
    .filter((line) => line.startsWith('| ') && !line.includes('*not built yet*'))
    .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
}

describe('docs/contract.md', () => {
  const variables = firstCells('contract', '2. Environment')

  it.each(variables)('names the variable %s, which the code reads', (variable) => {
    expect(ENVIRONMENT_VARIABLES).toContain(variable)
  })

  const calls = firstCells('contract', '4. REST API')
    .filter((code) => code.includes(' /'))
    .flatMap((call) => {
      const [methods = '', path = ''] = call.replace(/\?.*/, '').split(/ (?=\/)/)
      return methods.split(', ').map((method) => `${method} ${path}`)
    })

  it.each(calls)('names %s, which exists', (call) => {
    expect(CALLS).toContain(call)
  })

  it('names more than a few', () => {
    expect(variables.length).toBeGreaterThanOrEqual(18)
    expect(calls.length).toBeGreaterThanOrEqual(100)
  })
})

describe('docs/product.md', () => {
  it('has a line for each screen, and for no missing one', () => {
    const screens = Object.values({ ...APP_PATHS, ...SITE_PATHS }).map((path) =>
      path.replaceAll(/:([a-z]+)/g, '{$1}'),
    )
    expect(firstCells('product', 'Paths').toSorted()).toEqual(screens.toSorted())
  })

  it('has a line for each server function, and for no missing one', () => {
    const functions = firstCells('product', 'Functions').map((name) => `POST /functions/v1/${name}`)
    expect(functions.toSorted()).toEqual(CALLS.filter((call) => call.includes('/functions/')).toSorted())
  })
})
