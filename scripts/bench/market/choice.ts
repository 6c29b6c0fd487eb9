import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startWorker } from '../../lab/start-product.ts'
import { cpuPerItem, readCpuTimes, type CpuTimes } from '../cpu.ts'
import type { BenchContext } from '../services.ts'
import { openHandOut } from './hand-out.ts'
import { plantChoice, plantChoosing } from './plant-choice.ts'

export interface ChoiceResult {
  orders: number
  leads: number
  /** leads decided a second by the worker's stage, while sold leads are planned in the same process */
  perSecond: number
  sold: number
  /** microseconds of processor time for one lead, by program */
  cpu: CpuTimes
  /** size of a decision in its table and TOAST */
  bytes: number
}

const WARM_UP = 2000

/** Measures how fast one worker decides with this many orders. */
export async function measureChoice(
  context: BenchContext,
  orders: number,
  leads: number,
): Promise<ChoiceResult> {
  const { db, env, manner } = context
  const type = `bench_${orders}`
  await sql`update orders set deleted_at = now()`.execute(db)
  await plantChoice(db, type, orders)
  const publisher = await openHandOut(context)
  const worker = await startWorker(env, manner)
  try {
    // Leads are inserted before the measurement, and begun at once.
    const decide = async (count: number, from: number): Promise<number> => {
      const planted = await plantChoosing(db, type, count, from)
      await sql`analyze leads, events, orders, order_tallies, profiles, client_accounts`.execute(db)
      const began = performance.now()
      await publisher.publish(planted, { mark: 'now' })
      await waitUntilDecided(context, type)
      return (performance.now() - began) / 1000
    }
    await decide(WARM_UP, 0)
    await sql`checkpoint`.execute(db)
    const sizeBefore = await readSize(context)
    const before = await readCpuTimes(context, { worker: worker.pid() })
    const seconds = await decide(leads, WARM_UP)
    // Sold leads are planned a moment later.
    await waitUntilPlanned(context)
    const after = await readCpuTimes(context, { worker: worker.pid() })
    const { rows } = await sql<{ sold: number }>`
      select count(*)::int as sold from leads where lead_type = ${type} and status = 'assigned'`.execute(db)
    const bytes = ((await readSize(context)) - sizeBefore) / leads
    const sold = Math.round(((rows[0]?.sold ?? 0) / (leads + WARM_UP)) * 100) / 100
    return { orders, leads, perSecond: leads / seconds, sold, cpu: cpuPerItem(before, after, leads), bytes }
  } finally {
    await worker.stop()
    await publisher.close()
  }
}

async function waitUntilDecided({ db }: BenchContext, type: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ open: boolean }>`
      select exists (select from leads where lead_type = ${type} and status = 'new') as open`.execute(db)
    if (rows[0]?.open !== true) return
    await sleep(25)
  }
}

async function waitUntilPlanned({ db }: BenchContext): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ open: boolean }>`
      select exists (select from events where planned_at is null and type = 'lead.assigned') as open`.execute(
      db,
    )
    if (rows[0]?.open !== true) return
    await sleep(100)
  }
}

async function readSize({ db }: BenchContext): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select pg_table_size('assignment_decisions')::float8 as size`.execute(db)
  return rows[0]?.size ?? Number.NaN
}
