import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Tally } from './tally.ts'

interface VitestReport {
  testResults: {
    name: string
    status: string
    /** Milliseconds since 1970. */
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string }[]
  }[]
}

/**
 * Vitest's JSON report; a file that could not be loaded counts as one failure. Undefined if there is none.
 * @param without these test files
 */
export async function readVitestReport(
  file: string,
  without: readonly string[] = [],
): Promise<Tally | undefined> {
  const report = await readJson<VitestReport>(file)
  if (report === undefined) return undefined
  const results = report.testResults
    .map((result) => ({ ...result, name: path.relative(process.cwd(), result.name) }))
    .filter(({ name }) => !without.includes(name))
  const tests = results.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ title: `${name} > ${fullName}`, status })),
  )
  const failedTests = tests.filter(({ status }) => status === 'failed').map(({ title }) => title)
  const brokenFiles = results
    .filter(
      (result) =>
        result.status === 'failed' && result.assertionResults.every(({ status }) => status !== 'failed'),
    )
    .map(({ name }) => name)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failures = [...failedTests, ...brokenFiles]
  const files = results.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
  const skipped = tests.length - passed - failedTests.length
  return { passed, failed: failures.length, skipped, failures, files }
}

/** Playwright names files relative to its testDir. */
const E2E_FOLDER = 'tests/e2e'

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { status: string; results: { duration: number }[] }[] }[]
}

interface PlaywrightReport {
  suites: PlaywrightSuite[]
  errors: { message?: string }[]
}

/**
 * Playwright's JSON report; a test that needed a second try (CI only) passes and is named. Undefined if there
 * is none.
 */
export async function readPlaywrightReport(file: string): Promise<Tally | undefined> {
  const report = await readJson<PlaywrightReport>(file)
  if (report === undefined) return undefined
  const tests = report.suites.flatMap((suite) => testsOf(suite, ''))
  const failures = tests.filter(({ status }) => status === 'unexpected').map(({ title }) => title)
  for (const { title } of tests.filter(({ status }) => status === 'flaky')) {
    console.log(`  needed a second try: ${title}`)
  }
  const skipped = tests.filter(({ status }) => status === 'skipped').length
  const errors = report.errors.map(
    ({ message }) => `e2e: ${(message ?? 'error outside of tests').split('\n')[0] ?? ''}`,
  )
  return {
    passed: tests.length - failures.length - skipped,
    failed: failures.length + errors.length,
    skipped,
    failures: [...failures, ...errors],
    files: report.suites.map((suite) => ({
      name: `${E2E_FOLDER}/${suite.title}`,
      ms: durationOf(suite),
    })),
  }
}

/** Playwright's suites have no duration: this is the sum of their tests, over all workers. */
function durationOf(suite: PlaywrightSuite): number {
  const tests = (suite.specs ?? []).flatMap(({ tests }) => tests)
  const own = tests.flatMap(({ results }) => results).reduce((total, { duration }) => total + duration, 0)
  return (suite.suites ?? []).reduce((total, inner) => total + durationOf(inner), own)
}

function testsOf(suite: PlaywrightSuite, parent: string): { title: string; status: string }[] {
  const place = parent === '' ? suite.title : `${parent} > ${suite.title}`
  const own = (suite.specs ?? []).flatMap(({ title, tests }) =>
    tests.map(({ status }) => ({ title: `${place} > ${title}`, status })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, place))]
}

async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
