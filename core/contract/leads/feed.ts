import { z } from 'zod'

/**
 * The kinds of entries: a client got a lead; stopped holding it, however that came; must not contact its person any more;
 * the person of a lead that it has or had was erased.
 */
export const FEED_KINDS = ['assigned', 'returned', 'revoked', 'erased'] as const
export const feedKindSchema = z.enum(FEED_KINDS)
export type FeedKind = z.infer<typeof feedKindSchema>

/** Entries of one page of the feed, at most. */
export const MOST_FEED_ENTRIES = 500

export const feedQuerySchema = z.object({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(MOST_FEED_ENTRIES).default(100),
})

const number = z.int().min(1)
/** 64 hexadecimal digits */
const hash = z.string()

/** One entry of a client's feed (docs/contract.md §5). */
export const feedEntrySchema = z.object({
  number,
  kind: feedKindSchema,
  lead_id: z.uuid(),
  at: z.string(),
  /** of `returned`: the reason of the return */
  reason: z.string().nullable(),
  hash,
  /** of `assigned`: the values of a template's placeholders, while the client holds the lead and its person is kept */
  lead: z.record(z.string(), z.unknown()).nullable(),
})
export type FeedEntry = z.infer<typeof feedEntrySchema>

export const feedSchema = z.object({
  data: z.array(feedEntrySchema),
  /** the feed's last number; 0 if it is empty */
  last_number: z.int(),
})
export type Feed = z.infer<typeof feedSchema>

/** The entries of a feed on one day in UTC, counted. */
export const feedDaySchema = z.object({
  day: z.iso.date(),
  /** whether nothing can be added to the day any more */
  is_final: z.boolean(),
  counts: z.object({ assigned: z.int(), returned: z.int(), revoked: z.int(), erased: z.int() }),
  /** null if the day has no entry */
  first_number: number.nullable(),
  /** at the end of the day; 0 if there was no entry until then */
  last_number: z.int(),
  /** of the entry before the day's first one; 64 zeros if there is none */
  previous_hash: hash,
  /** of the entry `last_number` */
  hash,
})
export type FeedDay = z.infer<typeof feedDaySchema>
