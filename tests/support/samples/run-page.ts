import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '../condition.ts'
import { checkJson } from './check-json.ts'
import { compareJson, fits } from './compare-json.ts'
import type { Sample } from './read-samples.ts'
import { isThere, RUNTIMES } from './runtimes.ts'

/** The packages that a sample imports, as if its reader had installed them. */
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const LIMIT_MS = 60_000
const LIMIT_OF_REST_MS = 30_000
const CALLED = ['curl', 'python3']
const SEARCHED = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`

/** Result of a block: `fault` says what is wrong, `skipped` why it was not run. */
export interface Outcome {
  sample: Sample
  fault?: string
  skipped?: string
}

/** Time limit for all samples of a page; a single slow one is reported by its own fault. */
export function limitOfPage(samples: readonly Sample[]): number {
  return samples.filter(isRunnable).reduce((sum, sample) => sum + limitOf(sample), LIMIT_OF_REST_MS)
}

function limitOf({ language }: Sample): number {
  return RUNTIMES[language]?.limitMs ?? LIMIT_MS
}

/**
 * Runs a page's samples in order, in a folder of their own, as a reader would: shell samples share their
 * exports, and the page's files exist. After a fault the rest is not run.
 * @param change replaces the page's addresses with the reader's
 */
export async function runPage(
  samples: readonly Sample[],
  env: Readonly<Record<string, string>>,
  change: (text: string) => string = (text) => text,
): Promise<Outcome[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-samples-'))
  await symlink(PACKAGES, path.join(folder, 'node_modules'), 'junction')
  const running: ChildProcess[] = []
  const outcomes: Outcome[] = []
  let printed: string | undefined
  // If a command called in a shell step is missing, the whole page is skipped.
  const missing = CALLED.find((command) => !isThere(command) && samples.some((one) => calls(one, command)))
  const steps: Steps = {
    file: async (sample) => {
      const name =
        sample.values['file'] ?? `sample-${sample.line}.${RUNTIMES[sample.language]?.ending ?? 'txt'}`
      await writeFile(path.join(folder, name), change(sample.text))
      return name
    },
    run: async (sample, name) => {
      const child = start(sample, name, folder, env)
      running.push(child)
      const gathered = gather(child)
      if (sample.words.has('background')) {
        const isUp = () => gathered.out() !== '' || child.exitCode !== null
        await waitUntil(isUp, { what: 'its first words', timeoutMs: limitOf(sample) })
        return child.exitCode === null ? undefined : `ended with ${child.exitCode}: ${gathered.all()}`
      }
      const limit = setTimeout(() => end(child), limitOf(sample))
      const [status] = (await once(child, 'close')) as [number | null]
      clearTimeout(limit)
      printed = gathered.out()
      return status === 0 ? undefined : `ended with ${status ?? 'a signal'}: ${gathered.all()}`
    },
    printed: () => printed,
    forget: () => {
      printed = undefined
    },
  }
  try {
    for (const sample of samples) {
      const isLeftOut = missing !== undefined && isRunnable(sample)
      const outcome: Outcome = isLeftOut
        ? { sample, skipped: describeMissing(missing) }
        : { sample, ...(await judge(sample, steps)) }
      outcomes.push(outcome)
      if (outcome.fault !== undefined) break
    }
    return outcomes
  } finally {
    for (const child of running) end(child)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

interface Steps {
  file: (sample: Sample) => Promise<string>
  run: (sample: Sample, file: string) => Promise<string | undefined>
  /** undefined if nothing was run */
  printed: () => string | undefined
  forget: () => void
}

async function judge(sample: Sample, steps: Steps): Promise<Omit<Outcome, 'sample'>> {
  const { language, words, values, text } = sample
  const printed = words.has('output') ? steps.printed() : undefined
  const difference = printed === undefined ? undefined : compare(sample, printed)
  if (difference !== undefined) return { fault: difference }
  // For the API reference, tests/unit/site/openapi.test.ts checks these against the schemas of their routes.
  if (language === 'json' && !words.has('example')) {
    const fault = checkJson(values['schema'], text)
    return fault === undefined ? {} : { fault }
  }
  const isRun = isRunnable(sample)
  if (language === 'json' || (!isRun && values['file'] === undefined)) return {}
  const name = await steps.file(sample)
  if (!isRun) return {}
  const missing = [RUNTIMES[language]?.command, values['needs']].find(
    (command) => command !== undefined && !isThere(command),
  )
  if (RUNTIMES[language] === undefined) return { fault: `nothing runs ${language}` }
  if (missing !== undefined) {
    steps.forget()
    return { skipped: describeMissing(missing) }
  }
  const fault = await steps.run(sample, name)
  return fault === undefined ? {} : { fault }
}

function isRunnable({ words }: Sample): boolean {
  return words.has('run') || words.has('background')
}

function calls(sample: Sample, command: string): boolean {
  return sample.language === 'sh' && isRunnable(sample) && sample.text.includes(command)
}

function describeMissing(command: string): string {
  return `there is no ${command} on this machine`
}

/**
 * Compares the output with the page. JSON must have the same members in the same order, and match the page's
 * schema.
 */
function compare({ language, values, text }: Sample, printed: string): string | undefined {
  if (language !== 'json')
    return fits(text.trim(), printed.trim()) ? undefined : `the sample above printed: ${printed}`
  const fault = checkJson(values['schema'], text) ?? checkJson(values['schema'], printed)
  if (fault !== undefined) return fault
  const varying = new Set(values['varies']?.split(','))
  return compareJson(JSON.parse(text), JSON.parse(printed), varying)
}

function start(
  { language }: Sample,
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const { command = '', args = [], env: own = {} } = RUNTIMES[language] ?? {}
  const isShell = language === 'sh'
  const session = existsSync(path.join(folder, '.session')) ? '. ./.session; ' : ''
  // A program starts in the same terminal, so it has the exported variables.
  const words = isShell
    ? ['-euc', `${session}. ./${name}; export -p > .session`]
    : ['-euc', `${session}exec "$0" "$@"`, command, ...args, name]
  return spawn('sh', words, {
    cwd: folder,
    // A process group of its own, so that child processes end with the shell.
    detached: true,
    // `node` is the one that runs the tests.
    env: { PATH: SEARCHED, HOME: folder, PYTHONUNBUFFERED: '1', ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function gather(child: ChildProcess): { out: () => string; all: () => string } {
  let [out, all] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
    all += chunk.toString('utf8')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    all += chunk.toString('utf8')
  })
  return { out: () => out, all: () => all.slice(-2000) }
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
