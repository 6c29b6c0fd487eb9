import path from 'node:path'
import { withoutFences, type Fault, type Page } from './page.ts'
import type { Repository } from './repository.ts'

const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:/i

/** Relative links must lead to a file or folder, and their anchors to a heading of it. */
export function checkLinks(repository: Repository, page: Page): Fault[] {
  return withoutFences(page.lines).flatMap((text, index) =>
    [...text.matchAll(LINK)].flatMap(([, target = '']) => {
      const reason = ELSEWHERE.test(target) ? undefined : findFault(repository, page, target)
      return reason === undefined ? [] : [{ file: page.file, line: index + 1, reason }]
    }),
  )
}

function findFault(repository: Repository, page: Page, target: string): string | undefined {
  const [place = '', anchor] = target.split('#')
  const file = place === '' ? page.file : path.posix.join(path.posix.dirname(page.file), place)
  if (!repository.has(file)) return `the link ${target} leads nowhere`
  if (anchor === undefined) return undefined
  const lines = file === page.file ? page.lines : repository.read(file).split('\n')
  return listAnchors(lines).has(anchor) ? undefined : `${file} has no heading for #${anchor}`
}

/** The anchors that GitHub makes of headings; a heading that comes again gets a number. */
function listAnchors(lines: readonly string[]): Set<string> {
  const anchors = new Set<string>()
  for (const line of withoutFences(lines)) {
    const [, heading] = /^#{1,6} +(.*?)\s*#*$/.exec(line) ?? []
    if (heading === undefined) continue
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let repeat = 1; anchors.has(anchor); repeat += 1) anchor = `${slug}-${repeat}`
    anchors.add(anchor)
  }
  return anchors
}
