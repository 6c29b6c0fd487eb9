import { ConfigError, loadConfig } from '#core/config/config.ts'
import { migrateDatabase } from './migrate-database.ts'

/** `npm run migrate`: brings the database to this version's schema. */
async function main(): Promise<void> {
  const { database } = loadConfig(process.env, { standIns: { REDIS_URL: 'redis://not-asked' } })
  const applied = await migrateDatabase(database.url)
  for (const name of applied) console.log(`✓ ${name}`)
  console.log(applied.length === 0 ? 'The database is up to date' : `${applied.length} migration(s) applied`)
}

main().catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
})
