import { checkChangelog } from './check-changelog.ts'
import { checkCitations } from './check-citations.ts'
import { checkDecisions, isSuperseded } from './check-decisions.ts'
import { checkLinks } from './check-links.ts'
import { checkPaths } from './check-paths.ts'
import { checkSiteLinks } from './check-site-links.ts'
import { checkTree } from './check-tree.ts'
import { onlyComments, type Fault, type Page } from './page.ts'
import type { Repository } from './repository.ts'

const CODE = /\.(ts|tsx|mjs|cjs|js|css)$/
/** Pages of the public site: their readers do not have the repository. */
const SITE_PAGE = /^docs\/site\/.*\.md$/
const OTHER_TEXT = /(^|\/)(Dockerfile|\.env\.example|[^/]+\.(html|ya?ml))$/

/** All faults of comments and documents, file by file, and of the decision records. */
export function checkDocuments(repository: Repository): Fault[] {
  const faults = repository.files.flatMap((file) => {
    const isMarkdown = file.endsWith('.md')
    const isCode = CODE.test(file)
    if (!isMarkdown && !isCode && !OTHER_TEXT.test(file)) return []
    const text = repository.read(file)
    const page: Page = { file, lines: text.split('\n') }
    if (SITE_PAGE.test(file))
      return [...checkCitations(repository, page), ...checkSiteLinks(repository, page)]
    return [
      ...checkCitations(repository, page),
      ...(isSuperseded(file, text) ? [] : checkPaths(repository, isCode ? onlyComments(page) : page)),
      ...(isMarkdown
        ? [...checkLinks(repository, page), ...checkTree(repository, page), ...checkChangelog(page)]
        : []),
    ].toSorted((a, b) => a.line - b.line)
  })
  return [...faults, ...checkDecisions(repository)]
}
