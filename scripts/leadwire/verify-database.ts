import { sql, type Kysely } from 'kysely'
import type { Db } from '#core/data/database.ts'
import {
  verifyBalances,
  verifyDeliveries,
  verifyDue,
  verifyEvents,
  verifyLateCredits,
  verifyLeads,
  verifyPartitions,
  verifySales,
  type Verified,
} from '#core/data/operations/verify-rows.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { explainFailure } from './explain-failure.ts'

interface Check {
  check: string
  rows: string
  ask: (db: Db) => Promise<Verified>
}

/** @param waited seconds after which waiting work counts as lost */
const listChecks = (waited: number): readonly Check[] => [
  { check: 'balances', rows: 'ledger entries: each balance is their sum', ask: verifyBalances },
  {
    check: 'sales',
    rows: 'assignments: each sale for money is in the ledger, with its price',
    ask: verifySales,
  },
  {
    check: 'late credits',
    rows: 'late leads: none is paid back more than its price',
    ask: verifyLateCredits,
  },
  { check: 'leads', rows: 'leads: each is held, sold, returned or ended', ask: verifyLeads },
  { check: 'deliveries', rows: 'deliveries: each has a known state', ask: verifyDeliveries },
  {
    check: 'due',
    rows: `waiting deliveries: none overdue for ${waited} s`,
    ask: (db) => verifyDue(db, waited),
  },
  {
    check: 'events',
    rows: `unplanned events: none given up, or waiting for ${waited} s`,
    ask: (db) => verifyEvents(db, CONSUMED_EVENTS, waited),
  },
  { check: 'partitions', rows: 'partitions of the log: none missing or misplaced', ask: verifyPartitions },
]

/** The findings of one check, and the time that it took. */
export interface Finding extends Verified {
  check: string
  /** what it looked at, in words */
  rows: string
  ms: number
  /** why it could not be answered; it then counts as wrong */
  failure?: string
}

/**
 * Runs every check, each in a read-only transaction of its own.
 * @param options.waited seconds after which waiting work counts as lost
 * @param options.limit seconds that one check may take
 */
export async function verifyDatabase(
  db: Kysely<Database>,
  { waited, limit }: { waited: number; limit: number },
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { check, rows, ask } of listChecks(waited)) {
    const began = performance.now()
    const found = await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql`select set_config('statement_timeout', ${`${limit}s`}, true)`.execute(trx)
        return await ask(trx)
      })
      .catch((error: unknown): Verified & { failure: string } => {
        // Without PostgreSQL the other checks would say the same.
        if (!isTimeout(error)) throw error
        return { looked: 0, wrong: 1, ids: [], failure: explainFailure(error).split('\n')[0] ?? '' }
      })
    findings.push({ check, rows, ...found, ms: Math.round(performance.now() - began) })
  }
  return findings
}

/** PostgreSQL's code for a statement that took too long. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014'

/** A line for each finding, and what was wrong. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const wrong = findings.filter((one) => one.wrong > 0).length
  const width = Math.max(...findings.map(({ looked }) => String(looked).length))
  return [
    ...findings.flatMap(({ looked, rows, wrong: odd, ids, ms, failure }) => [
      `${odd === 0 ? 'fine ' : 'WRONG'}  ${String(looked).padStart(width)} ${rows} (${ms} ms)`,
      ...(odd === 0 ? [] : [`       ${failure ?? `${odd} are wrong: ${ids.join(', ')}`}`]),
    ]),
    wrong === 0 ? 'Nothing is lost' : `${wrong} of ${findings.length} checks found something`,
  ]
}
