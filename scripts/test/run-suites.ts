import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPlaywrightReport, readVitestReport } from './read-reports.ts'
import { judge } from './tally.ts'
import type { Tally } from './tally.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

type Variables = Record<string, string | undefined>

/** Runs one project of vitest.config.ts with its output on the screen. */
export async function runVitest(project: string, env: Variables, folder: string): Promise<Tally> {
  console.log(`\n── ${project} tests`)
  const report = path.join(folder, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run('node_modules/vitest/vitest.mjs', ['run', '--project', project, ...reporters], env)
  return judge(project, await readVitestReport(report), status)
}

/** Runs the browser tests with their output on the screen. */
export async function runPlaywright(env: Variables, folder: string): Promise<Tally> {
  console.log('\n── e2e tests')
  const report = path.join(folder, 'e2e.json')
  const args = ['test', '--reporter=list,json']
  const status = await run('node_modules/@playwright/test/cli.js', args, {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  return judge('e2e', await readPlaywrightReport(report), status)
}

const running = new Set<ChildProcess>()

/** Ends the runners that are at work and waits for them, so that they can put their things away. */
export async function endRunningSuites(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(ends)
}

async function run(script: string, args: string[], env: Variables): Promise<number> {
  const child = spawn(process.execPath, [path.join(REPOSITORY, script), ...args], {
    cwd: REPOSITORY,
    env,
    stdio: 'inherit',
  })
  running.add(child)
  const [code] = (await once(child, 'exit')) as [number | null]
  running.delete(child)
  return code ?? 1
}
