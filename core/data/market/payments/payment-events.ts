import type { Insertable } from 'kysely'
import type { Db } from '../../database.ts'
import type { PaymentEventsTable } from '../../schema/payment-tables.ts'

/**
 * Notes an event of the provider, in the transaction with its effects.
 * @returns false if it was handled before
 */
export async function keepPaymentEvent(
  trx: Db,
  event: Omit<Insertable<PaymentEventsTable>, 'received_at'>,
): Promise<boolean> {
  const kept = await trx
    .insertInto('payment_events')
    .values(event)
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return kept !== undefined
}
