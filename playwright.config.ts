import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM_PATH']

/**
 * These begin first: who waits half a minute for an endpoint that hangs, or looks at fifty pages, would be alone in the end; and what
 * administrators see lists everybody of the run, which is dear to look through once two hundred tests have signed up their clients.
 */
const FIRST =
  /mend-and-resend|delivery-logs|public-pages|first-hour|administer-market|import-leads|operations/

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/browser/e2e-setup.ts',
  // Or the longest file would be at work alone in the end. A file that starts a product for its tests keeps them together.
  fullyParallel: true,
  projects: [
    { name: 'first', testMatch: FIRST },
    { name: 'other', testIgnore: FIRST },
  ],
  // The longest wait most of their time, and two cores have work for two more.
  workers: 4,
  // A browser beside everything else on two busy cores; npm test names whatever needed its second try (docs/decisions/0022).
  retries: process.env['CI'] === undefined ? 0 : 1,
  // What is waited for has limits of its own, below; this one is for a machine three times slower than most.
  timeout: 240_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // What waits for something that does not come fails with its own words, and not with the test's.
    actionTimeout: 30_000,
    // Set by globalSetup; workers read this file after it.
    ...(process.env['E2E_URL'] === undefined ? {} : { baseURL: process.env['E2E_URL'] }),
    viewport: { width: 1280, height: 800 },
    // Sixty pictures of a second, painted without a graphics card, are dear; the main job's test sees things move.
    reducedMotion: 'reduce',
    // One browser process for all tests of a worker. Most share a page too (tests/support/browser/kept-page.ts).
    reuseContext: true,
    // Recording every test is dear on two cores; `--trace on` records the one that is looked into.
    trace: 'off',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
