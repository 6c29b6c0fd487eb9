import { sql, type RawBuilder } from 'kysely'
import type { LeadSort } from '#core/contract/leads/lead-query.ts'
import { POSITION_FORMAT, readCursor, writeCursor, type PagePosition } from '../../page.ts'

/**
 * The keys by which a list of leads `l` can be sorted, with SQL for each: the compared expression, its type, and its
 * text in a cursor.
 */
interface SortKey {
  key: RawBuilder<unknown>
  type: RawBuilder<unknown>
  text: RawBuilder<unknown>
  /** the texts that a cursor may hold, so that PostgreSQL can read them */
  form: RegExp
}

// No key is null, so that a place in the list is one comparison.
const NAME = sql`lower(left(coalesce(l.name, ''), 80))`
const STATE = sql`coalesce(l.state, '')`
const PRICE = sql`coalesce(l.price_charged, 0)`

const KEYS: Readonly<Record<'received' | 'name' | 'state' | 'price', SortKey>> = {
  received: {
    key: sql`l.created_at`,
    type: sql`timestamptz`,
    text: sql`to_char(l.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`,
    form: /^/,
  },
  name: { key: NAME, type: sql`text`, text: NAME, form: /^[^\0]{0,160}$/u },
  state: { key: STATE, type: sql`bpchar`, text: sql`${STATE}::text`, form: /^[A-Z]{0,2}\s*$/ },
  price: { key: PRICE, type: sql`numeric`, text: sql`${PRICE}::text`, form: /^\d{1,12}(?:\.\d{1,4})?$/ },
}

/** The order of a list, or its reverse. */
export interface LeadOrder {
  orderBy: RawBuilder<unknown>
  /** SQL: behind this place */
  isAfter: (place: PagePosition) => RawBuilder<unknown>
  /** SQL: the sort value of a row, written as the `at` of its cursor */
  place: RawBuilder<unknown>
}

/**
 * @param id the column of lead ids by whose index the list is read, if not by {@link KEYS}. The order is the same,
 * because ids ascend in the order of receipt
 */
export function orderLeads(sort: LeadSort, id: RawBuilder<unknown> | undefined, isTurned = false): LeadOrder {
  const isDown = sort.startsWith('-') !== isTurned
  const { key, type, text } = KEYS[keyOf(sort)]
  const direction = isDown ? sql`desc` : sql`asc`
  const beyond = isDown ? sql`<` : sql`>`
  if (id !== undefined && keyOf(sort) === 'received') {
    return {
      orderBy: sql`${id} ${direction}`,
      isAfter: (place) => sql`${id} ${beyond} ${place.id}::uuid`,
      place: text,
    }
  }
  return {
    orderBy: sql`${key} ${direction}, l.id ${direction}`,
    isAfter: (place) => sql`(${key}, l.id) ${beyond} (${place.at}::${type}, ${place.id}::uuid)`,
    place: text,
  }
}

function keyOf(sort: LeadSort): keyof typeof KEYS {
  const found = (['received', 'name', 'state', 'price'] as const).find((key) => sort.endsWith(key))
  return found ?? 'received'
}

/** The opaque `next_cursor` of a list of leads. */
export function writeLeadCursor(sort: LeadSort, place: PagePosition): string {
  return keyOf(sort) === 'received'
    ? writeCursor(place)
    : Buffer.from(JSON.stringify([keyOf(sort), place.at, place.id])).toString('base64url')
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns undefined for a text that {@link writeLeadCursor} cannot have written for this sort. */
export function readLeadCursor(sort: LeadSort, cursor: string): PagePosition | undefined {
  if (keyOf(sort) === 'received') return readCursor(cursor)
  const [key, at, id] = readJsonArray(Buffer.from(cursor, 'base64url').toString())
  if (key !== keyOf(sort) || typeof at !== 'string' || typeof id !== 'string') return undefined
  return KEYS[keyOf(sort)].form.test(at) && UUID.test(id) ? { at, id } : undefined
}

function readJsonArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
