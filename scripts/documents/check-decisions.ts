import { createHash } from 'node:crypto'
import path from 'node:path'
import { withoutLinkTargets } from './check-links.ts'
import { withoutPaths } from './check-paths.ts'
import type { Fault } from './page.ts'
import type { Repository } from './repository.ts'

const RECORD = /^docs\/decisions\/\d{4}-[^/]+\.md$/
const CHECKSUMS = 'docs/decisions/checksums.json'
/** Counted like `wc -w`. One screen. */
const MAX_WORDS = 450
/** The italic words under the title, such as *Superseded by …*. */
const STATUS = /^(# .*\n\n)\*[^*]+\*\n\n/

/** Whether a later record replaces this one, or a part of it: then it may name files that no longer exist. */
export function isSuperseded(file: string, text: string): boolean {
  return RECORD.test(file) && STATUS.test(text)
}

/**
 * A decision record fits a screen and does not change: checksums.json beside the records has one line for
 * each. Its status line may change, and so may the paths in it, because files move.
 */
export function checkDecisions(repository: Repository): Fault[] {
  const stored = repository.has(CHECKSUMS) ? repository.read(CHECKSUMS) : '{}'
  const checksums = new Map(Object.entries(JSON.parse(stored) as Record<string, string>))
  const records = repository.files.filter((file) => RECORD.test(file))
  const names = new Set(records.map((file) => path.posix.basename(file)))
  return [
    ...records.flatMap((file) => findFaults(file, repository.read(file), checksums)),
    ...[...checksums.keys()]
      .filter((name) => !names.has(name))
      .map((name) => ({ file: CHECKSUMS, line: 1, reason: `there is no ${name}` })),
  ]
}

function findFaults(file: string, text: string, checksums: ReadonlyMap<string, string>): Fault[] {
  const fault = (reason: string): Fault => ({ file, line: 1, reason })
  const decided = text.replace(STATUS, '$1')
  const words = decided.split(/\s+/).filter((word) => word !== '').length
  const name = path.posix.basename(file)
  const [expected, actual] = [checksums.get(name), computeChecksum(decided)]
  return [
    ...(words > MAX_WORDS ? [fault(`${words} words: a decision record has at most ${MAX_WORDS}`)] : []),
    ...(expected === undefined ? [fault(`add to ${CHECKSUMS}: "${name}": "${actual}"`)] : []),
    ...(expected === undefined || expected === actual
      ? []
      : [fault('a decision record changed: write a new one, and name it in the status line of this one')]),
  ]
}

/** Ignores paths, the targets of links, and line breaks. */
function computeChecksum(decided: string): string {
  const words = withoutPaths(withoutLinkTargets(decided)).replaceAll(/\s+/g, ' ')
  return createHash('sha256').update(words).digest('hex').slice(0, 16)
}
