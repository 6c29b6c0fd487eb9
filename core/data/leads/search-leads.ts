import { sql, type RawBuilder } from 'kysely'
import { choosePieces, listTrigrams } from './choose-pieces.ts'
import type { Db } from '../database.ts'
import type { Viewer } from './leads.ts'

/**
 * How leads are searched for a text, newest first or otherwise. `walk`: through the list, where a page of them is soon found or the client
 * has few leads. Else by the index of texts, where there are few of them among many, for these pieces of it. PostgreSQL cannot tell which,
 * because it does not know how often a part of a name occurs.
 */
export type SearchWay = 'walk' | readonly string[]

/** So many of the newest leads are looked at. Whoever has no more has them walked. */
const PROBED = 2000
/** In so many of them each three letters of the text are counted. */
const SAMPLED = 200

/** What the trigram index leads_search is of. */
const SEARCHED = sql`(coalesce(l.name, '') || ' ' || coalesce(l.email::text, '') || ' ' || coalesce(l.phone, ''))`

/** @param limit how many leads are wanted: the more, the more often must they occur for a walk to be short */
export async function chooseWay(db: Db, viewer: Viewer, search: string, limit: number): Promise<SearchWay> {
  const whose = viewer.role === 'admin' ? sql`true` : sql`assigned_to = ${viewer.user_id}`
  // An administrator's are all leads: ids are given in the order in which they come.
  const order = viewer.role === 'admin' ? sql`id desc` : sql`created_at desc, id desc`
  const often = Math.ceil(2 * Math.sqrt(limit))
  const newest = (count: number) =>
    sql`(select name, email, phone from leads where ${whose} order by ${order} limit ${count}) l`
  const { rows } = await sql<{ found: number; is_many: boolean; trigrams: Record<string, number> | null }>`
    /* planned for its values */ select probe.found, probe.is_many,
      case when probe.is_many and probe.found < ${often} then (
        select jsonb_object_agg(asked.trigram, (
          select count(*) from unnest(sample.texts) as text where strpos(text, asked.trigram) > 0
        )) from unnest(${listTrigrams(search)}::text[]) as asked (trigram),
          (select array_agg(lower(${SEARCHED})) as texts from ${newest(SAMPLED)}) sample
      ) end as trigrams
    from (
      select (
        select count(*)::int from (select from ${newest(PROBED)} where ${matchesLead(search, 'walk')} limit ${often}) matched
      ) as found, exists (select from leads where ${whose} order by ${order} offset ${PROBED}) as is_many offset 0
    ) probe`.execute(db)
  const [probe] = rows
  if (probe === undefined || !probe.is_many || probe.found >= often) return 'walk'
  return choosePieces(search, new Map(Object.entries(probe.trigrams ?? {})), SAMPLED)
}

/**
 * SQL on the lead `l`: a part of name, e-mail or phone in any case; digits also match a phone however punctuated. The index answers unless
 * told to walk.
 */
export function matchesLead(search: string, way: SearchWay = []): RawBuilder<unknown> {
  const digits = /^[\d\s().+-]+$/.test(search) ? search.replaceAll(/\D/g, '') : ''
  // What holds a phone with its plus also holds its digits.
  const texts = digits.length < 2 ? [search] : search.includes(digits) ? [digits] : [search, digits]
  const found = texts.map((text) =>
    way === 'walk' ? contains(text) : sql`(${isIndexed(text, way)} and ${contains(text)})`,
  )
  return sql`(${sql.join(found, sql` or `)})`
}

/** The pattern of `ilike` that finds this text anywhere. */
export function containsPattern(text: string): string {
  return `%${escapePattern(text)}%`
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/**
 * Not as the index has it, so that it is not asked; and so that PostgreSQL does not take what matches for rare, and read and sort all leads
 * rather than walk a few.
 */
function contains(text: string): RawBuilder<unknown> {
  return sql`(case when ${SEARCHED} ilike ${containsPattern(text)} then true else false end)`
}

/** What nearly all names, addresses and phones are made of; leads that have anything else are in the index leads_unusual. */
const USUAL = ' -~À-ÿ'
/** The index is asked for so many letters: more of them cost more than they exclude. */
const END = /.{1,8}$/u

/** What the index, which knows three letters in a row, can tell of a text: more than it, and never less. */
function isIndexed(text: string, pieces: readonly string[]): RawBuilder<unknown> {
  // Two letters are three with whatever follows, or the end of all.
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
  // Whose mailbox it is tells most of an address; and the end of its longest word most of a text.
  const runs = (local.length > 2 ? local : text).match(/[\p{L}\p{N}]{3,}/gu) ?? [text]
  const longest = runs.reduce((found, run) => (run.length > found.length ? run : found))
  const told = END.exec(longest)?.[0] ?? longest
  return sql`${SEARCHED} ilike ${containsPattern(told)}`
}
