import { ConfigError, loadConfig } from '#core/config/config.ts'
import { migrateDatabase } from './migrate-database.ts'

/** `npm run migrate`: brings the database to this version's schema. */
async function main(): Promise<void> {
  const { database } = loadConfig(process.env, { standIns: { REDIS_URL: 'redis://not-asked' } })
  const applied = await migrateDatabase(database.url)
  for (const name of applied) console.log(`✓ ${name}`)
  console.log(applied.length === 0 ? 'The database is up to date' : `${applied.length} migration(s) applied`)
}

/** @returns undefined if something else failed: then the whole error matters */
function explainNoConnection(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  const isRefused = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|28P01$|28000$|3D000$|53300$|57P03$)/.test(
    String(error.code),
  )
  return isRefused ? `DATABASE_URL: the database cannot be used: ${readWords(error)}` : undefined
}

/**
 * An error for a name with several addresses, such as `localhost`, has a message for each address and none of
 * its own.
 */
function readWords(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message
  return (error.errors as Error[]).map(({ message }) => message).join('; ')
}

main().catch((error: unknown) => {
  const reason = error instanceof ConfigError ? error.message : explainNoConnection(error)
  if (reason === undefined) throw error
  console.error(reason)
  process.exit(1)
})
