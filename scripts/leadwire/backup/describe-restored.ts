import { describeFindings } from '../verify-database.ts'
import type { Restored } from './restore-backup.ts'

/** Whether a check found something, or a count differs from the manifest. */
export function isWrong({ differences, findings }: Restored): boolean {
  return differences.length > 0 || findings.some(({ wrong }) => wrong > 0)
}

export function describeRestored({ migrated, differences, findings, sums }: Restored): string[] {
  return [
    ...(migrated.length === 0 ? [] : [`${migrated.length} migrations were applied`]),
    differences.length === 0
      ? 'Counts and sums are those of the manifest'
      : 'Counts and sums DIFFER from the manifest:',
    ...differences.map(({ name, wanted, found }) => `  ${name}: ${found} instead of ${wanted}`),
    `Made anew: ${sums.hours} hours of the overview and ${sums.days} days of revenue; analytics' days when they are next read`,
    ...describeFindings(findings),
  ]
}
