import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ground } from '../ground.ts'
import type { Ack } from '../ledger.ts'
import type { Asker, Door } from './ask.ts'
import { endSpan, type Desk, type EditedWebhook } from './desk.ts'
import { changeDisposition, postTwice, resendOne } from './edit-leads.ts'
import { changeWebhook, createWebhook, pauseWebhook, removeWebhook, rotateSecret } from './edit-webhooks.ts'
import type { Buyer } from './open-buyers.ts'

const REST_MS = 3000
/** Webhooks beside the one that is paused in each round. The oldest is deleted, so each lives for two rounds. */
const KEPT = 2
const FIRST_ENDPOINT = 100

export interface Edits {
  webhooks: EditedWebhook[]
  /** leads that the edits posted */
  acks: Ack[]
  tried: number
  /** failed checks, with their counts */
  broken: Map<string, number>
}

/**
 * Edits one client's webhooks, leads and deliveries through the API of both versions, in turns, round after
 * round: each version must read, repeat and obey what the other has written.
 */
export function startEditing(
  { ask }: Asker,
  doors: readonly [Door, Door],
  buyer: Buyer,
  ground: Ground,
): { stop: () => Promise<Edits> } {
  const edits: Edits = { webhooks: [], acks: [], tried: 0, broken: new Map() }
  const stopped = new AbortController()
  let endpoint = FIRST_ENDPOINT
  const running = (async () => {
    let paused: EditedWebhook | undefined
    const kept: EditedWebhook[] = []
    for (let round = 0; !stopped.signal.aborted; round += 1) {
      const [writer, reader] = round % 2 === 0 ? doors : [doors[1], doors[0]]
      const between = `written by ${writer.age}, read by ${reader.age}`
      const desk: Desk = {
        ask,
        buyer,
        origin: ground.receiver.url,
        nextEndpoint: () => endpoint++,
        oldestOpen: (id) => findOldestOpen(ground, id),
        note: (what, isTrue) => {
          edits.tried += 1
          const key = `${what} (${between})`
          if (!isTrue) edits.broken.set(key, (edits.broken.get(key) ?? 0) + 1)
        },
      }
      const made = await createWebhook(desk, writer, reader)
      if (made !== undefined) edits.webhooks.push(made)
      if (paused === undefined) paused = made
      else if (made !== undefined) kept.push(made)
      await changeWebhook(desk, writer, reader, round)
      const ack = await postTwice(desk, writer, reader, round)
      if (ack !== undefined) {
        edits.acks.push(ack)
        await changeDisposition(desk, writer, reader, ack.leadId)
      }
      if (paused !== undefined) {
        await pauseWebhook(desk, writer, reader, paused)
        await rotateSecret(desk, writer, reader, paused, round)
        await resendOne(desk, writer, reader, paused, round)
      }
      const oldest = kept.length > KEPT ? kept.shift() : undefined
      if (oldest !== undefined) await removeWebhook(desk, writer, reader, oldest)
      await sleep(REST_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  })()
  // `stop` reports the failure.
  running.catch(() => undefined)
  return {
    stop: async () => {
      stopped.abort()
      await running
      for (const webhook of edits.webhooks) endSpan(webhook, Infinity)
      return edits
    },
  }
}

async function findOldestOpen({ db }: Ground, webhookId: string): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select extract(epoch from min(e.planned_at))::float8 * 1000 as at
    from webhook_deliveries d join events e on e.id = d.event_id
    where d.webhook_config_id = ${webhookId}::uuid and d.state in ('pending', 'held')`.execute(db)
  return rows[0]?.at ?? undefined
}
