import type { z } from 'zod'
import { newWebhookConfigSchema, webhookConfigChangeSchema } from '#core/contract/webhooks/webhook-config.ts'
import { AppError } from '#core/errors.ts'
import { readInput } from '../http/read-input.ts'
import type { Answer } from '../http/route.ts'
import {
  changeWebhookConfig,
  createWebhookConfig,
  removeWebhookConfig,
} from '../webhooks/save-webhook-config.ts'
import { answerNothing, answerRows } from './answer-rows.ts'
import {
  answerChanged,
  answerInserted,
  changeTargets,
  findTargets,
  showTargets,
  type Target,
} from './find-targets.ts'
import { readGiven } from './read-given.ts'
import { refuseIdOf, refuseOthers } from './refuse-others.ts'
import { refuseFilters, type RestCall } from './rest-call.ts'

/** Columns that the system writes; a row that is sent back may contain them. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'id',
  'client_user_id',
  'created_by',
  'disabled_reason',
  'created_at',
  'updated_at',
])

/** Creates a webhook, as `POST /api/v1/webhook-configs` does. @throws RestError, AppError */
export async function insertWebhook(call: RestCall): Promise<Answer> {
  refuseFilters(call)
  const { context, caller, idempotencyKey } = call
  const given = readGiven(call)
  if (given === undefined) return await answerInserted(call, undefined)
  refuseIdOf(given.values)
  refuseOthers(call, given.values, ['client_user_id', 'created_by'])
  const config = read(newWebhookConfigSchema, withoutReadOnly(given.values))
  const row = await createWebhookConfig(context, caller, { config, bodyText: given.text, idempotencyKey })
  return await answerInserted(call, row.id)
}

/** Changes the webhooks that the filters find, one after the other. @throws RestError, AppError */
export async function updateWebhooks(call: RestCall): Promise<Answer> {
  const { context, caller } = call
  const given = readGiven(call)
  const targets = await findTargets(call, ['id', 'client_user_id', 'created_by'])
  if (given === undefined) return await answerChanged(call, [])
  for (const target of targets) refuseMoves(call, given.values, target)
  const change = read(webhookConfigChangeSchema, withoutReadOnly(given.values))
  const hasChange = Object.keys(change).length > 0
  const ids = await changeTargets(
    targets,
    async (id) =>
      hasChange && (await changeWebhookConfig(context, caller, id, { change, bodyText: given.text })),
  )
  return await answerChanged(call, ids)
}

/** Deletes the webhooks that the filters find. @throws RestError, AppError */
export async function deleteWebhooks(call: RestCall): Promise<Answer> {
  const { context, caller, wish } = call
  const targets = await findTargets(call, ['id'])
  const rows: string[] = []
  const ids = await changeTargets(targets, async (id) => {
    const shown = wish.return === 'representation' ? await showTargets(call, [id]) : []
    await removeWebhookConfig(context, caller, id)
    rows.push(...shown)
  })
  const range = `*/${wish.count === undefined ? '*' : ids.length}`
  if (wish.return !== 'representation') return answerNothing(wish, { status: 204, range })
  return answerRows(rows, wish, { status: 200, range })
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

/** @throws AppError validation_failed */
export function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const found = readInput(schema, given)
  if (found.ok) return found.value
  throw new AppError('validation_failed', 'The values are not valid.', { errors: found.errors })
}
