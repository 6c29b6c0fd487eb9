import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../services/run-command.ts'
import { duration } from '../services/step.ts'
import { say } from './show-lines.ts'
import { failedOnce, passedOnce, sum } from './tally.ts'
import type { Tally } from './tally.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

interface Check {
  title: string
  /** A program of node_modules/.bin with its arguments. */
  command: [string, ...string[]]
}

/**
 * An option of the compiler: by default, four of its checkers check the same types, each from the beginning.
 */
const ONE_CHECKER = '--singleThreaded'

/** Keep these equal to the scripts of package.json that run one of them alone. */
const CHECKS: readonly Check[] = [
  { title: 'Formatting', command: ['oxfmt', '--check'] },
  { title: 'Lint', command: ['oxlint', '--type-aware'] },
  {
    title: 'Types of server, worker, scripts and tests',
    command: ['tsc', '-p', 'tsconfig.json', ONE_CHECKER],
  },
  { title: 'Types of the web app', command: ['tsc', '-p', 'web/tsconfig.json', ONE_CHECKER] },
  {
    title: 'Import rules',
    command: ['depcruise', 'core', 'server', 'worker', 'web', 'migrations', 'scripts', 'tests'],
  },
  { title: 'Unused code', command: ['knip', '--no-progress'] },
  { title: 'Documents', command: ['node', 'scripts/check-documents.ts'] },
]

const AT_ONCE = 2

/**
 * Compiler and linter are written in Go: each gets its share of the processors, and collects garbage rarely,
 * since it ends soon.
 */
const GO = { GOMAXPROCS: String(Math.ceil(availableParallelism() / AT_ONCE)), GOGC: '400' }

/**
 * Runs all checks, two at a time: the first takes as long on one processor as the others together on the
 * other.
 */
export async function runChecks(): Promise<Tally> {
  const waiting = [...CHECKS]
  const tallies: Tally[] = []
  const runWaiting = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      tallies.push(await runCheck(check))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runWaiting))
  return sum(tallies)
}

/** Runs one check; shows its output only if it fails. */
async function runCheck({ title, command: [program, ...args] }: Check): Promise<Tally> {
  const startedAt = performance.now()
  const { code, output } = await runCommand(path.join(REPOSITORY, 'node_modules/.bin', program), args, {
    cwd: REPOSITORY,
    env: { ...process.env, ...GO },
  })
  const took = duration(performance.now() - startedAt)
  say(`${code === 0 ? '✓' : '✗'} ${title} (${took})`)
  if (code === 0) return passedOnce
  say(output.trim().replace(/^/gm, '    '))
  return failedOnce(`${title}: ${program} ${args.join(' ')}`)
}
