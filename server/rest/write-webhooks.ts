import { newWebhookConfigSchema, webhookConfigChangeSchema } from '#core/contract/webhooks/webhook-config.ts'
import type { Answer } from '../http/route.ts'
import { eachRow } from '../http/errors/name-row.ts'
import { changeWebhookConfigs } from '../webhooks/configs/change-webhook-config.ts'
import { createWebhookConfigs } from '../webhooks/configs/create-webhook-config.ts'
import { removeWebhookConfigs } from '../webhooks/configs/remove-webhook-config.ts'
import { answerNothing, answerRows } from './answer-rows.ts'
import { answerChanged, answerInserted, chooseTargets, findTargets, type Target } from './find-targets.ts'
import { readGiven, readGivenRows, readValues } from './read-given.ts'
import { refuseIdOf, refuseOthers } from './refuse-others.ts'
import { refuseFilters, type RestCall } from './rest-call.ts'
import { notNull } from './rest-error.ts'

/** Columns that the system writes; a row that is sent back may contain them. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'id',
  'client_user_id',
  'created_by',
  'disabled_reason',
  'created_at',
  'updated_at',
])

const NEVER_NULL = ['id', 'client_user_id', 'created_by', 'created_at', 'updated_at']

/** Creates webhooks, as `POST /api/v1/webhook-configs` does. @throws RestError, AppError */
export async function insertWebhooks(call: RestCall): Promise<Answer> {
  refuseFilters(call)
  const { context, caller, idempotencyKey } = call
  const given = readGivenRows(call)
  const rows = eachRow(given, ({ values, text }) => {
    refuseIdOf(values)
    refuseOthers(call, values, ['client_user_id', 'created_by'])
    return { config: readValues(newWebhookConfigSchema, withoutReadOnly(values)), bodyText: text }
  })
  if (rows.length === 0) return await answerInserted(call, [])
  // A list with one row is the same as the row.
  const content = rows.length === 1 ? (rows[0]?.bodyText ?? '') : call.bodyText
  return await answerInserted(
    call,
    await createWebhookConfigs(context, caller, { rows, content, idempotencyKey }),
  )
}

/** Changes the webhooks that the filters find. @throws RestError, AppError */
export async function updateWebhooks(call: RestCall): Promise<Answer> {
  const { context, caller } = call
  const given = readGiven(call)
  const empty = NEVER_NULL.find((name) => given?.values[name] === null)
  if (empty !== undefined) throw notNull(call.table, empty)
  const targets = await findTargets(call, ['id', 'client_user_id', 'created_by'])
  if (given === undefined) return answerChanged(call, 0, [])
  for (const target of targets) refuseMoves(call, given.values, target)
  const change = readValues(webhookConfigChangeSchema, withoutReadOnly(given.values))
  const { chosen, shown } = chooseTargets(call, targets, 'after')
  const rows = await changeWebhookConfigs(context, caller, chosen, { change, bodyText: given.text })
  return answerChanged(call, rows.length, shown)
}

/** Deletes the webhooks that the filters find. @throws RestError, AppError */
export async function deleteWebhooks(call: RestCall): Promise<Answer> {
  const { context, caller, wish } = call
  const { chosen, shown } = chooseTargets(call, await findTargets(call, ['id']), 'before')
  const ids = await removeWebhookConfigs(context, caller, chosen)
  const range = `*/${wish.count === undefined ? '*' : ids.length}`
  if (wish.return !== 'representation') return answerNothing(wish, { status: 204, range })
  return answerRows(shown, wish, { status: 200, range })
}

/** A row keeps its id, its owner and its creator; they may only be repeated. */
function refuseMoves(call: RestCall, values: Readonly<Record<string, unknown>>, target: Target): void {
  const moved = ['id', 'client_user_id', 'created_by'].filter(
    (name) => Object.hasOwn(values, name) && values[name] !== target[name],
  )
  if (moved.includes('id')) refuseIdOf(values)
  refuseOthers(call, values, moved)
}

function withoutReadOnly(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !READ_ONLY.has(name)))
}
