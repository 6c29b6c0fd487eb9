import { sql, type RawBuilder } from 'kysely'
import { foldText } from '#core/contract/fold-text.ts'
import { choosePieces, listTrigrams } from './choose-pieces.ts'
import type { Db } from '../../database.ts'
import type { Viewer } from '../leads.ts'

/**
 * The way in which leads are searched for a text. `walk`: through the list, if a page of matches is soon found or the
 * client has few leads. Otherwise by the index of texts with these pieces, if matches are few among many leads.
 * PostgreSQL cannot choose, because it does not know how often a part of a name occurs.
 */
export type SearchWay = 'walk' | IndexedSearch

export interface IndexedSearch {
  pieces: readonly string[]
  /** how far back, from that place or from the newest lead, a page of matches should be found, if that is not far */
  among?: { days: number; newest: Date }
}

/** Number of the newest leads that are sampled. */
const PROBED = 500
/** A client with at most this many leads has them walked. */
const FEW_LEADS = 2000
/** Number of sampled leads in which each three letters of the text are counted. */
const SAMPLED = 200
/**
 * Walking this many leads takes as long as one query of the index about all leads. A single match in the sample is no
 * sign that others follow.
 */
const WALKED = 2000
/** A search limited to recent leads covers at least this many. */
const FEWEST_AMONG = 20_000
/** The search covers this many times the leads that, by the sample, would contain a page of matches. */
const SURE = 5
/** With more spans than this, searching all leads is as fast. */
const MOST_SPANS = 7
/** The index's spans of ten days by arrival (migrations/20261127050200-search-without-accents.ts). */
const SPAN = { length: sql`interval '10 days'`, from: sql`timestamptz '2020-01-01 00:00+00'` }
const DAY_MS = 24 * 3_600_000
const SPAN_MS = 10 * DAY_MS
const FIRST_SPAN_MS = Date.UTC(2020, 0, 1)

/** The text in the trigram index leads_search_folded: normalised and without accents (core/contract/fold-text.ts). */
const SEARCHED = sql`search_text(l.name, l.email::text, l.phone)`

interface Probe {
  found: number
  is_many: boolean
  /** the newest of the sampled leads */
  newest: Date
  oldest: Date
  marks: Record<string, string> | null
}

/** @param limit number of wanted leads: the more are wanted, the more often they must occur for a walk to be short */
export async function chooseWay(db: Db, viewer: Viewer, search: string, limit: number): Promise<SearchWay> {
  const often = Math.ceil(2 * Math.sqrt(limit))
  const spelled = listTexts(search).at(-1) ?? search
  const probe = await probeLeads(db, viewer, search, { often, spelled })
  if (probe === undefined || !probe.is_many || probe.found >= often) return 'walk'
  const { pieces, part } = choosePieces(spelled, new Map(Object.entries(probe.marks ?? {})))
  const expected = probe.found > 0 ? probe.found / PROBED : Math.min(part, 1 / PROBED)
  const among = Math.max(FEWEST_AMONG, (SURE * limit) / expected)
  const days = ((among / PROBED) * (probe.newest.getTime() - probe.oldest.getTime())) / DAY_MS
  if (pieces.length > 0 && days * DAY_MS <= MOST_SPANS * SPAN_MS)
    return { pieces, among: { days, newest: probe.newest } }
  return probe.found > 0 && limit / expected <= WALKED ? 'walk' : { pieces }
}

async function probeLeads(
  db: Db,
  viewer: Viewer,
  search: string,
  { often, spelled }: { often: number; spelled: string },
): Promise<Probe | undefined> {
  const of = viewer.member_user_id
  const owns = of === undefined ? sql`true` : sql`member_user_id = ${of}`
  const whose = viewer.role === 'admin' ? sql`true` : sql`assigned_to = ${viewer.user_id} and ${owns}`
  // An administrator sees all leads: their ids ascend in the order in which they come.
  const order = viewer.role === 'admin' ? sql`id desc` : sql`created_at desc, id desc`
  const newest = (count: number) =>
    sql`(select name, email, phone, created_at from leads where ${whose} order by ${order} limit ${count}) l`
  const { rows } = await sql<Probe>`
    /* planned for its values */ select probe.found, probe.is_many, probe.newest, probe.oldest,
      case when probe.is_many and probe.found < ${often} then (
        select jsonb_object_agg(asked.trigram, (
          select string_agg(case when strpos(text, asked.trigram) > 0 then '1' else '0' end, '') from unnest(sample.texts) as text
        )) from unnest(${listTrigrams(spelled)}::text[]) as asked (trigram),
          (select array_agg(lower(${SEARCHED})) as texts from ${newest(SAMPLED)}) sample
      ) end as marks
    from (
      select count(*) filter (where ${matchesLead(search, 'walk')})::int as found,
        max(l.created_at) as newest, min(l.created_at) as oldest,
        exists (select from leads where ${whose} order by ${order} offset ${FEW_LEADS}) as is_many
      from ${newest(PROBED)} offset 0
    ) probe`.execute(db)
  return rows[0]
}

