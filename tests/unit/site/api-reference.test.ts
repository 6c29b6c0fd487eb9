import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listAnchors } from '#scripts/documents/list-anchors.ts'
import { withoutFences } from '#scripts/documents/page.ts'
import { renderApiReference } from '#scripts/site/api-reference/render-api-reference.ts'
import { writeSamples } from '#scripts/site/api-reference/write-samples.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { readSamples } from '#tests/support/samples/read-samples.ts'

const pages = renderApiReference()

describe('the reference of the API', () => {
  test('has each call once, with samples in three languages', () => {
    const headings = pages.flatMap(({ markdown }) =>
      [...markdown.matchAll(/^## ([A-Z]+ \/\S+)$/gm)].map(([, call = '']) => call),
    )
    const calls = apiRoutes.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    )
    expect(headings.toSorted()).toEqual(calls.toSorted())
    const languages = pages.flatMap((page) => readSamples(page)).map(({ language }) => language)
    for (const language of ['sh', 'js', 'python'])
      expect(languages.filter((one) => one === language)).toHaveLength(calls.length)
  })

  test('offers to send every reading call, and only those writing calls that change nothing', () => {
    const tries = pages.flatMap((page) => Object.values(page.tries ?? {}))
    const reads = apiRoutes.filter(({ method, streams }) => method === 'get' && streams === undefined)
    expect(tries.filter(({ method }) => method === 'GET')).toHaveLength(reads.length)
    expect(tries.flatMap(({ method, path }) => (method === 'GET' ? [] : [path]))).toEqual([
      '/api/v1/webhook-configs/preview',
      '/functions/v1/test-webhook-endpoint',
      '/api/v1/orders/estimate',
    ])
    const marks = pages.flatMap(({ markdown }) => markdown.match(/^%TRY%$/gm) ?? [])
    expect(marks).toHaveLength(apiRoutes.length)
  })

  test('links only to existing pages and headings', () => {
    const guide = (path: string) => readFileSync(`docs/site${path}.md`, 'utf8')
    const links = pages.flatMap(({ markdown }) =>
      [
        ...withoutFences(markdown.split('\n'))
          .join('\n')
          .matchAll(/\]\((\/documentation[^)]*)\)/g),
      ].map(([, link = '']) => link),
    )
    expect(links.length).toBeGreaterThan(8)
    for (const link of links) {
      const [path = '', anchor] = link.split('#')
      const text = pages.find((page) => page.path === path)?.markdown ?? guide(path)
      if (anchor !== undefined) expect([...listAnchors(text.split('\n'))], link).toContain(anchor)
    }
  })

  test('lists every variant of an answer, the bounds of each number, and the defaults', () => {
    const rows = pages.flatMap(({ markdown }) => markdown.split('\n').filter((line) => line.startsWith('|')))
    expect(rows).toContain(
      '| `results[].result` | `"accepted"` or `"duplicate"` or `"rejected"` | The result for the posted lead |',
    )
    expect(rows).toContain('| `limit` | query | whole number, 1 to 100 | Rows per page. Default: `25` |')
    expect(rows).toContain('| `request_method` | `POST`, `PUT`, `PATCH` | HTTP method. Default: `POST` |')
    expect(rows.filter((row) => /9,007,199|`true` or true|`` where/.test(row))).toEqual([])
  })

  test('writes a body in the syntax of each language', () => {
    const text = writeSamples({
      method: 'PATCH',
      path: '/api/v1/x',
      token: 'ACCESS_TOKEN',
      body: { note: "it's null", is_on: true, left: null },
    })
    expect(text).toContain(`"note": "it'\\''s null"`)
    expect(text).toContain(`"note": "it's null",\n        "is_on": True,\n        "left": None`)
    expect(text).toContain('--request PATCH')
  })
})
