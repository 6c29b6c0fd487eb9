import type { LeadRow } from '#core/data/leads/receive-leads.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import type { Keyring } from '#core/secrets/keyring.ts'
import type { Opened } from '#core/closing.ts'
import { createBatcher, type GatheringPace } from '#core/concurrency/batch.ts'
import type { Config } from '#core/config/config.ts'
import { openRateLimits, type RateLimits } from '../http/rate-limits.ts'
import type { Stores } from '../open-stores.ts'
import { openIngestRates, type IngestRates } from './ingest-rates.ts'
import { storeLead, storeTogether, type Stored } from './store-leads.ts'

/**
 * From two hundred leads a second on, a statement waits for more leads: a statement costs more than a further
 * row in one.
 */
const PACE: GatheringPace = { apartMs: 10, enough: 12, busy: { items: 16, withinMs: 80 } }
/** One statement is written while the commit of the other is flushed to disk. */
const PARALLEL = 2
const MOST_TOGETHER = 50
/** Test leads in a minute for all links to one source's posting specification together. */
const SPEC_TESTS = 10

/** In a minute: outcomes for one lead from one webhook, and refused addresses from one network. */
const OUTCOME_RATES = {
  outcome: { points: 30, seconds: 60 },
  outcome_refused: { points: 60, seconds: 60 },
}

/** The ingest part of the context: receiving leads from sources. */
export interface IngestPart {
  /** sign links to posting specifications */
  specKeys: PurposeKeys
  /** make the API keys of sources */
  sourceKeyKeys: PurposeKeys
  /** limit of the leads that a source may post in a minute */
  ingestRates: IngestRates
  /** verify addresses for outcomes */
  outcomeKeys: PurposeKeys
  /** limits in a minute: outcomes for a lead, and refused addresses of a network */
  outcomeRates: RateLimits<'outcome' | 'outcome_refused'>
  /** limit of the test leads from links to a posting specification */
  specRates: RateLimits<'spec_test'>
  /**
   * Stores a lead together with those of other requests; it is committed when this returns. A lead that the
   * database refuses fails alone.
   */
  storeGathered: (row: LeadRow) => Promise<Stored>
}

export function openIngest(
  { config: { ingestRate }, keyring }: { config: Pick<Config, 'ingestRate'>; keyring: Keyring },
  { db, dbByKey, counting }: Stores,
): Opened<IngestPart> {
  const gathering = createBatcher<LeadRow, { stored: Stored } | 'alone'>({
    maxSize: MOST_TOGETHER,
    parallel: PARALLEL,
    pace: PACE,
    flush: async (rows) => {
      const stored = await storeTogether(dbByKey, rows)
      return rows.map((_row, index) => (stored === undefined ? 'alone' : { stored: stored[index] }))
    },
  })
  return {
    part: {
      specKeys: keyring.keysFor('posting_specs'),
      sourceKeyKeys: keyring.keysFor('source_keys'),
      ingestRates: openIngestRates(ingestRate, counting),
      specRates: openRateLimits({ spec_test: { points: SPEC_TESTS, seconds: 60 } }, counting),
      outcomeKeys: keyring.keysFor('outcomes'),
      outcomeRates: openRateLimits(OUTCOME_RATES, counting),
      storeGathered: async (row) => {
        const gathered = await gathering.add(row)
        // Statements that may wait for a lock run on connections that no other lead needs.
        return gathered === 'alone' ? await storeLead(db, row) : gathered.stored
      },
    },
    close: () => gathering.drain(),
  }
}
