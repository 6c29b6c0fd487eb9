import { copyTemplate, type CopiedDatabase } from '#scripts/services/test-services.ts'
import { givenServices } from './services.ts'

export type TestDatabase = CopiedDatabase

/** A migrated, empty database for one test file; `drop` also closes connections that are still open. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(givenServices())
}
