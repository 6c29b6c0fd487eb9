import { defineConfig } from 'vitest/config'

const withServices = {
  // A file's own modules are no purpose of ours, and loading them anew took a fifth of the time.
  isolate: false,
  globalSetup: ['tests/support/services/services.ts'],
  testTimeout: 60_000,
  hookTimeout: 90_000,
  // Real processes and services on two busy cores; a developer's run shows every stumble.
  retry: process.env['CI'] === undefined ? 0 : 1,
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'] } },
      { test: { name: 'pipeline', include: ['tests/pipeline/**/*.test.ts'], ...withServices } },
      { test: { name: 'http', include: ['tests/http/**/*.test.ts'], ...withServices } },
    ],
  },
})
