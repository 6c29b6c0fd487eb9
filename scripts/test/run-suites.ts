import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readPlaywrightReport, readVitestReport } from './read-reports.ts'
import { filesToTryAgain, neededSecondTry } from './second-try.ts'
import { showLines } from './show-lines.ts'
import { judge, sum } from './tally.ts'
import type { Tally } from './tally.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

type Variables = Record<string, string | undefined>

/**
 * Runs one project of vitest.config.ts, or some of its files, with its output on the screen. In CI, files
 * with failed tests run once more, and those that needed it are named (docs/decisions/0022).
 */
export async function runVitest(
  project: string,
  env: Variables,
  folder: string,
  files: readonly string[] = [],
): Promise<Tally> {
  const report = path.join(folder, `${project}.json`)
  const first = await tryVitest(project, env, report, files)
  const again = env['CI'] === undefined || first.isUnhandled ? [] : filesToTryAgain(first.tally)
  if (again.length === 0) return first.tally
  const { tally: second } = await tryVitest(project, env, path.join(folder, `${project}-again.json`), again)
  for (const failure of neededSecondTry(first.tally, second)) console.log(`  needed a second try: ${failure}`)
  return sum([(await readVitestReport(report, again)) ?? sum([]), second])
}

async function tryVitest(
  project: string,
  env: Variables,
  report: string,
  files: readonly string[],
): Promise<{ tally: Tally; isUnhandled: boolean }> {
  const reporters = ['default', 'json', 'scripts/test/note-unhandled.ts']
    .map((reporter) => `--reporter=${reporter}`)
    .concat(`--outputFile.json=${report}`)
  const args = ['run', '--project', project, ...reporters, ...files]
  const unhandled = `${report}.unhandled`
  const told = { ...env, UNHANDLED_ERRORS_FILE: unhandled }
  const status = await run(project, 'node_modules/vitest/vitest.mjs', args, told)
  const tally = judge(project, await readVitestReport(report), status)
  return { tally, isUnhandled: existsSync(unhandled) }
}

/** Runs the browser tests with their output on the screen. */
export async function runPlaywright(env: Variables, folder: string): Promise<Tally> {
  const report = path.join(folder, 'e2e.json')
  const args = ['test', '--reporter=list,json']
  const status = await run('e2e', 'node_modules/@playwright/test/cli.js', args, {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Node strips types itself; Playwright would compile each module with Babel in every run.
    PW_DISABLE_TS_ESM: '1',
  })
  return judge('e2e', await readPlaywrightReport(report), status)
}

/**
 * Megabytes for new objects: with the default of sixteen, more objects are scanned for longer than they live.
 */
const ROOM_FOR_NEW = '--max-semi-space-size=64'

const running = new Set<ChildProcess>()

/** Ends the running runners and waits for them, so that they can clean up. */
export async function endRunningSuites(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(ends)
}

async function run(name: string, script: string, args: string[], env: Variables): Promise<number> {
  const colour = process.stdout.isTTY && env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {}
  const options = [env['NODE_OPTIONS'], ROOM_FOR_NEW].filter((some) => some !== undefined).join(' ')
  const child = spawn(process.execPath, [path.join(REPOSITORY, script), ...args], {
    cwd: REPOSITORY,
    // The runner's own processes inherit NODE_OPTIONS; programs that tests start have their own environment.
    env: { ...env, ...colour, NODE_OPTIONS: options },
    stdio: ['inherit', 'pipe', 'pipe'],
  })
  running.add(child)
  showLines(name, child.stdout)
  showLines(name, child.stderr)
  const [code] = (await once(child, 'exit')) as [number | null]
  running.delete(child)
  // Waits for the runner's last output, but not for ever: a process that it left behind may hold the output open.
  await Promise.race([once(child, 'close'), delay(1_000)])
  return code ?? 1
}
