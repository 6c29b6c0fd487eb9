import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { validatePassword } from '#core/domain/accounts/validate-password.ts'
import { makePassword } from '#scripts/start/keep-secrets.ts'
import { LONG_FILES } from '#scripts/test/long-files.ts'
import { openParts } from '#scripts/test/parts.ts'
import { readPlaywrightReport, readVitestReport } from '#scripts/test/read-reports.ts'
import { filesToTryAgain, neededSecondTry } from '#scripts/test/second-try.ts'
import { judge, lastLine, passedOnce, slowest, sum } from '#scripts/test/tally.ts'

const green = { passed: 3, failed: 0, skipped: 1, failures: [], files: [] }

test('a run whose report and exit status agree is counted as the report says', () => {
  expect(judge('unit', green, 0)).toEqual(green)
})

test('a runner that crashes after a green report counts as a failure', () => {
  expect(judge('unit', green, 1)).toMatchObject({ passed: 3, failed: 1 })
})

test('a runner without a report counts as failed, even with exit status 0', () => {
  expect(judge('unit', undefined, 0)).toMatchObject({ passed: 0, failed: 1 })
})

test('a suite in which no test was found counts as a failure', () => {
  expect(judge('unit', sum([]), 0)).toMatchObject({ failed: 1 })
})

test('the last line names skipped tests only if there are any', () => {
  expect(lastLine(sum([green, green]))).toBe('6 passed, 0 failed, 2 skipped')
  expect(lastLine({ ...green, skipped: 0 })).toBe('3 passed, 0 failed')
})

test('the slowest files of all suites are listed first', () => {
  const times = (...ms: number[]) => ms.map((one) => ({ name: `tests/${one}.test.ts`, ms: one }))
  const total = sum([
    { ...green, files: times(20, 400) },
    { ...green, files: times(300, 10) },
  ])
  expect(slowest(total.files, 3).map(({ ms }) => ms)).toEqual([400, 300, 20])
})

test('each file that begins first because it is long exists', () => {
  expect(LONG_FILES.filter((name) => !existsSync(`tests/${name}.test.ts`))).toEqual([])
})

test('a part that throws is one failure, and all other parts still run', async () => {
  const parts = openParts(() => undefined)
  await Promise.all([
    parts.run('broken', () => Promise.reject(new Error('it is raining'))),
    parts.run('whole', () => Promise.resolve(passedOnce)),
  ])
  await parts.run('later', () => Promise.resolve(passedOnce))
  expect(parts.total()).toMatchObject({ passed: 2, failed: 1, failures: ['broken: it is raining'] })
  expect(parts.times().map(({ name }) => name)).toEqual(['broken', 'whole', 'later'])
  expect(parts.atWork()).toEqual([])
})

async function reportFile(report: object): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'report.json')
  await writeFile(file, JSON.stringify(report))
  return file
}

test('Vitest’s report gives each file’s time, and the failed and broken files', async () => {
  const times = { startTime: 1_000, endTime: 3_500 }
  const here = (name: string) => path.resolve('tests/unit', name)
  const tests = [
    { fullName: 'is fine', status: 'passed' },
    { fullName: 'is not', status: 'failed' },
    { fullName: 'waits', status: 'pending' },
  ]
  const file = await reportFile({
    testResults: [
      { name: here('a.test.ts'), status: 'failed', ...times, assertionResults: tests },
      { name: here('b.test.ts'), status: 'failed', ...times, assertionResults: [] },
    ],
  })
  expect(await readVitestReport(file)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: ['tests/unit/a.test.ts > is not', 'tests/unit/b.test.ts'],
    files: [
      { name: 'tests/unit/a.test.ts', ms: 2_500 },
      { name: 'tests/unit/b.test.ts', ms: 2_500 },
    ],
  })
})

test('files with failed tests are run again, and the second result replaces the first', async () => {
  const file = (name: string, ...statuses: string[]) => ({
    name: path.resolve(name),
    status: statuses.includes('failed') ? 'failed' : 'passed',
    startTime: 0,
    endTime: 1,
    assertionResults: statuses.map((status, index) => ({ fullName: `case ${index}`, status })),
  })
  const report = await reportFile({
    testResults: [
      file('a.test.ts', 'passed', 'failed'),
      file('b.test.ts', 'passed'),
      file('c.test.ts', 'failed'),
    ],
  })
  const first = (await readVitestReport(report)) ?? sum([])
  const again = filesToTryAgain(first)
  expect(again).toEqual(['a.test.ts', 'c.test.ts'])
  const second = await readVitestReport(
    await reportFile({ testResults: [file('a.test.ts', 'passed', 'passed'), file('c.test.ts', 'failed')] }),
  )
  expect(neededSecondTry(first, second ?? sum([]))).toEqual(['a.test.ts > case 1'])
  const rest = await readVitestReport(report, again)
  expect(sum([rest ?? sum([]), second ?? sum([])])).toMatchObject({
    passed: 3,
    failed: 1,
    failures: ['c.test.ts > case 0'],
  })
})

test('no file is run again if nothing failed, a runner crashed, or half of the tests failed', () => {
  const files = Array.from({ length: 6 }, (_, index) => ({ name: `${index}.test.ts`, ms: 1 }))
  const failures = files.map(({ name }) => `${name} > fails`)
  expect(filesToTryAgain({ ...green, files })).toEqual([])
  expect(filesToTryAgain(judge('unit', { ...green, files }, 1))).toEqual([])
  expect(filesToTryAgain({ ...green, files, failed: 6, failures })).toEqual([])
  expect(filesToTryAgain({ ...green, files, failed: 5, failures: failures.slice(1) })).toHaveLength(5)
})

test('the time of a file in Playwright’s report is the sum of its tests, however they are nested', async () => {
  const spec = (title: string, status: string, ...durations: number[]) => ({
    title,
    tests: [{ status, results: durations.map((duration) => ({ duration })) }],
  })
  const file = await reportFile({
    suites: [
      {
        title: 'leads/leads.spec.ts',
        specs: [spec('opens', 'expected', 700)],
        suites: [{ title: 'a lead', specs: [spec('closes', 'unexpected', 200, 100)] }],
      },
    ],
    errors: [],
  })
  expect(await readPlaywrightReport(file)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ['leads/leads.spec.ts > a lead > closes'],
    files: [{ name: 'tests/e2e/leads/leads.spec.ts', ms: 1_000 }],
  })
})

test('generated demo passwords keep the rules for passwords', () => {
  const passwords = Array.from({ length: 500 }, makePassword)
  expect(passwords.flatMap(validatePassword)).toEqual([])
  expect(new Set(passwords).size).toBe(500)
})
