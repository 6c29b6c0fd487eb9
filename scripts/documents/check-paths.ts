import path from 'node:path'
import type { Fault, Page } from './page.ts'
import type { Repository } from './repository.ts'

const TOP_FOLDER = 'core|server|worker|web|migrations|scripts|tests|docs'
const ENDING = 'tsx?|mjs|cjs|js|css|html|md|ya?ml'
/** The characters of one part of a path: names, `<placeholders>`, `*`. */
const PART = '[\\w.@*<>…{},-]+'
/** Excludes text within an address, a package name, another path or a longer file name. */
const START = '(?<![\\w/.@:<>*…-])'

const FROM_THE_TOP = new RegExp(`${START}#?(?:${TOP_FOLDER})/(?:${PART}/?)*`, 'g')
const WITH_A_FOLDER = new RegExp(`${START}(?:\\.{1,2}/)?(?:${PART}/)+[\\w.-]+\\.(?:${ENDING})\\b`, 'g')
const ALONE = new RegExp(`${START}[\\w-]+(?:\\.[\\w-]+)*\\.(?:tsx?|mjs)\\b(?!/)`, 'g')
/** A decision named only by its number; check-citations.ts checks it. */
const DECISION = /^docs\/decisions\/\d{4}$/

/**
 * Every path in prose must exist: one that begins with a top folder, one that ends like a file, and a bare
 * file name.
 */
export function checkPaths(repository: Repository, { file, lines }: Page): Fault[] {
  return lines.flatMap((text, index) => {
    const paths = [...text.matchAll(FROM_THE_TOP), ...text.matchAll(WITH_A_FOLDER)]
      .map(([found]) => found.replace(/[.,]+$/, ''))
      .filter((found) => !DECISION.test(found) && !isThere(repository, file, found))
    const names = [...text.matchAll(ALONE)].map(([name]) => name).filter((name) => !repository.hasName(name))
    return [...new Set([...paths, ...names])].map((missing) => ({
      file,
      line: index + 1,
      reason: `there is no ${missing}`,
    }))
  })
}

/** The text without the paths that `checkPaths` finds. */
export function withoutPaths(text: string): string {
  return [FROM_THE_TOP, WITH_A_FOLDER, ALONE].reduce((left, pattern) => left.replaceAll(pattern, ''), text)
}

function isThere(repository: Repository, file: string, found: string): boolean {
  return expandBraces(found).every((one) =>
    readingsOf(file, one).some(
      // A test or script may be named without its ending.
      (reading) => repository.has(reading) || repository.has(`${reading}.*`),
    ),
  )
}

/** `a/{b,c}.ts` is two paths. */
function expandBraces(text: string): string[] {
  const [, before = '', list, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(text) ?? []
  if (list === undefined) return [text]
  return list.split(',').flatMap((one) => expandBraces(before + one + after))
}

/**
 * The possible meanings of `text` in `file`: a path from the root, which imports write with `#`, or from the
 * file's own folder.
 */
function readingsOf(file: string, text: string): string[] {
  const plain = text.replace(/^#/, '').replaceAll(/<[^>/]*>|…/g, '*')
  return [plain, path.posix.join(path.posix.dirname(file), plain)]
}
