import { testLeadSchema } from '#core/contract/leads/lead-ingest.ts'
import { leadChangeSchema } from '#core/contract/leads/lead.ts'
import { changeLeads } from '../leads/change-lead.ts'
import { createTestLeads } from '../leads/create-test-lead.ts'
import type { Answer } from '../http/route.ts'
import { eachRow } from '../http/errors/name-row.ts'
import { answerChanged, answerInserted, chooseTargets, findTargets } from './find-targets.ts'
import { readGiven, readGivenRows, readValues } from './read-given.ts'
import { refuseIdOf, refuseOthers } from './refuse-others.ts'
import { refuseFilters, type RestCall } from './rest-call.ts'
import { notPermitted } from './rest-error.ts'

const CHANGED: ReadonlySet<string> = new Set(Object.keys(leadChangeSchema.shape))
/** Sent along by programs that keep the time of a change themselves. */
const IGNORED: ReadonlySet<string> = new Set(['updated_at', 'created_at'])

/** Creates test leads, as `POST /api/v1/leads` does: whatever their values, they are tests and the caller's. */
export async function insertLeads(call: RestCall): Promise<Answer> {
  refuseFilters(call)
  const { context, caller, idempotencyKey } = call
  const rows = readGivenRows(call)
  const leads = eachRow(rows, ({ values }) => {
    refuseIdOf(values)
    refuseOthers(call, values, ['user_id', 'assigned_to'])
    // A column that is set to null is one that was left out.
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
    return readValues(testLeadSchema, given)
  })
  const ids = leads.length === 0 ? [] : await createTestLeads(context, caller, leads, idempotencyKey)
  return await answerInserted(call, ids)
}

/** Changes what a client may change of the leads that the filters find. @throws RestError, AppError */
export async function updateLeads(call: RestCall): Promise<Answer> {
  const { context, caller } = call
  const given = readGiven(call)
  const targets = await findTargets(call, ['id'])
  const values = Object.fromEntries(
    Object.entries(given?.values ?? {}).filter(([name]) => !IGNORED.has(name)),
  )
  const other = Object.keys(values).find((name) => !CHANGED.has(name))
  if (other !== undefined) {
    throw notPermitted(`permission denied for column "${other}" of table leads`, {
      hint: `These can be changed: ${[...CHANGED].join(', ')}.`,
    })
  }
  refuseOthers(call, values, ['assigned_to'])
  const change = readValues(leadChangeSchema, {
    ...values,
    ...(typeof values['assigned_to'] === 'string' && { assigned_to: caller.user_id }),
  })
  if (given === undefined) return answerChanged(call, 0, [])
  const { chosen, shown } = chooseTargets(call, targets, 'after')
  const ids = await changeLeads(context, caller, chosen, change)
  return answerChanged(call, ids.length, shown)
}
