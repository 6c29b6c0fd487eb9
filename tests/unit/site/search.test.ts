import { expect, it } from 'vitest'
import { renderApiReference } from '#scripts/site/api-reference/render-api-reference.ts'
import { readArticle } from '#scripts/site/read-article.ts'
import { readPages } from '#scripts/site/read-pages.ts'
import { writeSearchIndex } from '#scripts/site/write-search-index.ts'
import { findEntries, type SearchEntry } from '#web/site/client/find-entries.ts'

/** Number of results that the list below the search shows. */
const SHOWN = 8
const parts = { highlightCode: (code: string) => code, images: new Map() }
const pages = [...readPages('documentation'), ...renderApiReference()]
const withoutPictures = (markdown: string) => markdown.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
const articles = pages.map((page) =>
  readArticle({ ...page, markdown: withoutPictures(page.markdown) }, parts),
)
const index = JSON.parse(writeSearchIndex(articles)) as SearchEntry[]

it.each([
  ['wrong secret', '/documentation/verify-signatures#if-the-signature-does-not-fit-401'],
  ['401', '/documentation/verify-signatures#if-the-signature-does-not-fit-401'],
  ['troubleshoot', '/documentation/verify-signatures#if-the-signature-does-not-fit-401'],
  ['signature does not fit', '/documentation/verify-signatures#if-the-signature-does-not-fit-401'],
  ['trigger', '/documentation/conditions#events-and-triggers'],
  ['test lead', '/documentation/conditions#keep-test-leads-out-of-a-webhook'],
  ['tunnel', '/documentation/receive-leads-well#put-it-online'],
  ['retry-after', '/documentation/retries#when-a-lead-is-sent-again'],
  ['backoff', '/documentation/retries#when-a-lead-is-sent-again'],
  ['idempotency', '/documentation/posting-leads#repeat-safely'],
  ['pagination', '/documentation/api'],
  ['rate limit', '/documentation/posting-leads#how-fast'],
  ['localhost', '/documentation/receivers#which-addresses-are-taken'],
])('a search for "%s" finds %s', (asked, path) => {
  expect(findEntries(index, asked, SHOWN).map((entry) => entry.path)).toContain(path)
})

it('a section that repeats a word comes before one that only mentions it', () => {
  const part = (path: string, text: string) => ({ title: 'Guide', heading: 'Part', path, text })
  const found = findEntries(
    [
      part('/once', 'An answer may name Retry-After.'),
      part('/often', 'Retry-After waits. Retry-After ends.'),
    ],
    'retry-after',
    SHOWN,
  )
  expect(found.map((entry) => entry.path)).toEqual(['/often', '/once'])
})
