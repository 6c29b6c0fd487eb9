import { sql, type Kysely } from 'kysely'
import { sendingHoursSchema, type SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { Db } from '#core/data/database.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { listPlannedTimes, movePlanned } from '#core/data/webhooks/deliveries/move-planned.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { lockWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { retimeDelivery } from '#core/domain/webhooks/sending-hours/retime-delivery.ts'

/**
 * Plans waiting deliveries anew for a configuration whose sending hours change; in the transaction that
 * changes them.
 * @returns what is due now
 */
export async function retimeWaiting(
  trx: Db,
  webhookConfigId: string,
  hours: { before: SendingHours | null; after: SendingHours | null },
): Promise<DueDelivery[]> {
  const moves = (await listPlannedTimes(trx, webhookConfigId)).flatMap(({ planned, now }) => {
    const to = retimeDelivery(planned, { ...hours, now })
    return to.getTime() === planned.getTime() ? [] : [{ from: planned, to }]
  })
  return moves.length === 0 ? [] : await movePlanned(trx, webhookConfigId, moves)
}

/**
 * Planning and recording end sooner than this. If many of them in a row keep the shared lock held, we stop
 * waiting.
 */
const PATIENCE_MS = 1000

/**
 * Repeats it after the commit, for deliveries that were planned or recorded by the old hours meanwhile. Such
 * statements hold a shared lock on the configuration's key. Once an exclusive lock is granted they have
 * ended, and later ones see the change.
 * @returns what is due now
 */
export async function retimeLate(
  db: Kysely<Database>,
  owner: string,
  webhookConfigId: string,
  before: SendingHours | null,
): Promise<DueDelivery[]> {
  await waitForSharers(db, webhookConfigId)
  return await db.transaction().execute(async (trx) => {
    const stored = await lockWebhookConfig(trx, owner, webhookConfigId)
    // They may have changed once more.
    return stored === undefined
      ? []
      : await retimeWaiting(trx, webhookConfigId, { before, after: hoursOf(stored) })
  })
}

async function waitForSharers(db: Kysely<Database>, webhookConfigId: string): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select set_config('lock_timeout', ${`${PATIENCE_MS}ms`}, true)`.execute(trx)
      await sql`select from client_webhook_configs where id = ${webhookConfigId} for update`.execute(trx)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
  }
}

/** Undefined hours mean no change. */
export function areOther(hours: {
  before: SendingHours | null
  after: SendingHours | null | undefined
}): hours is { before: SendingHours | null; after: SendingHours | null } {
  return hours.after !== undefined && JSON.stringify(hours.before) !== JSON.stringify(hours.after)
}

/**
 * The hours of a stored configuration. Hours that only another version can read count as none, because new
 * ones replace them.
 */
export function hoursOf(stored: { sending_hours: unknown }): SendingHours | null {
  return sendingHoursSchema.safeParse(stored.sending_hours).data ?? null
}
