import { blocksWriters } from './effect.ts'
import type { PlannedEffect, PlannedMigration } from './plan-migrations.ts'
import { LOCK_TIMEOUT_MS } from './without-queueing.ts'

/** A plan in lines for a person: each missing migration with what it does to tables that exist. */
export function printPlan(plans: readonly PlannedMigration[]): string[] {
  if (plans.length === 0) return ['The database is up to date']
  const lines = plans.flatMap(({ name, isOutsideTransaction, effects, unjudged }) => [
    `${name}${isOutsideTransaction ? ' (outside a transaction)' : ''}`,
    ...new Set(effects.map((effect) => `  ${printEffect(effect)}`)),
    ...unjudged.map((what) => `  not foreseen: ${what}`),
    ...(effects.length + unjudged.length === 0 ? ['  changes no existing table'] : []),
  ])
  const stops = plans.flatMap(({ effects }) => effects).filter(({ lock }) => blocksWriters(lock))
  const longest = Math.max(0, ...stops.map(({ seconds }) => seconds))
  return [
    ...lines,
    '',
    `${plans.length} migration(s). Writers of one table wait ${longest === 0 ? 'for an instant' : inTime(longest)} at most. For a lock, a transaction waits ${LOCK_TIMEOUT_MS} ms; then it lets others pass and tries again.`,
    'Times are reckoned from the number of rows and two cores. Nothing was changed.',
  ]
}

function printEffect({ table, rows, lock, work, change, seconds, takesAway }: PlannedEffect): string {
  const size = `${table} (${Math.round(rows).toLocaleString('en-US')} rows)`
  const time =
    work === 'instant' ? 'instant' : `${work}, ${inTime(seconds)}${work === 'changes rows' ? ' at most' : ''}`
  const stop = blocksWriters(lock) ? ', stops writers' : ''
  return `${size}: ${change}. Lock ${lock}${stop}; ${time}${takesAway === true ? '; takes away what older processes may use' : ''}`
}

function inTime(seconds: number): string {
  if (seconds < 1) return 'under 1 s'
  return seconds < 120 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`
}
