import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from '../failures.ts'

/** The folder of pg_dump and pg_restore, and their major version. */
export interface PostgresPrograms {
  folder: string
  major: number
}

/** Places of distributions' packages, each with a folder for every version. */
const PLACES = [
  { parent: '/usr/lib/postgresql', inside: 'bin' },
  { parent: '/usr', inside: 'bin' },
  { parent: '/opt/homebrew/opt', inside: 'bin' },
]

/**
 * Finds pg_dump and pg_restore: the oldest version that is not older than the server. pg_dump refuses a newer server, and a
 * newer pg_restore sets what an older server does not know.
 * @param given the folder that the operator named; nothing else is looked at then
 * @throws CommandError if there is none, with what to do
 */
export async function findPostgresPrograms(serverMajor: number, given?: string): Promise<PostgresPrograms> {
  const folders = given === undefined ? listFolders() : [given]
  const found: PostgresPrograms[] = []
  for (const folder of folders) {
    const major = await readMajor(path.join(folder, 'pg_dump'))
    if (major !== undefined && existsSync(path.join(folder, 'pg_restore'))) found.push({ folder, major })
  }
  const [best] = found
    .filter(({ major }) => major >= serverMajor)
    .toSorted((one, two) => one.major - two.major)
  if (best !== undefined) return best
  const there = found.map(({ folder, major }) => `${major} in ${folder}`).join(', ')
  throw new CommandError(
    `pg_dump and pg_restore of version ${serverMajor} are needed, as the server has; found ${there === '' ? 'none' : there}. Install Debian's postgresql-client-${serverMajor} or name their folder by --bin`,
  )
}

function listFolders(): string[] {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const packaged = PLACES.flatMap(({ parent, inside }) =>
    existsSync(parent)
      ? readdirSync(parent)
          .filter((name) => /^(?:\d+|pgsql-\d+|postgresql@\d+|libpq)$/.test(name))
          .map((name) => path.join(parent, name, inside))
      : [],
  )
  return [...new Set([...onPath, ...packaged])].filter((folder) => existsSync(path.join(folder, 'pg_dump')))
}

async function readMajor(program: string): Promise<number | undefined> {
  const { code, text } = await runProgram(program, ['--version']).catch(() => ({ code: 1, text: '' }))
  const major = /\(PostgreSQL\) (\d+)/.exec(text)?.[1]
  return code === 0 && major !== undefined ? Number(major) : undefined
}

/** The address for libpq. The password goes into the environment, because everybody can read a program's arguments. */
export function addressFor(url: string): { address: string; env: Record<string, string> } {
  // Not by URL, which does not understand several hosts.
  const [, before = '', password = '', after = ''] = /^(\w+:\/\/[^:@/]*):([^@/]*)(@.*)$/.exec(url) ?? []
  if (password === '') return { address: withoutDriversOwn(url), env: {} }
  return { address: withoutDriversOwn(before + after), env: { PGPASSWORD: decodeURIComponent(password) } }
}

/** The same server with another database. */
export function withDatabase(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`)
}

/** libpq refuses parameters that it does not know. */
function withoutDriversOwn(url: string): string {
  const [address = '', query = ''] = url.split('?')
  const kept = query.split('&').filter((one) => one !== '' && !/^(?:uselibpqcompat|ssl)=/.test(one))
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`
}

/**
 * Runs a program to its end.
 * @throws CommandError with its last lines if it fails
 */
export async function mustRunProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, text } = await runProgram(program, args, env)
  if (code === 0) return text
  // PostgreSQL repeats values of rows in DETAIL and CONTEXT.
  const lines = text.split('\n').filter((line) => /error|fatal/i.test(line) && !/DETAIL|CONTEXT/.test(line))
  throw new CommandError(
    `${path.basename(program)} failed: ${lines.slice(0, 3).join('; ') || `status ${code}`}`,
  )
}

async function runProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; text: string }> {
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, LC_ALL: 'C' },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 128, text }))
  })
}
