import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkDocuments } from '#scripts/documents/check-documents.ts'
import { openRepository } from '#scripts/documents/repository.ts'

const MISSING = 'core/sign-in.ts'
// Concatenated, because the check would take them for citations of this file.
const DOCUMENT = 'docs/product.md'
const NUMBER = '0008'
const ELSEWHERE = 'ELSEWHERE'
const RECORD = 'docs/decisions/0007-one-path.md'
const CHECKSUMS = 'docs/decisions/checksums.json'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'leadwire-documents-'))
  write('.gitignore', 'dist/\n')
  write('docs/product.md', '# Product\n\n## 1. For whom\n\n## 2. Screens\n\n### The shell\n')
  write(RECORD, '# 7. One path\n')
  write(CHECKSUMS, '{ "0007-one-path.md": "fffd4f3f46d97297" }')
  write('core/sign.ts', 'export {}\n')
})

afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, text: string) {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

/** Returns the faults of a file with this text, as `line: reason`. */
function faultsOf(file: string, text: string) {
  write(file, text)
  return checkDocuments(openRepository(root)).map(({ line, reason }) => `${line}: ${reason}`)
}

describe('a citation', () => {
  it('may name existing sections and decisions', () => {
    expect(faultsOf('core/a.ts', `/** ${DOCUMENT} §1, §2; docs/decisions/0007 */\n`)).toEqual([])
  })

  it('fails if the document has no such section, in a comment as in a string', () => {
    expect(faultsOf('core/a.ts', `const title = '${DOCUMENT} §1 and §3'\n`)).toEqual([
      '1: docs/product.md has no section 3',
    ])
  })

  it.each(['docs/decisions/', 'decision '])('fails if no decision has the number (%s…)', (words) => {
    expect(faultsOf('README.md', `Why: see ${words}${NUMBER}.\n`)).toEqual([
      `1: there is no decision ${NUMBER}`,
    ])
  })

  it('fails if it names a document that readers do not have', () => {
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

  it('may start at the root or at the file’s own folder', () => {
    expect(faultsOf('core/a.ts', '// core/sign.ts, ./sign.ts and sign.ts are one\n')).toEqual([])
  })

  it('fails if it leads to nothing', () => {
    expect(faultsOf('README.md', `Signing\n\nis in \`${MISSING}\`, said core/nowhere.\n`)).toEqual([
      `3: there is no ${MISSING}`,
      '3: there is no core/nowhere',
    ])
  })

  it('fails in a comment, even after code, but not in code', () => {
    const code = [`import '${MISSING}'`, '/**', ` * see ${MISSING}`, ' */', `run() // as ${MISSING} does`]
    expect(faultsOf('core/a.ts', code.join('\n'))).toEqual([
      `3: there is no ${MISSING}`,
      `5: there is no ${MISSING}`,
    ])
  })

  it('fails if no folder contains the file', () => {
    expect(faultsOf('core/a.ts', '// sing.ts does it\n')).toEqual(['1: there is no sing.ts'])
  })
})

describe('a link', () => {
  it('may lead to files, folders, headings and other sites', () => {
    const links =
      '[a](core/sign.ts) [b](docs/decisions) [c](docs/product.md#the-shell) [d](https://example.com/x)'
    expect(faultsOf('README.md', links)).toEqual([])
  })

  it('fails if the file does not exist', () => {
    expect(faultsOf('docs/more.md', '[a](product.md) [b](prodcut.md)')).toEqual([
      '1: the link prodcut.md leads nowhere',
    ])
  })

  it('fails if the file has no such heading', () => {
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

  it('may name files that its reader creates, and link to other pages, their headings and paths of the product', () => {
    const links =
      '[a](/blog/news#much-is-new) [b](#here) [c](/help?from=x) [d](https://example.com) [e](/blog/news#webhooks)'
    expect(faultsOf(page, `Write receiver.ts.\n\n## Here\n\n${links}\n`)).toEqual([])
  })

  it('fails if a link leads to no page, heading or path, or does not start at the root', () => {
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
  it('fails if a folder or file in it does not exist', () => {
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

  it('fails if it lacks a folder, except for deeper folders and those in an <area>', () => {
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

describe('a decision record', () => {
  const decided = ['# 7. One path', '', 'Signing is in core/sign.ts, and', '[here](../product.md).', '']

  /** Stores the checksum that the check asks for in its message. */
  function keepChecksum(text: string) {
    write(CHECKSUMS, '{}')
    const [fault = ''] = faultsOf(RECORD, text)
    write(CHECKSUMS, `{ ${fault.slice(fault.indexOf('"'))} }`)
  }

  it('needs a checksum, which the message names', () => {
    write(CHECKSUMS, '{}')
    expect(faultsOf(RECORD, decided.join('\n'))).toEqual([
      expect.stringMatching(
        /^1: add to docs\/decisions\/checksums\.json: "0007-one-path\.md": "[0-9a-f]{16}"$/,
      ),
    ])
  })

  it('may get a new path of a moved file, new line breaks and a status line', () => {
    keepChecksum(decided.join('\n'))
    write('core/endpoint/sign.ts', 'export {}\n')
    const [title = '', ...rest] = decided
    const moved = `${rest.join(' ').replace('core/sign.ts', 'core/endpoint/sign.ts').replace('../product.md', '../product.md#the-shell')}\n`
    expect(
      faultsOf(RECORD, `${title}\n\n*Superseded by\n[8](0007-one-path.md).*\n\n${moved.trim()}\n`),
    ).toEqual([])
  })

  it('may name a missing file once a later record supersedes it', () => {
    keepChecksum(decided.join('\n'))
    rmSync(path.join(root, 'core/sign.ts'))
    expect(faultsOf(RECORD, decided.join('\n'))).toEqual(['3: there is no core/sign.ts'])
    const [title = '', ...rest] = decided
    expect(faultsOf(RECORD, [title, '', '*Superseded by a later one.*', ...rest].join('\n'))).toEqual([])
  })

  it('fails if anything else of it changed', () => {
    keepChecksum(decided.join('\n'))
    const changed =
      '1: a decision record changed: write a new one, and name it in the status line of this one'
    expect(faultsOf(RECORD, decided.join('\n').replace('Signing', 'Sealing'))).toEqual([changed])
    expect(faultsOf(RECORD, decided.join('\n').replace('7.', '8.'))).toEqual([changed])
  })

  it('fails above 450 words', () => {
    const text = `# 7. One path\n\n${'word '.repeat(446)}`
    keepChecksum(text.trimEnd())
    expect(faultsOf(RECORD, text.trimEnd())).toEqual([])
    expect(faultsOf(RECORD, text.trimEnd().replace('\n\n', '\n\n*Superseded by a later one.*\n\n'))).toEqual(
      [],
    )
    expect(faultsOf(RECORD, `${text}word`)[0]).toBe('1: 451 words: a decision record has at most 450')
  })

  it('fails if it is missing but its checksum is not', () => {
    keepChecksum(decided.join('\n'))
    rmSync(path.join(root, RECORD))
    expect(checkDocuments(openRepository(root))).toEqual([
      { file: CHECKSUMS, line: 1, reason: 'there is no 0007-one-path.md' },
    ])
  })
})

describe('the changelog', () => {
  it('fails if a line has more than 200 characters, which other documents allow', () => {
    const text = `# Changelog\n\n- ${'é'.repeat(198)}\n- ${'a'.repeat(199)}\n`
    expect(faultsOf('CHANGELOG.md', text)).toEqual([
      '4: 201 characters: a line of the changelog has at most 200',
    ])
    expect(faultsOf('CHANGELOG.md', '# Changelog\n')).toEqual([])
    expect(faultsOf('README.md', text)).toEqual([])
  })
})
