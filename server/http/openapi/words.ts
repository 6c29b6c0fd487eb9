import type { JsonSchema, Parameter } from './api-document.ts'
import { LONGEST_KEY } from '../mount-routes.ts'
import { makeExample } from './make-example.ts'

/**
 * The description of each parameter, by its name. A new parameter must be described here before the document
 * can be made.
 */
const PARAMETERS: Readonly<Record<string, string>> = {
  action: 'Only this action',
  actor_id: 'Only what this person did, by the id of the account',
  after: 'The last number that you have; entries after it are returned',
  at: 'The number of bytes of the file that came before',
  by: 'The grouping',
  changes: '`true`: only what administrators and programs changed',
  client:
    'Only for this client, by the id of the account; in the audit log, a part of its name, business or address',
  cursor: 'The `next_cursor` of the page before',
  days: 'The last 7, 30 or 90 days, with today',
  delivery: '`failed`: only leads with a delivery that finally failed',
  disposition: 'Only leads with this disposition',
  disputed: '`true`: only payments with a dispute',
  event_type: 'Only attempts of this event',
  from: 'From this time on, included; in analytics and of money, the first day',
  funds: '`out`: only clients whose running orders ask for leads that the balance cannot pay',
  is_test: '`true`: only test leads; `false`: no test leads',
  kind: 'Only entries of this kind',
  lead_type: 'Only this lead type, by its code',
  limit: 'Rows per page',
  member: 'Only leads of this person of the account, by id; `none`: only shared leads',
  month: 'The month, like 2026-11; by default the current one',
  open: 'Only what somebody has not acknowledged',
  revocation_id: 'Only of this revocation',
  order: 'Only leads that this order bought, by its id',
  order_id: 'Also the reason why this order did not get it',
  paused: 'Only orders that are paused, or only those that are not',
  outcome: 'Only leads whose last decision ended so',
  reason: 'Only with this reason',
  since: 'Only what happened from then on',
  until: 'Only what happened before then',
  search: 'A part of a name, an email address or a phone, in any case',
  severity: 'Only events of this severity',
  sort: 'The field to sort by; a minus in front reverses the order',
  source: 'Only this source, by its label',
  state: 'Only this state, by its code',
  status: 'Only with this status',
  to: 'Until this time, not included; in analytics and of money, the last day',
  token: 'The token of the link to a posting specification',
  type: 'Only events, or entries, of this type',
  unread: '`true`: only leads that you hold and have not opened',
  user_id: 'Only this account',
  webhook: 'Only this webhook, by its id',
}

/** The header of every call that may be repeated safely. */
export const KEY_PARAMETER: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your choice in printable ASCII, new for each new request. A repeat of the request under the same key changes nothing and ' +
    'gets the first answer; a different request under it is refused with `idempotency_key_reused`',
  schema: { type: 'string', maxLength: LONGEST_KEY },
  example: '7f3a9c52-quote-1001',
}

/** @throws Error if the parameter has no description */
export function explainParameter(name: string): string {
  const words = PARAMETERS[name]
  if (words === undefined)
    throw new Error(`Nobody explained the parameter ${name}: server/http/openapi/words.ts`)
  return words
}

/** Examples of parameters whose schema alone would give a useless one. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  action: 'signed_in',
  member: 'none',
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
  const hasOwnForm = schema.format === 'date' || schema.format === 'uuid'
  const known = hasOwnForm ? undefined : EXAMPLES[name]
  const fits =
    (schema.enum === undefined || schema.enum.includes(known)) &&
    (typeof known !== 'number' || known <= (schema.maximum ?? known))
  return known !== undefined && fits ? known : makeExample(schema, name)
}

/** The meaning of a status of a declared answer. */
export function explainStatus(status: number): string {
  const words: Readonly<Record<number, string>> = {
    200: 'Done, with the result',
    201: 'Created; the row as it is now',
    202: 'Accepted; it is done in a moment',
    204: 'Done; the answer has no body',
    304: 'Not changed since the answer with this `ETag`',
    409: 'It was changed in the meantime; the answer has both values',
    422: 'Refused; `errors` names each fault with its field',
  }
  const found = words[status]
  if (found === undefined)
    throw new Error(`Nobody explained the status ${status}: server/http/openapi/words.ts`)
  return found
}
