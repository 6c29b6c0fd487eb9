import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { findMissingMigrations } from '#core/migrations.ts'
import {
  findNewestMigration,
  migrateDatabase,
  undoNewestMigration,
  withMigrationDatabase,
} from './migrate-database.ts'
import { planMigrations } from './migrations/plan-migrations.ts'
import { printPlan } from './migrations/print-plan.ts'

const HELP = `npm run migrate              brings the database to this version's schema
npm run migrate -- --plan    prints what that locks, and for how long; changes nothing
npm run migrate -- --down    prints what undoing the newest migration takes away
npm run migrate -- --down --yes    undoes it`

/** `npm run migrate`. */
async function main(): Promise<void> {
  const values = readOptions()
  if (values.help === true) return console.log(HELP)
  const { database } = loadConfig(process.env, { standIns: { REDIS_URL: 'redis://not-asked' } })
  if (values.down === true) return await undo(database.directUrl, values.yes === true)
  if (values.plan === true) return await plan(database.directUrl)
  const applied = await migrateDatabase(database.directUrl)
  for (const name of applied) console.log(`✓ ${name}`)
  console.log(applied.length === 0 ? 'The database is up to date' : `${applied.length} migration(s) applied`)
}

function readOptions() {
  const option = { type: 'boolean' } as const
  try {
    return parseArgs({ options: { plan: option, down: option, yes: option, help: option } }).values
  } catch (error) {
    console.error(`${String(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

async function plan(url: string): Promise<void> {
  const plans = await withMigrationDatabase(url, async (db) =>
    planMigrations(db, await findMissingMigrations(db)),
  )
  for (const line of printPlan(plans)) console.log(line)
}

async function undo(url: string, isSure: boolean): Promise<void> {
  await withMigrationDatabase(url, async (db) => {
    const name = await findNewestMigration(db)
    if (name === undefined) return console.log('The database has no migration')
    if (isSure) return console.log(`✓ ${await undoNewestMigration(db)} undone`)
    for (const line of printPlan(await planMigrations(db, [name], 'down'))) console.log(line)
    console.log(`To undo ${name}, stop every process of its version and add --yes`)
  })
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
