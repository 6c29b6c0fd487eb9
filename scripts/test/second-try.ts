import type { Tally } from './tally.ts'

/** Where tests of more files fail, the machine has not stumbled. */
const MOST_FILES = 5

/**
 * The files to run once more, whole and in a process of their own: a test that is only begun again finds what its first try has left in
 * the database. None where nothing failed, or something that belongs to no file, or too much.
 */
export function filesToTryAgain({ failures, files }: Tally): string[] {
  const known = new Set(files.map(({ name }) => name))
  const failed = [...new Set(failures.map(fileOf))]
  return failed.length <= MOST_FILES && failed.every((name) => known.has(name)) ? failed : []
}

/** Of those that failed at first, what did not fail again. */
export function neededSecondTry(first: Tally, second: Tally): string[] {
  const still = second.failures
  return first.failures.filter((failure) => !still.includes(failure) && !still.includes(fileOf(failure)))
}

function fileOf(failure: string): string {
  return failure.split(' > ')[0] ?? failure
}
