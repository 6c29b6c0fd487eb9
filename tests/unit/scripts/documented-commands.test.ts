import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runCommand } from '#scripts/leadwire/run-command.ts'

const WRONG_USAGE = 2
/** The command as pages write it, behind a shell's prompt or not. */
const CALL =
  /^\$? ?(?:npx leadwire|npm run (?:--silent )?leadwire --|node scripts\/leadwire\.ts|leadwire) (.+)$/
/** Names that a reader fills in, and one that is typed on standard input. */
const TO_FILL_IN = /[<…]| -$|\bID\b/

/** The words of a line as a shell reads them, without its comment. */
function splitWords(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\$\([^)]*\)|[^\s"'])+/g) ?? []
  const end = words.findIndex((word) => word.startsWith('#'))
  return words.slice(0, end === -1 ? undefined : end).map((word) => word.replaceAll(/["']/g, ''))
}

/** Calls in blocks of code, and in the text where they begin with `npx` or `npm`. */
function listCalls(page: string): string[] {
  const blocks = [...page.matchAll(/^ *```.*\n([^]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  )
  const quoted = [...page.matchAll(/`(np[mx] [^`]+)`/g)].map(([, call = '']) => call.replaceAll('\n', ' '))
  return [...blocks, ...quoted].flatMap((line) => CALL.exec(line.trim())?.[1] ?? [])
}

beforeEach(() => {
  // Without a database each call ends before it does anything.
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL']) vi.stubEnv(name, undefined)
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('documents show the operator’s command only with words that it takes', async () => {
  const wrong: string[] = []
  let tried = 0
  for await (const page of glob(['*.md', 'docs/**/*.md']))
    for (const call of listCalls(await readFile(page, 'utf8'))) {
      if (TO_FILL_IN.test(call)) continue
      tried += 1
      if ((await runCommand(splitWords(call))) === WRONG_USAGE) wrong.push(`${page}: ${call}`)
    }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(50)
})

it('documents name only files and folders that exist', async () => {
  const missing: string[] = []
  for await (const page of glob(['*.md', 'docs/*.md', 'docs/{operations,measurements,site}/**/*.md']))
    for (const [, named = ''] of (await readFile(page, 'utf8')).matchAll(
      /`((?:core|server|worker|web|scripts|tests|docs|deploy|migrations)\/[\w./-]+)`/g,
    ))
      if (!existsSync(named)) missing.push(`${page}: ${named}`)
  expect(missing).toEqual([])
})
