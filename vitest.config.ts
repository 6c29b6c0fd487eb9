import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test/longest-first.ts'

const withServices = {
  globalSetup: ['tests/support/services/services.ts'],
  testTimeout: 60_000,
  hookTimeout: 90_000,
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    // A file's own modules are no purpose of ours, and loading them anew took more than half of the unit tests' time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // Some start a script or try ten thousand cases, and the machine may be busy with everything else.
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
