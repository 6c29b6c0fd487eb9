import type { Feed, FeedDay, FeedEntry } from '#core/contract/leads/feed.ts'
import type { Db } from '#core/data/database.ts'
import {
  listFeed,
  readFeedSpan,
  readLastNumber,
  settleFeed,
  type StoredFeedEntry,
} from '#core/data/leads/feed.ts'
import { readClaimedLead } from '#core/data/webhooks/deliveries/claimed-lead.ts'
import { leadValues } from '#core/domain/leads/lead-values.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { StoredDataError } from '#core/read-stored.ts'
import type { ServerContext } from '../context.ts'

const DAY_MS = 24 * 3600 * 1000
/** The hash before the first entry. */
const NO_HASH = '0'.repeat(64)
/** Placeholders whose values belong to one delivery. */
const OF_DELIVERIES = new Set(PLACEHOLDERS.flatMap(({ name, group }) => (group === 'Delivery' ? name : [])))

/** Entries of a client's feed after a number, each with its lead as a webhook gets it. */
export async function showFeed(
  { db, logger, inSlices }: Pick<ServerContext, 'db' | 'logger' | 'inSlices'>,
  client: string,
  page: { after: number; limit: number },
): Promise<Feed> {
  const last = await readLastNumber(db, client)
  const entries = await listFeed(db, client, page)
  const now = new Date()
  const show = async (entry: StoredFeedEntry): Promise<FeedEntry> => ({
    ...entry,
    at: entry.at.toISOString(),
    lead: await inSlices(() => readLead(entry, client, now, logger)),
  })
  const data = await Promise.all(entries.map(show))
  // Entries may have come between the two reads.
  return { data, last_number: Math.max(last, data.at(-1)?.number ?? 0) }
}

/** A lead that cannot be read as stored must not keep the client from the entries after it. */
function readLead(
  { lead, lead_id }: StoredFeedEntry,
  clientId: string,
  sentAt: Date,
  logger: ServerContext['logger'],
): FeedEntry['lead'] {
  if (lead === null) return null
  try {
    const values = leadValues(readClaimedLead({ lead }), {
      event: 'lead.assigned',
      deliveryId: '',
      clientId,
      sentAt,
      outcomeUrl: () => '',
    })
    const names = Object.keys(values).filter((name) => !OF_DELIVERIES.has(name))
    return Object.fromEntries(names.map((name) => [name, values[name]]))
  } catch (error) {
    if (!(error instanceof StoredDataError)) throw error
    logger.error({ err: error, lead_id }, 'a lead of a feed cannot be read')
    return null
  }
}

/** The summary of one day of a client's feed, in UTC. @param day `YYYY-MM-DD` */
export async function showFeedDay(db: Db, client: string, day: string): Promise<FeedDay> {
  const from = new Date(`${day}T00:00:00.000Z`)
  const until = new Date(from.getTime() + DAY_MS)
  const settled = await settleFeed(db, client)
  const span = await readFeedSpan(db, client, { last: settled?.last_number ?? 0, from, until })
  const { first, last, previous_hash, hash, assigned, returned, revoked, erased } = span
  return {
    day,
    is_final: settled !== undefined && settled.at >= until,
    counts: { assigned, returned, revoked, erased },
    first_number: first > last ? null : first,
    last_number: last,
    previous_hash: previous_hash ?? NO_HASH,
    hash: hash ?? NO_HASH,
  }
}
