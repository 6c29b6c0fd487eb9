import { copyTemplate, type CopiedDatabase } from '#scripts/services/test-services.ts'
import { givenServices } from './services.ts'

export type TestDatabase = CopiedDatabase

/** Creates a migrated, empty database for one test file; `drop` also closes open connections. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(givenServices())
}
