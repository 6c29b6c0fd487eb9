import { checkCitations } from './check-citations.ts'
import { checkLinks } from './check-links.ts'
import { checkPaths } from './check-paths.ts'
import { checkSiteLinks } from './check-site-links.ts'
import { checkTree } from './check-tree.ts'
import { onlyComments, type Fault, type Page } from './page.ts'
import type { Repository } from './repository.ts'

const CODE = /\.(ts|tsx|mjs|cjs|js|css)$/
/** Pages of the public site: their reader does not have the repository. */
const SITE_PAGE = /^docs\/site\/.*\.md$/
const OTHER_TEXT = /(^|\/)(Dockerfile|\.env\.example|[^/]+\.(html|ya?ml))$/

/** Everything that is wrong with what comments and documents name, file by file. */
export function checkDocuments(repository: Repository): Fault[] {
  return repository.files.flatMap((file) => {
    const isMarkdown = file.endsWith('.md')
    const isCode = CODE.test(file)
    if (!isMarkdown && !isCode && !OTHER_TEXT.test(file)) return []
    const page: Page = { file, lines: repository.read(file).split('\n') }
    if (SITE_PAGE.test(file))
      return [...checkCitations(repository, page), ...checkSiteLinks(repository, page)]
    return [
      ...checkCitations(repository, page),
      ...checkPaths(repository, isCode ? onlyComments(page) : page),
      ...(isMarkdown ? [...checkLinks(repository, page), ...checkTree(repository, page)] : []),
    ].toSorted((a, b) => a.line - b.line)
  })
}
