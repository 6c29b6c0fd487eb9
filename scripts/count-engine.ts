import { execFileSync } from 'node:child_process'

/**
 * `npx node scripts/count-engine.ts [revision …]` prints a table in Markdown: the amount of code that decides
 * the order of waiting work. A limiter is a file that reads numbers of a limits.ts and exports a constructor
 * (`create…`); a number is one in a limits.ts.
 */
const LIMITERS = ['core/fairness', 'server/admission', 'server/http/untaken-answers.ts', 'worker/dispatch']
const BESIDE = ['core/concurrency', 'worker/rounds', 'worker/pipeline']

const git = (...asked: string[]): string =>
  execFileSync('git', asked, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })

interface Counted {
  files: number
  lines: number
  limiters: number
  numbers: number
}

async function count(revision: string, place: string): Promise<Counted> {
  const names = git('ls-tree', '-r', '--name-only', revision, '--', place).split('\n')
  const counted = { files: 0, lines: 0, limiters: 0, numbers: 0 }
  for (const name of names.filter((one) => one.endsWith('.ts'))) {
    const text = git('show', `${revision}:${name}`)
    counted.files += 1
    counted.lines += text.split('\n').length - 1
    if (name.endsWith('/limits.ts')) counted.numbers += countNumbers(await load(text))
    else if (
      LIMITERS.includes(place) &&
      / from '[^']*\/limits\.ts'/.test(text) &&
      /^export function create/m.test(text)
    )
      counted.limiters += 1
  }
  return counted
}

/** A limits.ts imports nothing, so it can be loaded by itself. */
async function load(text: string): Promise<unknown> {
  const code = Buffer.from(text.replaceAll(' as const', '')).toString('base64')
  return await import(`data:text/javascript;base64,${code}`)
}

function countNumbers(value: unknown): number {
  if (typeof value === 'number') return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + countNumbers(one), 0)
}

const revisions = process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']
console.log(
  '| version | place | files | lines | limiters | numbers |\n| --- | --- | ---: | ---: | ---: | ---: |',
)
for (const revision of revisions) {
  const all = { files: 0, lines: 0, limiters: 0, numbers: 0 }
  for (const place of [...LIMITERS, ...BESIDE]) {
    const { files, lines, limiters, numbers } = await count(revision, place)
    if (files > 0) console.log(`| ${revision} | ${place} | ${files} | ${lines} | ${limiters} | ${numbers} |`)
    all.files += files
    all.lines += lines
    all.limiters += limiters
    all.numbers += numbers
  }
  const { files, lines, limiters, numbers } = all
  console.log(`| ${revision} | all | ${files} | ${lines} | ${limiters} | ${numbers} |`)
}
