import type { Tally } from './tally.ts'

/** Above this number of failed files, the cause is no hiccup of the machine. */
const MOST_FILES = 5

/**
 * The files to run once more, whole and in a new process: a test repeated alone would find the database as
 * its first try left it. None if nothing failed, if a failure belongs to no file, or if there are too many.
 */
export function filesToTryAgain({ failures, files }: Tally): string[] {
  const known = new Set(files.map(({ name }) => name))
  const failed = [...new Set(failures.map(fileOf))]
  return failed.length <= MOST_FILES && failed.every((name) => known.has(name)) ? failed : []
}

/** The failures of the first run that did not repeat. */
export function neededSecondTry(first: Tally, second: Tally): string[] {
  const still = second.failures
  return first.failures.filter((failure) => !still.includes(failure) && !still.includes(fileOf(failure)))
}

function fileOf(failure: string): string {
  return failure.split(' > ')[0] ?? failure
}
