import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test/longest-first.ts'

const withServices = {
  globalSetup: ['tests/support/services/services.ts'],
  testTimeout: 60_000,
  hookTimeout: 90_000,
}

/** Tests of times, bytes, floats, plans and locks; `npm run test:foreign` runs them again with unusual session defaults. */
const ELSEWHERE = [
  'tests/http/leads/receive/receive-lead.test.ts',
  'tests/pipeline/data/binary-arrays.test.ts',
  'tests/pipeline/data/claimed-lead.test.ts',
  'tests/pipeline/data/claims-in-line.test.ts',
  'tests/pipeline/data/plan-of-ingest.test.ts',
  'tests/pipeline/data/plans-of-polls.test.ts',
  'tests/pipeline/market/sale/assign-leads.test.ts',
  'tests/pipeline/plan/journey.test.ts',
  'tests/pipeline/send/claims.test.ts',
]
const foreign = {
  extends: true as const,
  test: {
    name: 'foreign',
    include: ELSEWHERE,
    ...withServices,
    globalSetup: ['tests/support/services/foreign-services.ts'],
  },
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    // No test needs modules of its own, and loading them for each file takes more than half of the unit tests' time.
    isolate: false,
    // Node strips types itself and keeps what it compiles; Vite would transform each module again in every run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // If one run had the same files twice, both would use the same services.
    projects:
      process.env['TEST_FOREIGN'] === '1'
        ? [foreign]
        : [
            {
              extends: true,
              // Some tests start a script or try ten thousand cases, and the machine may be busy.
              test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'], testTimeout: 120_000 },
            },
            {
              extends: true,
              test: { name: 'pipeline', include: ['tests/pipeline/**/*.test.ts'], ...withServices },
            },
            { extends: true, test: { name: 'http', include: ['tests/http/**/*.test.ts'], ...withServices } },
          ],
  },
})
