import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../services/run-command.ts'
import { duration } from '../services/step.ts'
import { failedOnce, passedOnce } from './tally.ts'
import type { Tally } from './tally.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

interface Check {
  title: string
  /** A program of node_modules/.bin with its arguments. */
  command: [string, ...string[]]
}

/** Kept the same as the scripts of package.json that run one of them alone. */
export const CHECKS: readonly Check[] = [
  { title: 'Formatting', command: ['prettier', '--check', '--log-level=warn', '.'] },
  { title: 'Lint', command: ['oxlint', '--type-aware'] },
  { title: 'Types of server, worker, scripts and tests', command: ['tsc', '-p', 'tsconfig.json'] },
  { title: 'Types of the web app', command: ['tsc', '-p', 'web/tsconfig.json'] },
  {
    title: 'Import rules',
    command: ['depcruise', 'core', 'server', 'worker', 'web', 'migrations', 'scripts', 'tests'],
  },
  { title: 'Unused code', command: ['knip', '--no-progress'] },
  { title: 'Documents', command: ['node', 'scripts/check-documents.ts'] },
]

/** Runs one check; shows what it says only when it fails. */
export async function runCheck({ title, command: [program, ...args] }: Check): Promise<Tally> {
  const startedAt = performance.now()
  const { code, output } = await runCommand(path.join(REPOSITORY, 'node_modules/.bin', program), args, {
    cwd: REPOSITORY,
  })
  const took = duration(performance.now() - startedAt)
  console.log(`${code === 0 ? '✓' : '✗'} ${title} (${took})`)
  if (code === 0) return passedOnce
  console.log(output.trim().replace(/^/gm, '    '))
  return failedOnce(`${title}: ${program} ${args.join(' ')}`)
}
