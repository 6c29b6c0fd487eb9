import { expandTables } from '../site/tables/expand-tables.ts'
import { ELSEWHERE, LINK } from './check-links.ts'
import { listAnchors } from './list-anchors.ts'
import { withoutFences, type Fault, type Page } from './page.ts'
import type { Repository } from './repository.ts'

const PAGES = 'docs/site'
/** Pages made from the API's description when the site is built. */
const MADE = /^\/documentation\/api(\/|$)/

/**
 * Links of a page of the site must lead to another page, or to a path of docs/product.md §2, and their
 * anchors to a heading.
 */
export function checkSiteLinks(repository: Repository, page: Page): Fault[] {
  return withoutFences(page.lines).flatMap((text, index) =>
    [...text.matchAll(LINK)].flatMap(([, target = '']) => {
      const reason = ELSEWHERE.test(target) ? undefined : findFault(repository, page, target)
      return reason === undefined ? [] : [{ file: page.file, line: index + 1, reason }]
    }),
  )
}

function findFault(repository: Repository, page: Page, target: string): string | undefined {
  const [address = '', anchor] = target.split('#')
  const [place = ''] = address.split('?')
  if (place !== '' && !place.startsWith('/')) return `the link ${target} does not begin at the site's root`
  const file = place === '' ? page.file : `${PAGES}${place}.md`
  if (!repository.has(file))
    return MADE.test(place) || isPath(repository, place) ? undefined : `the link ${target} leads nowhere`
  if (anchor === undefined) return undefined
  const lines = expandTables(repository.read(file)).split('\n')
  return listAnchors(lines).has(anchor) ? undefined : `${file} has no heading for #${anchor}`
}

/** Whether the tables of paths contain it. */
function isPath(repository: Repository, place: string): boolean {
  const [, paths = ''] = /\n### Paths\n([^]*?)\n### /.exec(repository.read('docs/product.md')) ?? []
  return place === '/' || paths.includes(`\`${place}\``)
}
