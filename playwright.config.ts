import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM_PATH']

/**
 * These files begin first. Long ones would otherwise run alone at the end. Administrators' screens list every account of the run,
 * so they are slow once two hundred tests have signed up their clients.
 */
const FIRST =
  /administer-places|administer-market|little-room|mend-and-resend|delivery-logs|public-pages|first-hour|import-leads|operations|app\/look/

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/browser/e2e-setup.ts',
  // Otherwise the longest file would run alone at the end. A file that starts its own product keeps its tests together.
  fullyParallel: true,
  projects: [
    { name: 'first', testMatch: FIRST },
    { name: 'other', testIgnore: FIRST },
  ],
  // The longest tests mostly wait, so two cores can run four workers.
  workers: 4,
  // Two busy cores run the browser beside everything else. npm test names each test that needed a second try (docs/decisions/0022).
  retries: process.env['CI'] === undefined ? 0 : 1,
  // Single waits have shorter limits, below. This one is for a machine three times slower than most.
  timeout: 240_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // An action that times out reports itself, before the whole test times out.
    actionTimeout: 30_000,
    // globalSetup sets E2E_URL; workers read this file afterwards.
    ...(process.env['E2E_URL'] === undefined ? {} : { baseURL: process.env['E2E_URL'] }),
    viewport: { width: 1280, height: 800 },
    // Animations are slow without a graphics card. The main job's test turns them on.
    reducedMotion: 'reduce',
    // One browser process for all tests of a worker. Most share a page too (tests/support/browser/kept-page.ts).
    reuseContext: true,
    // Recording every test is slow on two cores; `--trace on` records a single test.
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
