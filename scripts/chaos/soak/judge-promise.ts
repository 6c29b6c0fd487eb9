import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Ground } from '../ground.ts'
import type { Ledger } from '../ledger.ts'
import type { Figure } from '../scenario.ts'
import type { Fault } from './break-deployment.ts'

/** An accepted lead's first attempt begins within this time … */
const PROMISE_MS = 5000
/** … for this share of them, outside the faults. */
const SHARE = 0.999
/** A fault's window: leads accepted a little before it, and those that wait for a lease of 25 s after it. */
const BEFORE_MS = 5000
const AFTER_MS = 30_000

/** From a lead's acceptance in the database until its first attempt was at the endpoint. */
export async function judgePromise(
  { db, folder }: Pick<Ground, 'db' | 'folder'>,
  ledger: Ledger,
  faults: readonly Fault[],
  figure: Figure,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; at: number }>`
    select id, extract(epoch from created_at)::float8 * 1000 as at from leads`.execute(db)
  const acceptedAt = new Map(rows.map(({ id, at }) => [id, at]))
  const leadOf = new Map(ledger.deliveries.map(({ id, leadId }) => [id, leadId]))
  const firstAt = new Map<string, number>()
  for (const { deliveryId, at } of ledger.receipts) {
    const lead = leadOf.get(deliveryId) ?? ''
    firstAt.set(lead, Math.min(firstAt.get(lead) ?? Infinity, at))
  }
  const waits = ledger.acks.map(({ leadId }) => {
    const at = acceptedAt.get(leadId) ?? Number.NaN
    const isInside = faults.some(({ from, until }) => at > from - BEFORE_MS && at < until + AFTER_MS)
    return { at, isInside, waitMs: (firstAt.get(leadId) ?? Infinity) - at }
  })
  await writeFile(path.join(folder, 'waits.json'), JSON.stringify(waits))
  const outside = waits.filter(({ isInside }) => !isInside).map(({ waitMs }) => waitMs)
  const inside = waits.filter(({ isInside }) => isInside).map(({ waitMs }) => waitMs)
  const all = waits.map(({ waitMs }) => waitMs)
  figure('began within 5 s, all', tell(all))
  figure('outside faults', tell(outside))
  figure('inside faults', tell(inside))
  const late = waits.filter(({ isInside, waitMs }) => !isInside && waitMs > PROMISE_MS)
  if (late.length > 0)
    figure(
      'late outside faults',
      countByMinute(
        late,
        rows.reduce((first, { at }) => Math.min(first, at), Infinity),
      ),
    )
  const share = shareOf(outside)
  // In a soak of a few minutes the windows leave nothing outside.
  return outside.length === 0 || share >= SHARE
    ? []
    : [`only ${(share * 100).toFixed(3)} % began within 5 s outside the faults`]
}

/** For example `2 in minute 7, 240 in minute 31`: what ran on the machine then may be the cause. */
export function countByMinute(waits: readonly { at: number }[], beganAt: number): string {
  const counts = Map.groupBy(waits, ({ at }) => Math.floor((at - beganAt) / 60_000))
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([minute, late]) => `${late.length} in minute ${minute}`)
    .join(', ')
}

function shareOf(waits: readonly number[]): number {
  return waits.filter((ms) => ms <= PROMISE_MS).length / waits.length
}

function tell(waits: readonly number[]): string {
  if (waits.length === 0) return 'no lead'
  const sorted = waits.toSorted((one, other) => one - other)
  const at = (share: number): string =>
    `${Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN)}`
  const percent = (shareOf(waits) * 100).toFixed(3)
  return `${percent} % of ${waits.length}, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)} ms`
}
