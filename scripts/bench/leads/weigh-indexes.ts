import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import { insertLeads, type LeadRow } from '#core/data/leads/receive-leads.ts'
import { insertSource } from '#core/data/leads/sources/sources.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { normaliseLead } from '#core/domain/leads/normalise-lead.ts'
import { median } from '../spread.ts'

/** Indexes that only lists and searches of leads need (docs/operations/indexes.md). */
const INDEXES = [
  'leads_listed',
  'leads_by_status',
  'leads_search_folded',
  'leads_unusual_folded',
  'leads_owned',
  'leads_test_assigned',
]
const PAIRS = 7
const BATCHES = 8
const BATCH = 50
const STATES = ['TX', 'CA', 'FL', 'NY', 'OH']

/**
 * The cost of storing a lead with the indexes of lists, relative to without them: in time, and in bytes of
 * write-ahead log.
 */
export interface IndexWeight {
  microseconds: { with: number; without: number; ratio: number }
  journalBytes: { with: number; without: number }
}

/** Measures in turns, each in a transaction that is rolled back, so that no index has to be rebuilt. */
export async function weighIndexes(db: Kysely<Database>, client: string): Promise<IndexWeight> {
  const { id: source } = await insertSource(db, {
    name: 'Example form',
    owner_user_id: client,
    auto_assign: true,
    api_key_hash: randomBytes(32),
    api_key_prefix: 'lw_src_',
    created_by: client,
  })
  const pairs: Array<{ with: Stored; without: Stored }> = []
  for (let turn = 0; turn <= PAIRS; turn += 1) {
    const pair = {
      with: await store(db, { client, source }, []),
      without: await store(db, { client, source }, INDEXES),
    }
    // The first turn only warms up.
    if (turn > 0) pairs.push(pair)
  }
  const of = (which: 'with' | 'without', what: 'microseconds' | 'bytes') =>
    median(pairs.map((pair) => pair[which][what]))
  return {
    microseconds: {
      with: of('with', 'microseconds'),
      without: of('without', 'microseconds'),
      ratio: median(pairs.map((pair) => pair.with.microseconds / pair.without.microseconds)),
    },
    journalBytes: { with: of('with', 'bytes'), without: of('without', 'bytes') },
  }
}

interface Stored {
  microseconds: number
  bytes: number
}

class TakenBack extends Error {
  override name = 'TakenBack'
}

async function store(
  db: Kysely<Database>,
  owner: { client: string; source: string },
  dropped: readonly string[],
): Promise<Stored> {
  const batches = Array.from({ length: BATCHES }, () => Array.from({ length: BATCH }, () => makeRow(owner)))
  let took = Number.NaN
  let bytes = Number.NaN
  const stored = db.transaction().execute(async (trx) => {
    for (const name of dropped) await sql`drop index ${sql.id(name)}`.execute(trx)
    const before = await journal(trx)
    const began = performance.now()
    for (const rows of batches) await insertLeads(trx, rows)
    took = performance.now() - began
    bytes = (await journal(trx)) - before
    throw new TakenBack()
  })
  await stored.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error
  })
  const leads = BATCHES * BATCH
  return { microseconds: (took * 1000) / leads, bytes: bytes / leads }
}

async function journal(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`.execute(db)
  return rows[0]?.bytes ?? Number.NaN
}

function makeRow({ client, source }: { client: string; source: string }): LeadRow {
  const number = randomInt(1e6)
  const given = leadIngestSchema.parse({
    lead_type: 'final_expense',
    name: `Kim Sample${number}`,
    email: `kim.sample${number}@example.com`,
    phone: `+1512555${String(number % 10_000).padStart(4, '0')}`,
    state: STATES[number % STATES.length],
  })
  const reading = normaliseLead(given, { custom: {}, utm: {} }, '2026-01-31')
  if (!reading.ok) throw new Error('the sample is not a lead')
  const keys = { external_id: randomUUIDv7(), idempotency_key: randomUUIDv7(), ingest_fingerprint: null }
  return { ...reading.lead, ...keys, id: randomUUIDv7(), user_id: client, source_id: source }
}
