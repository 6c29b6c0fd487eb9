import { testLeadSchema } from '#core/contract/leads/lead-ingest.ts'
import { leadChangeSchema } from '#core/contract/leads/lead.ts'
import { changeLead } from '../leads/change-lead.ts'
import { createTestLead } from '../leads/create-test-lead.ts'
import type { Answer } from '../http/route.ts'
import { answerChanged, answerInserted, changeTargets, findTargets } from './find-targets.ts'
import { readGiven } from './read-given.ts'
import { refuseIdOf, refuseOthers } from './refuse-others.ts'
import { refuseFilters, type RestCall } from './rest-call.ts'
import { notPermitted } from './rest-error.ts'
import { read } from './write-webhooks.ts'

const CHANGED: ReadonlySet<string> = new Set(Object.keys(leadChangeSchema.shape))
/** Sent along by programs that keep the time of a change themselves. */
const IGNORED: ReadonlySet<string> = new Set(['updated_at', 'created_at'])

/** Creates a test lead, as `POST /api/v1/leads` does: whatever its values, it is a test and the caller's. */
export async function insertLead(call: RestCall): Promise<Answer> {
  refuseFilters(call)
  const { context, caller, idempotencyKey } = call
  const given = readGiven(call)
  if (given === undefined) return await answerInserted(call, undefined)
  refuseIdOf(given.values)
  refuseOthers(call, given.values, ['user_id', 'assigned_to'])
  // A column that is set to null is one that was left out.
  const values = Object.fromEntries(Object.entries(given.values).filter(([, value]) => value !== null))
  const lead = await createTestLead(context, caller, read(testLeadSchema, values), idempotencyKey)
  return await answerInserted(call, lead.id)
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
  const change = read(leadChangeSchema, {
    ...values,
    ...(typeof values['assigned_to'] === 'string' && { assigned_to: caller.user_id }),
  })
  if (given === undefined) return await answerChanged(call, [])
  const hasChange = Object.keys(change).length > 0
  const ids = await changeTargets(
    targets,
    async (id) => hasChange && (await changeLead(context, caller, id, change)),
  )
  return await answerChanged(call, ids)
}
