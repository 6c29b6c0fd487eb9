import type { AccountsResult } from './accounts.ts'
import { table, tellFigure } from './report.ts'
import type { Spread } from './spread.ts'

/** Milliseconds as a client waits. */
export function accountsTable(result: AccountsResult): string {
  const row = (name: string, count: number, perSecond: number, spread: Spread): string[] => [
    name,
    tellFigure(count),
    tellFigure(perSecond, 1),
    ...[spread.p50, spread.p95, spread.p99, spread.max].map((ms) => tellFigure(ms, 1)),
  ]
  return table([
    [`${result.people} people at once`, 'count', 'per s', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms'],
    row('sign in by password', result.signIns, result.signInsPerSecond, result.signIn),
    row('refresh a session', result.refreshes, result.refreshesPerSecond, result.refresh),
  ])
}
