/** The result of a part of the run. `failures` names what failed, for the list at the end. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
  failures: string[]
  /** The test files with their durations. */
  files: FileTime[]
}

export interface FileTime {
  name: string
  ms: number
}

export const passedOnce: Tally = { passed: 1, failed: 0, skipped: 0, failures: [], files: [] }

export function failedOnce(what: string): Tally {
  return { passed: 0, failed: 1, skipped: 0, failures: [what], files: [] }
}

export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
    skipped: tallies.reduce((total, { skipped }) => total + skipped, 0),
    failures: tallies.flatMap(({ failures }) => failures),
    files: tallies.flatMap(({ files }) => files),
  }
}

/**
 * A runner's report counts only as far as its exit status agrees: a runner that fails without naming a
 * failure has crashed, and one that ran nothing has tested nothing.
 */
export function judge(suite: string, report: Tally | undefined, exitCode: number): Tally {
  if (report === undefined)
    return failedOnce(`${suite}: the runner ended with status ${exitCode} and no report`)
  const crash =
    exitCode !== 0 && report.failed === 0
      ? failedOnce(`${suite}: the runner ended with status ${exitCode}`)
      : undefined
  const empty =
    report.passed + report.failed + report.skipped === 0
      ? failedOnce(`${suite}: no tests were found`)
      : undefined
  const extra = crash ?? empty
  return extra === undefined ? report : sum([report, extra])
}

/** The files that took longest, the slowest first. */
export function slowest(files: readonly FileTime[], count: number): FileTime[] {
  return files.toSorted((a, b) => b.ms - a.ms).slice(0, count)
}

/** The last line of `npm test` (docs/contract.md §1). */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
