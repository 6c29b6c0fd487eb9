import type { Movement, Revenue } from '#core/contract/market/money/market-money.ts'
import { listAgedBalances } from '#core/data/market/money/aged-balances.ts'
import type { Db } from '#core/data/database.ts'
import { listMovements, type MovementFilter } from '#core/data/market/money/movements.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'

/** Rows of a file that are in memory at the same time. */
const PIECE = 1000

/** The ledger of all clients as CSV, newest first, read at the reader's speed. */
export async function* writeMovements(db: Db, filter: MovementFilter): AsyncGenerator<string> {
  yield writeCsvRow(['Date', 'Client', 'Client id', 'Type', 'Amount', 'Balance', 'Lead', 'Note', 'Entry'])
  let beyond: string | undefined
  for (;;) {
    const found = await listMovements(db, filter, { limit: PIECE, beyond, order: 'newest' })
    if (found.length > 0) yield found.map((entry) => writeCsvRow(cellsOf(entry))).join('')
    if (found.length < PIECE) return
    beyond = found.at(-1)?.id
  }
}

function cellsOf(entry: Movement): (string | null)[] {
  const { created_at, client, entry_type, amount, balance_after, lead_id, note, id } = entry
  return [created_at, client.name, client.user_id, entry_type, amount, balance_after, lead_id, note, id]
}

/** All balances as CSV, the largest first. */
export async function* writeBalances(db: Db, now: Date): AsyncGenerator<string> {
  yield writeCsvRow(['Client', 'Client id', 'Balance', '0–30 days', '31–60 days', '61–90 days', 'Older'])
  for (let offset = 0; ; offset += PIECE) {
    const found = await listAgedBalances(db, now, { limit: PIECE, offset })
    if (found.length > 0)
      yield found
        .map(({ client, balance, days_30, days_60, days_90, older }) =>
          writeCsvRow([client.name, client.user_id, balance, days_30, days_60, days_90, older]),
        )
        .join('')
    if (found.length < PIECE) return
  }
}

/** A report of the revenue as CSV. */
export async function* writeRevenue({ by, data }: Revenue): AsyncGenerator<string> {
  yield writeCsvRow([HEADINGS[by], 'Id', 'Sold', 'Sales', 'Returned', 'Credits', 'Revenue'])
  for (const { label, key, sold, sales, returned, credits, revenue } of data)
    yield writeCsvRow([label, key, String(sold), sales, String(returned), credits, revenue])
  await Promise.resolve()
}

const HEADINGS: Readonly<Record<Revenue['by'], string>> = {
  day: 'Day',
  lead_type: 'Lead type',
  state: 'State',
  client: 'Client',
  source: 'Source',
}
