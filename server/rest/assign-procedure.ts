import { z } from 'zod'
import type { Principal } from '../identity/find-live-session.ts'
import type { Answer, Call } from '../http/route.ts'
import { assignLead } from '../market/assign-lead.ts'
import { readInput } from '../http/read-input.ts'
import { answerScalar } from './answer-rows.ts'
import { negotiate } from './negotiate.ts'
import { parseQuery, type QueryFields } from './parse/parse-query.ts'
import { quote, RestError, unsupported } from './rest-error.ts'

export const PROCEDURE = 'assign_lead_to_buyer_concurrent'

const text = (most: number) => z.string().max(most).nullish().default(null)

const argumentsSchema = z.object({
  lead_id_param: z.uuid(),
  lead_type_param: text(64),
  lead_state_param: text(64),
  lead_phone_param: text(64),
  lead_email_param: text(254),
})
const NAMES: ReadonlySet<string> = new Set(Object.keys(argumentsSchema.shape))

/** Calls the procedure with named arguments, as `POST /api/v1/rpc/…` does. @throws RestError, AppError */
export async function callProcedure(call: Call<'user', QueryFields>): Promise<Answer> {
  const wish = negotiate(call.header)
  const { select, where, order, limit, offset } = parseQuery(call.query)
  const isPlain =
    select.columns === 'all' && select.embeds.length === 0 && where.length + order.length + offset === 0
  if (!isPlain || limit !== undefined) throw unsupported('Selecting from the result of a procedure is')
  const { body, context, from } = call
  const given: unknown = body ?? {}
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new RestError(400, 'PGRST102', 'Empty or invalid json')
  if (!Object.hasOwn(given, 'lead_id_param') || Object.keys(given).some((name) => !NAMES.has(name)))
    throw noSuchFunction(PROCEDURE, Object.keys(given))
  const read = readInput(argumentsSchema, given)
  if (!read.ok) throw unfitArgument(read.errors)
  const caller: Principal = { ...call.caller, role: 'client' }
  const result = await assignLead(context, { caller, from, reason: null }, read.value)
  return answerScalar(JSON.stringify(result), wish)
}

/** A function that is not there, or not with these arguments. */
export function noSuchFunction(name: string, names: readonly string[]): RestError {
  const listed = names.length === 0 ? 'without parameters' : `(${quote(names.join(', '))})`
  const message = `Could not find the function public.${quote(name)}${listed.startsWith('(') ? listed : ` ${listed}`} in the schema cache`
  return new RestError(404, 'PGRST202', message, { hint: `The only function is public.${PROCEDURE}.` })
}

function unfitArgument(errors: readonly { path: string; message: string }[]): RestError {
  const [first] = errors
  return new RestError(400, '22P02', `invalid input for argument ${first?.path ?? ''}`, {
    details: errors.map(({ path, message }) => `${path}: ${message}`).join('; '),
  })
}
