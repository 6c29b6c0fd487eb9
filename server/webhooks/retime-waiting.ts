import { sendingHoursSchema, type SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { Db } from '#core/data/database.ts'
import { listPlannedTimes, movePlanned } from '#core/data/webhooks/deliveries/move-planned.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { retimeDelivery } from '#core/domain/webhooks/sending-hours/retime-delivery.ts'

/** Plans anew what waits for a configuration whose sending hours change; in the transaction that changes them. @returns what is due now */
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

/** The hours of a stored configuration; what only another version can read counts as none, because new ones replace it. */
export function hoursOf(stored: { sending_hours: unknown }): SendingHours | null {
  return sendingHoursSchema.safeParse(stored.sending_hours).data ?? null
}
