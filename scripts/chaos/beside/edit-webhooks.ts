import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { TEMPLATE } from '../../bench/set-up-clients.ts'
import { now } from '../../lab/now.ts'
import type { Answer, Door } from './ask.ts'
import { endSpan, type Desk, type EditedWebhook } from './desk.ts'
import { configFor } from './open-buyers.ts'
import { rowsOf } from './read-all.ts'

const PATH = '/api/v1/webhook-configs'
/** Duration of a webhook's pause. */
const PAUSE_MS = 4000
/** A plan that began this long before a webhook was switched cannot know of it, however busy the machine. */
const PLAN_MS = 1500

type Row = Record<string, unknown>

export async function createWebhook(
  { ask, buyer: { token }, origin, nextEndpoint, note }: Desk,
  writer: Door,
  reader: Door,
): Promise<EditedWebhook | undefined> {
  const endpoint = nextEndpoint()
  const call = {
    method: 'POST',
    path: PATH,
    token,
    body: configFor(origin, endpoint),
    key: `edit-${endpoint}`,
  } as const
  const made = await ask(writer, call)
  note('a webhook is created', made.status === 201)
  if (made.status !== 201) return undefined
  const onSince = now() + PLAN_MS
  const { id } = made.body as { id: string }
  const again = await ask(reader, call)
  note('the same key makes no second webhook', again.status === 201 && (again.body as Row)['id'] === id)
  note('a created webhook is read', agree(made, await ask(reader, { path: `${PATH}/${id}`, token })))
  return { id, endpoint, on: [], off: [], onSince }
}

/** Edits the webhook that must still get every lead. */
export async function changeWebhook(
  { ask, buyer: { token, endpoints }, note }: Desk,
  writer: Door,
  reader: Door,
  round: number,
): Promise<void> {
  const rows = rowsOf<{ id: string; endpoint_url: string }>(await ask(reader, { path: PATH, token }))
  const { id } = rows.find(({ endpoint_url }) => endpoint_url.endsWith(`/e/${endpoints[0]}`)) ?? {}
  note('a webhook is listed', id !== undefined)
  if (id === undefined) return
  const body = {
    webhook_name: `Example CRM, edit ${round}`,
    payload_template: { ...TEMPLATE, edit: round },
    custom_headers: { 'X-Edit': String(round) },
  }
  const path = `${PATH}/${id}`
  const changed = await ask(writer, { method: 'PATCH', path, token, body })
  note(
    'a webhook is changed',
    changed.status === 200 && (changed.body as Row)['webhook_name'] === body.webhook_name,
  )
  note('a changed webhook is read', agree(changed, await ask(reader, { path, token })))
}

/** One version switches the webhook off, and the other switches it on. */
export async function pauseWebhook(
  { ask, buyer: { token }, note }: Desk,
  writer: Door,
  reader: Door,
  webhook: EditedWebhook,
): Promise<void> {
  const path = `${PATH}/${webhook.id}`
  endSpan(webhook, now() - PLAN_MS)
  const paused = await ask(writer, { method: 'PATCH', path, token, body: { is_active: false } })
  const from = now() + PLAN_MS
  note('a webhook is paused', paused.status === 200)
  note('a paused webhook is read', agree(paused, await ask(reader, { path, token })))
  await sleep(PAUSE_MS)
  const until = now() - PLAN_MS
  const body = { waiting: 'send' }
  const on = await ask(reader, { method: 'POST', path: `${path}/switch-on`, token, body })
  note('a paused webhook is switched on', on.status === 200)
  const seen = await ask(writer, { path, token })
  note('a webhook that is on again is read', (seen.body as Row | undefined)?.['is_active'] === true)
  if (paused.status === 200) webhook.off.push({ from, until })
  webhook.onSince = on.status === 200 ? now() + PLAN_MS : undefined
}

export async function rotateSecret(
  { ask, buyer: { token }, note }: Desk,
  writer: Door,
  reader: Door,
  { id }: EditedWebhook,
  round: number,
): Promise<void> {
  const path = `${PATH}/${id}/secret`
  const key = `rotate-${id}-${round}`
  const rotated = await ask(writer, { method: 'POST', path: `${path}/rotate`, token, key })
  note('a secret is rotated', rotated.status === 200)
  note('a rotated secret is read', agree(rotated, await ask(reader, { path, token })))
}

export async function removeWebhook(
  { ask, buyer: { token }, oldestOpen, note }: Desk,
  writer: Door,
  reader: Door,
  webhook: EditedWebhook,
): Promise<void> {
  const path = `${PATH}/${webhook.id}`
  // Deliveries that wait for it are deleted with it.
  const until = now() - PLAN_MS
  endSpan(webhook, Math.min(until, ((await oldestOpen(webhook.id)) ?? Infinity) - 1))
  const removed = await ask(writer, { method: 'DELETE', path, token })
  note('a webhook is deleted', removed.status === 204)
  const { status } = await ask(reader, { path, token })
  note('a deleted webhook is gone', status === 404)
}

/** Whether two versions agree on all fields that both know. */
function agree(written: Answer, read: Answer): boolean {
  if (written.status >= 400 || read.status !== 200) return false
  const [one, other] = [written.body as Row, read.body as Row]
  return Object.keys(one).every((name) => !(name in other) || isDeepStrictEqual(one[name], other[name]))
}
