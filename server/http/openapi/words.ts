import type { JsonSchema, Parameter } from './api-document.ts'
import { LONGEST_KEY } from '../mount-routes.ts'
import { makeExample } from './make-example.ts'

/** What a parameter says, by its name; one that is added must be explained before the document can be made. */
const PARAMETERS: Readonly<Record<string, string>> = {
  action: 'Only this action',
  at: 'How many bytes of the file came before',
  client: 'Only of this client, by the id of the account',
  cursor: 'Where the page before ended: its `next_cursor`',
  days: 'The last 7, 30 or 90 days, today included',
  delivery: '`failed`: only leads of which a delivery has finally failed',
  disposition: 'Only leads with this disposition',
  disputed: '`true`: only payments that the bank was asked to take back',
  event_type: 'Only attempts of this event',
  from: 'From this moment on, included; of analytics the first day',
  is_test: '`true`: only test leads; `false`: none of them',
  kind: 'Only entries of this kind',
  lead_type: 'Only of this lead type, by its code',
  limit: 'How many rows at most',
  order: 'Only leads that this order bought, by its id',
  order_id: 'Also why this order did not get it',
  paused: 'Only orders that are paused, or that are not',
  reason: 'Only for this reason',
  search: 'A part of a name, an e-mail address or a phone, in any case',
  sort: 'By what is sorted; a minus in front begins at the end',
  source: 'Only leads of this source, by its label',
  state: 'Only leads of this state, by its code',
  status: 'Only rows with this status',
  to: 'Until this moment, not included; of analytics the last day',
  token: 'The token of the link to a posting specification',
  unread: '`true`: only leads that the caller holds and has not opened',
  user_id: 'Only of this account',
  webhook: 'Only deliveries to this webhook, by its id',
}

/** The header of every call that may be repeated safely. */
export const KEY_PARAMETER: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your choice, of printable ASCII, that is new for each new request. The same request under it again does nothing more, and is ' +
    'answered with what the first one did; another request under it is refused with `idempotency_key_reused`',
  schema: { type: 'string', maxLength: LONGEST_KEY },
  example: '7f3a9c52-quote-1001',
}

/** @throws Error where nobody has explained it */
export function explainParameter(name: string): string {
  const words = PARAMETERS[name]
  if (words === undefined)
    throw new Error(`Nobody explained the parameter ${name}: server/http/openapi/words.ts`)
  return words
}

/** What may stand there, where its schema alone would make a useless one. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  action: 'signed_in',
  limit: 25,
  search: 'rosa',
  sort: '-created_at',
  from: '2026-01-01T00:00:00Z',
  to: '2026-02-01T00:00:00Z',
  state: 'CA',
  source: 'Search ads',
  token: 'the token of the link',
}

export function exampleParameter(name: string, schema: JsonSchema): unknown {
  const isDate = schema.format === 'date'
  const known = isDate ? undefined : EXAMPLES[name]
  const fits =
    (schema.enum === undefined || schema.enum.includes(known)) &&
    (typeof known !== 'number' || known <= (schema.maximum ?? known))
  return known !== undefined && fits ? known : makeExample(schema, name)
}

/** What a status of a declared answer means. */
export function explainStatus(status: number): string {
  const words: Readonly<Record<number, string>> = {
    200: 'Done, and what came of it',
    201: 'Created, as it is now',
    202: 'Taken; it is done in a moment',
    204: 'Done; there is nothing to say',
    304: 'Not changed since the answer with this `ETag`',
    409: 'It was changed meanwhile; both values are in the answer',
    422: 'Refused; each fault with its field',
  }
  const found = words[status]
  if (found === undefined)
    throw new Error(`Nobody explained the status ${status}: server/http/openapi/words.ts`)
  return found
}
