import path from 'node:path'
import { listAnchors } from './list-anchors.ts'
import { withoutFences, type Fault, type Page } from './page.ts'
import type { Repository } from './repository.ts'

export const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g
export const ELSEWHERE = /^[a-z][a-z0-9+.-]*:/i

/** Relative links must lead to a file or folder, and their anchors to a heading of it. */
export function checkLinks(repository: Repository, page: Page): Fault[] {
  return withoutFences(page.lines).flatMap((text, index) =>
    [...text.matchAll(LINK)].flatMap(([, target = '']) => {
      const reason = ELSEWHERE.test(target) ? undefined : findFault(repository, page, target)
      return reason === undefined ? [] : [{ file: page.file, line: index + 1, reason }]
    }),
  )
}

export function withoutLinkTargets(text: string): string {
  return text.replaceAll(LINK, ']()')
}

function findFault(repository: Repository, page: Page, target: string): string | undefined {
  const [place = '', anchor] = target.split('#')
  const file = place === '' ? page.file : path.posix.join(path.posix.dirname(page.file), place)
  if (!repository.has(file)) return `the link ${target} leads nowhere`
  if (anchor === undefined) return undefined
  const lines = file === page.file ? page.lines : repository.read(file).split('\n')
  return listAnchors(lines).has(anchor) ? undefined : `${file} has no heading for #${anchor}`
}
