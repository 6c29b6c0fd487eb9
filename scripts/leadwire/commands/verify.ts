import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import {
  verifyBalances,
  verifyDeliveries,
  verifyDue,
  verifyEvents,
  verifyLeads,
  verifyPartitions,
  verifySales,
  type Verified,
} from '#core/data/operations/verify-rows.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { defineCommand, type Answer } from '../command.ts'
import { explainFailure } from '../explain-failure.ts'
import { WITHOUT_REDIS } from '../open-services.ts'
import { readSeconds } from '../read-seconds.ts'

interface Check {
  check: string
  rows: string
  ask: (db: Db) => Promise<Verified>
}

/** @param waited seconds after which waiting work counts as lost */
const listChecks = (waited: number): readonly Check[] => [
  { check: 'balances', rows: 'ledger entries: each balance is their sum', ask: verifyBalances },
  { check: 'sales', rows: 'assignments: each sale for money is in the ledger', ask: verifySales },
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

type Finding = { check: string; looked: number; wrong: number; ids: string[]; ms: number; failure?: string }

export const verify = defineCommand({
  usage: '',
  about: [
    'Checks that nothing is lost: every balance is the sum of its ledger, every sale for money is in it, every lead and delivery is in a known state, no delivery or event waits for too long, and the log has its partitions. Each line says how many rows were looked at.',
    'Read-only, in one read-only transaction for each check; writers do not wait for it. Four checks read whole tables: 3 s for 400,000 deliveries of 100,000 leads on a busy machine, so reckon with a minute or two for ten million; --limit ends a check that takes longer, and it then counts as wrong. For cron: the exit code is 1 if a check found something.',
  ],
  flags: {
    waited: { type: 'string', value: 'N', help: 'seconds that due work may wait; 600 if left out' },
    limit: { type: 'string', value: 'N', help: 'seconds that one check may take; 600 if left out' },
  },
  run: async ({ values, services }) => {
    const waited = readSeconds('waited', values.waited, 600)
    const limit = readSeconds('limit', values.limit, 600)
    const db = await services.database({ needs: WITHOUT_REDIS, slow: true })
    const findings: Finding[] = []
    for (const { check, ask } of listChecks(waited)) {
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
      findings.push({ check, ...found, ms: Math.round(performance.now() - began) })
    }
    return judge(findings, listChecks(waited))
  },
})

/** PostgreSQL's code for a statement that took too long. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014'

function judge(findings: readonly Finding[], checks: readonly Check[]): Answer {
  const wrong = findings.filter((one) => one.wrong > 0).length
  const width = Math.max(...findings.map(({ looked }) => String(looked).length))
  return {
    isWrong: wrong > 0,
    data: { wrong, checks: findings },
    lines: [
      ...findings.flatMap(({ looked, wrong: odd, ids, ms, failure }, index) => [
        `${odd === 0 ? 'fine ' : 'WRONG'}  ${String(looked).padStart(width)} ${checks[index]?.rows ?? ''} (${ms} ms)`,
        ...(odd === 0 ? [] : [`       ${failure ?? `${odd} are wrong: ${ids.join(', ')}`}`]),
      ]),
      wrong === 0 ? 'Nothing is lost' : `${wrong} of ${findings.length} checks found something`,
    ],
  }
}
