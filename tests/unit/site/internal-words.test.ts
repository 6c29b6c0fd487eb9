import { expect, it } from 'vitest'
import { renderApiReference } from '#scripts/site/api-reference/render-api-reference.ts'
import { readPages, SITE_SECTIONS } from '#scripts/site/read-pages.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { describeApi } from '#server/http/openapi/describe-api.ts'
import { findInternalWords } from '#tests/support/site/find-internal-words.ts'

/** Returns every text of a JSON value with its path. */
function listTexts(value: unknown, at = ''): [string, string][] {
  if (typeof value === 'string') return [[at, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [at, name] as [string, string],
    ...listTexts(inner, `${at}/${name}`),
  ])
}

it('internal words are found in a text', () => {
  expect(findInternalWords('docs/contract.md §4 says what is trimmed')).toEqual(['docs/contract.md', '§'])
  expect(findInternalWords('see ARCHITECTURE.md, core/domain/leads and README.md')).toEqual([
    'ARCHITECTURE.md',
    'core/domain',
    'README.md',
  ])
  expect(findInternalWords('RFC 9110 §15.4 and (§10.2.3), https://example.com/docs/a\n§6')).toEqual(['§'])
})

it('internal words are in no text of the OpenAPI document', () => {
  const texts = listTexts(describeApi(apiRoutes, 'https://leads.test'))
  expect(texts.length).toBeGreaterThan(1000)
  const faults = texts.flatMap(([at, text]) => findInternalWords(text).map((word) => `${at}: ${word}`))
  expect(faults).toEqual([])
})

it('internal words are in no text of the site', () => {
  const pages = [...SITE_SECTIONS.flatMap((section) => readPages(section)), ...renderApiReference()]
  expect(pages.length).toBeGreaterThan(30)
  const faults = pages.flatMap(({ path, meta, markdown }) =>
    [...Object.values(meta), markdown].flatMap((text) =>
      findInternalWords(text).map((word) => `${path}: ${word}`),
    ),
  )
  expect(faults).toEqual([])
})
