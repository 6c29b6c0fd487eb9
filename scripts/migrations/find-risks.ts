import { blocksWriters, type Effect, type Judgement } from './effect.ts'
import type { MigrationModule } from './list-migrations.ts'

/** Tables that grow with each lead, attempt or act: a statement that reads one whole takes minutes. */
export const LARGE_TABLES: ReadonlySet<string> = new Set([
  'assignment_decisions',
  'auth.audit_log',
  'balance_ledger',
  'events',
  'lead_assignments',
  'lead_import_rows',
  'leads',
  'mails',
  'removed_outcomes',
  'webhook_deliveries',
  'webhook_delivery_log_bodies',
  'webhook_delivery_logs',
])

/**
 * Says why a migration could stop leads, or break processes of the previous version, which run beside it
 * (docs/operations/upgrades.md). None is the only good answer.
 */
export function findRisks(
  {
    isOutsideTransaction = false,
    unusedSince,
  }: Pick<MigrationModule, 'isOutsideTransaction' | 'unusedSince'>,
  judgements: readonly Judgement[],
): string[] {
  const unjudged = judgements.flatMap(({ unjudged: what }) =>
    what === undefined ? [] : [`runs ${what}, whose locks nobody can foresee: write its statements out`],
  )
  const effects = judgements.flatMap((judgement) => judgement.effects)
  return [
    ...unjudged,
    ...effects.flatMap((effect) => findTakenAway(effect, unusedSince)),
    ...effects
      .filter(({ table }) => LARGE_TABLES.has(table))
      .flatMap((effect) => findStop(effect, isOutsideTransaction)),
  ]
}

function findTakenAway({ table, change, takesAway }: Effect, unusedSince: string | undefined): string[] {
  if (takesAway !== true || unusedSince !== undefined) return []
  return [
    `${table}: ${change}: the previous version may use it; expand first, and take it away in a later release with \`export const unusedSince\``,
  ]
}

function findStop({ table, lock, work, change }: Effect, isOutsideTransaction: boolean): string[] {
  const what = `${table}: ${change}`
  if (work === 'writes all rows anew')
    return [`${what}: writes the whole table anew; add a new column and fill it in pieces`]
  if (work === 'changes rows')
    return [`${what}: changes rows of a large table in one statement; let a chore do it in pieces`]
  if (!blocksWriters(lock)) return []
  if (work === 'builds an index')
    return [`${what}: stops writers; build it concurrently, outside a transaction`]
  if (work === 'reads all rows')
    return [
      `${what}: reads the whole table under a lock; add the check as \`not valid\` and validate it in a later migration`,
    ]
  return isOutsideTransaction
    ? [
        `${what}: takes the lock ${lock} outside a transaction, where no lock_timeout holds; move it to a migration of its own`,
      ]
    : []
}
