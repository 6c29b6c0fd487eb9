import { ConfigError } from './config/config.ts'
import type { Db } from './data/database.ts'
import { readRefusal } from './data/connection/read-refusal.ts'
import { readSessionSettings, type Session } from './data/read-session-settings.ts'
import { listSettings, type SessionKind } from './data/session-settings.ts'

const OLDEST_VERSION = 15

/**
 * Checks, before anything is written, that the server is supported and that the session has the settings it needs. A
 * pooler may not have passed our settings on.
 * @param variable the variable that names the database, for the message
 * @throws ConfigError that names each fault
 */
export async function requireSessionSettings(
  db: Db,
  { variable, kind }: { variable: string; kind: SessionKind },
): Promise<void> {
  const wanted = listSettings(kind)
  const session = await readSessionSettings(db, Object.keys(wanted)).catch((error: unknown) => {
    throw explainRefusal(error, variable) ?? error
  })
  const faults = judgeServer(session)
  const foreign = Object.entries(wanted).filter(
    ([name, value]) => session.settings[name] !== null && session.settings[name] !== value,
  )
  if (foreign.length > 0) faults.push(explainSettings(session, kind, foreign))
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${variable}: ${fault}`))
}

/** Checks properties that no session can set. @returns faults */
export function judgeServer({ version, encoding }: Pick<Session, 'version' | 'encoding'>): string[] {
  const major = Math.floor(version / 10_000)
  const faults: string[] = []
  if (major < OLDEST_VERSION)
    faults.push(`PostgreSQL is version ${major}; ${OLDEST_VERSION} or newer is needed`)
  if (encoding !== 'UTF8')
    faults.push(
      `the database has the encoding ${encoding}; make one with \`create database … encoding 'UTF8' template template0\``,
    )
  return faults
}

function explainSettings(
  { settings }: Session,
  kind: SessionKind,
  foreign: readonly [string, string][],
): string {
  const differ = foreign.map(([name]) => `${name} (${settings[name]})`).join(', ')
  const advice = kind === 'migration' ? '. Set DATABASE_DIRECT_URL to PostgreSQL itself, not to a pooler' : ''
  return `these settings do not reach the session: ${differ}${advice}`
}

/** Explains the refusal of a server or pooler that does not even open a session with our settings. */
function explainRefusal(error: unknown, variable: string): ConfigError | undefined {
  const refusal = readRefusal(error)
  if (refusal === undefined || !(error instanceof Error)) return undefined
  const advice =
    refusal === 'unknown'
      ? `PostgreSQL ${OLDEST_VERSION} or newer is needed`
      : 'set DATABASE_DIRECT_URL to PostgreSQL itself, not to a pooler, see docs/operations/database.md'
  return new ConfigError([`${variable}: ${error.message}; ${advice}`])
}
