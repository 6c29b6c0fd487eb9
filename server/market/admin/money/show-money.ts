import type { z } from 'zod'
import {
  MOST_REVENUE_DAYS,
  type Balances,
  type Movement,
  type movementFilterSchema,
  type Revenue,
  type RevenueGroup,
} from '#core/contract/market/money/market-money.ts'
import { listAgedBalances, sumAgedBalances } from '#core/data/market/money/aged-balances.ts'
import { listMovements, type MovementFilter } from '#core/data/market/money/movements.ts'
import { listKeptDays } from '#core/data/market/money/revenue-days.ts'
import { addRevenue, countRevenue } from '#core/data/market/money/revenue.ts'
import type { Db } from '#core/data/database.ts'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { addDays, whenDateBegins } from '#core/domain/market/local-moment.ts'
import { AppError } from '#core/errors.ts'
import { readEntryCursor, writeEntryCursor } from '../../read-ledger.ts'

/** Balances that a page shows; the file has all. */
const SHOWN = 200

/** A page of all clients' entries, newest first. @throws AppError validation_failed */
export async function showMovements(
  db: Db,
  query: z.infer<typeof movementFilterSchema> & { limit: number; cursor?: string | undefined },
): Promise<{ data: Movement[]; next_cursor: string | null }> {
  const { limit, cursor } = query
  const beyond = readEntryCursor(cursor)
  const found = await listMovements(db, readFilter(query), { limit: limit + 1, beyond, order: 'newest' })
  const data = found.slice(0, limit)
  const last = found.length > limit ? data.at(-1) : undefined
  return { data, next_cursor: last === undefined ? null : writeEntryCursor(last.id) }
}

/** The filter of the ledger, with its days as moments. @throws AppError validation_failed */
export function readFilter({ client, type, from, to }: z.infer<typeof movementFilterSchema>): MovementFilter {
  if (from !== undefined && to !== undefined) refuseOrder(from, to)
  return {
    client,
    type,
    ...(from !== undefined && { begins: whenDateBegins(ADMINISTRATION_ZONE, from) }),
    ...(to !== undefined && { ends: whenDateBegins(ADMINISTRATION_ZONE, addDays(to, 1)) }),
  }
}

/** Shows what clients have paid and not spent, by its age. */
export async function showBalances(db: Db, now: Date): Promise<Balances> {
  const [sums, data] = await Promise.all([
    sumAgedBalances(db, now),
    listAgedBalances(db, now, { limit: SHOWN }),
  ])
  return { as_of: now.toISOString(), ...sums, data }
}

/** Sales less credits of some days, by group. @throws AppError validation_failed */
export async function showRevenue(
  db: Db,
  { by, from, to }: { by: RevenueGroup; from: string; to: string },
): Promise<Revenue> {
  refuseOrder(from, to)
  if (addDays(from, MOST_REVENUE_DAYS - 1) < to) throw refuse('to', `At most ${MOST_REVENUE_DAYS} days`)
  const zone = ADMINISTRATION_ZONE
  const days = await listKeptDays(db, { first: from, last: to })
  const counted = []
  for (const gap of listGaps({ from, to }, new Set(days))) {
    const span = { begins: whenDateBegins(zone, gap.from), ends: whenDateBegins(zone, addDays(gap.to, 1)) }
    counted.push(...(await countRevenue(db, by, { zone, ...span })))
  }
  const data = await addRevenue(db, by, { days, counted })
  return { timezone: zone, by, from, to, totals: addUp(data), data }
}

/** The days of a period that are not stored, as periods. */
function listGaps(
  { from, to }: { from: string; to: string },
  kept: ReadonlySet<string>,
): { from: string; to: string }[] {
  const gaps: { from: string; to: string }[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (kept.has(day)) continue
    const last = gaps.at(-1)
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day
    else gaps.push({ from: day, to: day })
  }
  return gaps
}

function addUp(rows: Revenue['data']): Revenue['totals'] {
  const count = (of: 'sold' | 'returned') => rows.reduce((sum, row) => sum + row[of], 0)
  const money = (of: 'sales' | 'credits' | 'revenue') =>
    formatCents(rows.reduce((sum, row) => sum + requireCents(row[of]), 0))
  return {
    sold: count('sold'),
    sales: money('sales'),
    returned: count('returned'),
    credits: money('credits'),
    revenue: money('revenue'),
  }
}

function refuseOrder(from: string, to: string): void {
  if (to < from) throw refuse('to', 'Must not be before the first day')
}

function refuse(path: string, message: string): AppError {
  return new AppError('validation_failed', message, { errors: [{ path, message }] })
}
