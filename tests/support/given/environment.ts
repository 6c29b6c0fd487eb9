import { createEnvironment, type LabEnvironment } from '#scripts/lab/create-environment.ts'
import { BRIEF_EVEN_TIME, CHEAP_PASSWORDS } from '#scripts/lab/open-accounts.ts'
import { givenServices } from '../services/services.ts'

/**
 * Creates a new environment; `overrides` are further variables of docs/contract.md §2 (retry schedule,
 * another REDIS_URL, …).
 */
export function createTestEnvironment(overrides: Record<string, string> = {}): Promise<LabEnvironment> {
  return createEnvironment(givenServices(), {
    ...CHEAP_PASSWORDS,
    ...BRIEF_EVEN_TIME,
    // recovery.test.ts keeps the production pace.
    HOUSEKEEPING_PACE: '4',
    WEBHOOK_RETRY_JITTER: '0',
    // However little is free where the tests run; stage-bytes.test.ts fills a disk.
    FILES_RESERVE_MB: '0',
    ...overrides,
  })
}
