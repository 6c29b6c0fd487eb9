import { randomBytes } from 'node:crypto'
import { administer, databaseNamed, dropDatabase } from '#scripts/services/test-services.ts'
import { serviceVariable } from './services.ts'

export interface TestDatabase {
  url: string
  drop: () => Promise<void>
}

/** A migrated, empty database for one test file; `drop` also closes connections that are still open. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = serviceVariable('TEST_DATABASE_URL')
  const name = `leadwire_test_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name} template ${serviceVariable('TEST_TEMPLATE_DATABASE')}`)
  return { url: databaseNamed(server, name), drop: () => dropDatabase(server, name) }
}
