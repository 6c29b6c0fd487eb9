import type { Outcome } from './run-page.ts'

/** Says how many blocks there were, how many were run or checked, and which were left out and why. */
export function countOutcomes(outcomes: readonly Outcome[]): string {
  const skipped = outcomes.filter((outcome) => outcome.skipped !== undefined)
  const run = outcomes.filter(
    ({ sample: { words }, skipped: reason }) =>
      reason === undefined && (words.has('run') || words.has('background')),
  )
  const json = outcomes.filter(({ sample }) => sample.language === 'json')
  const pages = new Set(outcomes.map(({ sample }) => sample.page))
  return [
    `Documentation: ${outcomes.length} blocks on ${pages.size} pages: ${run.length} samples run, ${skipped.length} skipped; ${json.length} JSON examples judged by their schemas`,
    ...skipped.map(
      ({ sample, skipped: reason }) => `  skipped ${sample.page}, ${sample.language}: ${reason ?? ''}`,
    ),
  ].join('\n')
}
