import { sql, type RawBuilder } from 'kysely'
import {
  chooseByKind,
  PAYLOAD_FIELDS,
  type FieldKind,
  type PayloadField,
} from '#core/contract/leads/lead-fields.ts'
import { leadForPayloadSchema, type LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import { readCustom } from '#core/contract/leads/read-custom.ts'
import { readStored, StoredDataError } from '#core/read-stored.ts'

type Field = keyof LeadForPayload

const WHAT = 'the lead of a delivery'

const ofKinds = (...kinds: FieldKind[]): PayloadField[] => chooseByKind(PAYLOAD_FIELDS, kinds)
/** Columns that are passed as their text. */
const TEXTS: readonly Field[] = [
  'id',
  'status',
  ...ofKinds('text', 'code', 'digits', 'phone', 'web_address', 'amount'),
  'price_charged',
  'order_id',
]
/** Columns whose text is JSON. */
const JSONS: readonly Field[] = [...ofKinds('yes_no', 'whole'), 'custom']
/** Dates and times, whose text would depend on the connection's settings. */
const TIMES: readonly Field[] = [...ofKinds('date', 'moment'), 'created_at', 'assigned_at']
const IPS = ofKinds('ip')

/** The fields in the array, in their order: those passed as text, then those as JSON text. */
export const CLAIMED_FIELDS: { asText: readonly Field[]; asJson: readonly Field[] } = {
  asText: [...TEXTS, ...IPS, 'order_name'],
  asJson: [...JSONS, ...TIMES],
}

/**
 * SQL: the lead `l` as JSON text: an array of texts. For an object with the names and types of all its fields
 * PostgreSQL would take twice as long. {@link readClaimedLead} reads it.
 */
export function claimedLead(client: RawBuilder<unknown>): RawBuilder<unknown> {
  const orderName = sql`(select o.name from orders o where o.id = l.order_id and o.client_user_id = ${client})`
  const told = [
    ...TEXTS.map((name) => sql`${column(name)}::text`),
    ...IPS.map((name) => sql`host(${column(name)})`),
    orderName,
    ...JSONS.map((name) => sql`${column(name)}::text`),
    ...TIMES.map((name) => sql`to_json(${column(name)})::text`),
  ]
  return sql`to_json(array[${sql.join(told)}])`
}

/**
 * Reads the lead of a delivery.
 * @throws StoredDataError
 */
export function readClaimedLead({ lead }: { lead: string | null }): LeadForPayload {
  const told = parse(lead ?? '')
  if (!Array.isArray(told)) throw new StoredDataError(`${WHAT} cannot be read as stored (no array)`)
  const { asText, asJson } = CLAIMED_FIELDS
  const fields: Record<string, unknown> = {}
  for (const [place, name] of asText.entries()) fields[name] = told[place]
  for (const [place, name] of asJson.entries()) {
    const json: unknown = told[asText.length + place]
    fields[name] = typeof json !== 'string' ? json : parse(json, name === 'custom' ? readCustom : JSON.parse)
  }
  return readStored(leadForPayloadSchema, fields, WHAT)
}

function parse(json: string, read: (json: string) => unknown = JSON.parse): unknown {
  try {
    return read(json)
  } catch {
    // The parser's message would quote the text.
    throw new StoredDataError(`${WHAT} cannot be read as stored (no JSON)`)
  }
}

function column(name: Field): RawBuilder<unknown> {
  return sql.ref(`l.${name}`)
}