/**
 * The spans of the index that should contain a page of matches, back from a place or from the newest lead; undefined to
 * search all leads. Leads that come meanwhile belong to the last span.
 */
export function listSpans({ among }: IndexedSearch, after: string | undefined): Date[] | undefined {
  if (among === undefined) return undefined
  const spanOf = (time: number): number => Math.floor((time - FIRST_SPAN_MS) / SPAN_MS)
  const newest = after === undefined ? among.newest.getTime() : Date.parse(after)
  const last = spanOf(after === undefined ? Math.max(newest, Date.now()) : newest) + 1
  const first = spanOf(newest - among.days * DAY_MS)
  if (last - first > MOST_SPANS + 2) return undefined
  return Array.from(
    { length: last - first + 1 },
    (_, index) => new Date(FIRST_SPAN_MS + (first + index) * SPAN_MS),
  )
}

/** SQL on the lead `l`: it came in one of these spans. */
export function cameWithin(spans: readonly Date[]): RawBuilder<unknown> {
  return sql`array[date_bin(${SPAN.length}, l.created_at, ${SPAN.from})] && ${spans}::timestamptz[]`
}

/**
 * SQL on the lead `l`: a part of name, e-mail or phone matches in any case, with or without accents; digits also match
 * a phone however it is punctuated. It uses the index unless told to walk.
 */
export function matchesLead(search: string, way: 'walk' | readonly string[] = []): RawBuilder<unknown> {
  const found = listTexts(search).map((text) =>
    way === 'walk' ? contains(text) : sql`(${isIndexed(text, way)} and ${contains(text)})`,
  )
  return sql`(${sql.join(found, sql` or `)})`
}

/**
 * Lists texts in the spelling of the index; a matching lead contains at least one. The last is the longest run of
 * letters or digits.
 */
function listTexts(written: string): [string, ...string[]] {
  const folded = foldText(written)
  // A text of accents alone becomes empty.
  const search = folded.trim() === '' ? written : folded
  const digits = /^[\d\s().+-]+$/.test(search) ? search.replaceAll(/\D/g, '') : ''
  if (digits.length < 2) return [search]
  // A text with a phone number and its plus also contains its digits.
  return search.includes(digits) ? [digits] : [search, digits]
}

/** The pattern of `ilike` that finds this text anywhere. */
export function containsPattern(text: string): string {
  return `%${escapePattern(text)}%`
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/**
 * Written differently from the index, so that PostgreSQL does not use the index. It then also does not assume that
 * matches are rare, and walks a few leads rather than reading and sorting all.
 */
function contains(text: string): RawBuilder<unknown> {
  return sql`(case when ${SEARCHED} ilike ${containsPattern(text)} then true else false end)`
}

/**
 * The characters of nearly all names, addresses and phones; leads with other characters are in the index
 * leads_unusual_folded.
 */
const USUAL = ' -~'
/** Number of letters that the index is asked for: more of them cost more than they exclude. */
const END = /.{1,8}$/u

/**
 * The part of a text that the index, which knows three letters in a row, can match: it may find too many, never too
 * few.
 */
function isIndexed(text: string, pieces: readonly string[]): RawBuilder<unknown> {
  // Two letters become three with any letter that follows, or at the end.
  if (/^[\p{L}\d]{2}$/u.test(text))
    return sql`(${SEARCHED} ~* ${`${text}[${USUAL}]`} or ${SEARCHED} ilike ${`%${escapePattern(text)}`}
      or ${SEARCHED} ~ ${sql.lit(`[^${USUAL}]`)})`
  const known = pieces.filter((piece) => text.includes(piece))
  if (known.length > 0)
    return sql.join(
      known.map((piece) => sql`${SEARCHED} ilike ${containsPattern(piece)}`),
      sql` and `,
    )
  const [local = ''] = text.split('@', 1)
  // The mailbox name is the most selective part of an address; in other texts it is the end of the longest word.
  const runs = (local.length > 2 ? local : text).match(/[\p{L}\p{N}]{3,}/gu) ?? [text]
  const longest = runs.reduce((found, run) => (run.length > found.length ? run : found))
  const told = END.exec(longest)?.[0] ?? longest
  return sql`${SEARCHED} ilike ${containsPattern(told)}`
}
