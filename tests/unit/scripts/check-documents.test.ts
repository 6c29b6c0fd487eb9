import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkDocuments } from '#scripts/documents/check-documents.ts'
import { openRepository } from '#scripts/documents/repository.ts'

const MISSING = 'core/sign-in.ts'
// Put together, or the check would take them for citations of this file's own.
const DOCUMENT = 'docs/product.md'
const NUMBER = '0008'
const ELSEWHERE = 'ELSEWHERE'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'leadwire-documents-'))
  write('.gitignore', 'dist/\n')
  write('docs/product.md', '# Product\n\n## 1. For whom\n\n## 2. Screens\n\n### The shell\n')
  write('docs/decisions/0007-one-path.md', '# 7. One path\n')
  write('core/sign.ts', 'export {}\n')
})

afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, text: string) {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

/** What is wrong with a file of this text, as `line: reason`. */
function faultsOf(file: string, text: string) {
  write(file, text)
  return checkDocuments(openRepository(root)).map(({ line, reason }) => `${line}: ${reason}`)
}

describe('a citation', () => {
  it('may name sections and decisions that are there', () => {
    expect(faultsOf('core/a.ts', `/** ${DOCUMENT} §1, §2; docs/decisions/0007 */\n`)).toEqual([])
  })

  it('fails where the document has no such section, in a comment as in a string', () => {
    expect(faultsOf('core/a.ts', `const title = '${DOCUMENT} §1 and §3'\n`)).toEqual([
      '1: docs/product.md has no section 3',
    ])
  })

  it.each(['docs/decisions/', 'decision '])(
    'fails where there is no decision of the number (%s…)',
    (words) => {
      expect(faultsOf('README.md', `Why: see ${words}${NUMBER}.\n`)).toEqual([
        `1: there is no decision ${NUMBER}`,
      ])
    },
  )

  it('fails where it names a document that a reader does not have', () => {
    expect(faultsOf('core/a.ts', `// ${ELSEWHERE}.md §4\n`)).toEqual([
      `1: ${ELSEWHERE}.md is no document of this repository`,
    ])
  })
})

describe('a path', () => {
  it.each([
    'core/sign.ts',
    '#core/sign.ts',
    'core',
    'core/',
    'sign.ts',
    'core/*.ts',
    'core/<name>.ts',
    'dist/web',
  ])('may be %s', (found) => {
    expect(faultsOf('README.md', `Look into \`${found}\`.\n`)).toEqual([])
  })

  it('is read from the root or from where it stands', () => {
    expect(faultsOf('core/a.ts', '// core/sign.ts, ./sign.ts and sign.ts are one\n')).toEqual([])
  })

  it('fails where nothing is', () => {
    expect(faultsOf('README.md', `Signing\n\nis in \`${MISSING}\`, said core/nowhere.\n`)).toEqual([
      `3: there is no ${MISSING}`,
      '3: there is no core/nowhere',
    ])
  })

  it('fails in a comment, behind code too, and is no matter in code', () => {
    const code = [`import '${MISSING}'`, '/**', ` * see ${MISSING}`, ' */', `run() // as ${MISSING} does`]
    expect(faultsOf('core/a.ts', code.join('\n'))).toEqual([
      `3: there is no ${MISSING}`,
      `5: there is no ${MISSING}`,
    ])
  })

  it('fails where a file is named that is in no folder', () => {
    expect(faultsOf('core/a.ts', '// sing.ts does it\n')).toEqual(['1: there is no sing.ts'])
  })
})

describe('a link', () => {
  it('may lead to files, folders, headings and other sites', () => {
    const links =
      '[a](core/sign.ts) [b](docs/decisions) [c](docs/product.md#the-shell) [d](https://example.com/x)'
    expect(faultsOf('README.md', links)).toEqual([])
  })

  it('fails where the file is not there', () => {
    expect(faultsOf('docs/more.md', '[a](product.md) [b](prodcut.md)')).toEqual([
      '1: the link prodcut.md leads nowhere',
    ])
  })

  it('fails where the file has no such heading', () => {
    expect(faultsOf('README.md', '# Read me\n\n[a](#read-me) [b](docs/product.md#the-shelf)')).toEqual([
      '3: docs/product.md has no heading for #the-shelf',
    ])
  })
})

describe('a page of the site', () => {
  const page = 'docs/site/documentation/first.md'

  beforeEach(() => {
    write(
      'docs/product.md',
      '# Product\n\n## 2. Screens\n\n### Paths\n\n| `/help` | help |\n\n### The shell\n',
    )
    write('docs/site/blog/news.md', '# News\n\n## Much is new\n\n<!-- table: limits -->\n')
  })

  it('may name files that its reader makes, and link to other pages, their headings and paths of the product', () => {
    const links =
      '[a](/blog/news#much-is-new) [b](#here) [c](/help?from=x) [d](https://example.com) [e](/blog/news#webhooks)'
    expect(faultsOf(page, `Write receiver.ts.\n\n## Here\n\n${links}\n`)).toEqual([])
  })

  it('fails where a link leads to no page, no heading, no path, or not from the root', () => {
    const links = ['/blog/old', '/blog/news#little', '/helpless', 'news.md', '#there'].map(
      (to) => `[a](${to})`,
    )
    expect(faultsOf(page, links.join('\n'))).toEqual([
      '1: the link /blog/old leads nowhere',
      '2: docs/site/blog/news.md has no heading for #little',
      '3: the link /helpless leads nowhere',
      "4: the link news.md does not begin at the site's root",
      `5: ${page} has no heading for #there`,
    ])
  })
})

describe('a map', () => {
  it('fails where a folder or file of it is not there', () => {
    const map = [
      '```tree',
      'core/               what all share,',
      '                    in many words',
      '  sign.ts  sing.ts  signing',
      'docs/',
      '  decisions/        why',
      '  images/           pictures',
      '```',
    ]
    expect(faultsOf('README.md', map.join('\n'))).toEqual([
      '4: there is no sing.ts',
      '4: there is no core/sing.ts',
      '7: there is no docs/images/',
    ])
  })

  it('fails on a folder that it does not name, but for what lies deeper or under an <area>', () => {
    for (const file of ['server/leads/imports/a.ts', 'server/market/a.ts', 'web/leads/a.ts'])
      write(file, 'export {}\n')
    const map = [
      '```tree',
      'server/        one process',
      '  leads/       leads',
      'web/',
      '  <area>/      pages',
      '```',
    ]
    expect(faultsOf('README.md', map.join('\n'))).toEqual(['2: server/market/ is not in this map'])
  })
})
