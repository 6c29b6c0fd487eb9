import { migrateDatabase } from './migrate-database.ts'

const databaseUrl = process.env['DATABASE_URL']
if (databaseUrl === undefined || databaseUrl === '') {
  console.error('DATABASE_URL: is required (postgres://…); `npm start` brings its own')
  process.exit(1)
}
const applied = await migrateDatabase(databaseUrl)
for (const name of applied) console.log(`✓ ${name}`)
console.log(applied.length === 0 ? 'The database is up to date' : `${applied.length} migration(s) applied`)
