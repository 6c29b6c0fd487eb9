import { describe, expect, it } from 'vitest'
import { withoutFences } from '#scripts/documents/page.ts'
import { readPages, SITE_SECTIONS, splitFrontMatter } from '#scripts/site/read-pages.ts'

const NEEDED = {
  documentation: ['title', 'description', 'order', 'section', 'updated'],
  legal: ['title', 'description', 'updated', 'summary'],
  pages: ['title', 'description'],
  blog: ['title', 'description', 'date', 'updated', 'tags', 'author'],
} as const

describe.each(SITE_SECTIONS)('pages of %s', (section) => {
  const pages = readPages(section)

  it('begin with a header that describes them', () => {
    for (const { path, meta } of pages) {
      expect(Object.keys(meta).toSorted(), path).toEqual([...NEEDED[section]].toSorted())
      expect(meta['description']?.length, path).toBeLessThanOrEqual(160)
      for (const day of [meta['date'], meta['updated']])
        if (day !== undefined) expect(day, path).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    }
  })

  it('begin with text, and their headings start at level two without gaps', () => {
    for (const { path, markdown } of pages) {
      const text = withoutFences(markdown.split('\n')).join('\n')
      const levels = [...text.matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length)
      expect(
        levels.every((level, at) => level >= 2 && level <= (levels[at - 1] ?? 1) + 1),
        path,
      ).toBe(true)
    }
  })
})

it('a document without a header is plain text', () => {
  expect(splitFrontMatter('# A\n')).toEqual({ meta: {}, body: '# A\n' })
  expect(splitFrontMatter('---\ntitle: A: b\n---\n\nText\n')).toEqual({
    meta: { title: 'A: b' },
    body: '\nText\n',
  })
})
