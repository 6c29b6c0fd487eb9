import type { Db } from '#core/data/database.ts'
import { keepPaymentEvent } from '#core/data/market/payments/payment-events.ts'
import type { z } from 'zod'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { readPaymentEvent, type paymentEventSchema } from './read-payment-event.ts'
import { labelMethod, takeIntentEvent } from './take-intent-event.ts'
import { takePageEvent, type Outcome } from './take-page-event.ts'
import { takeFailedRefund, takeReversal } from './take-reversal.ts'

type Told = ReturnType<typeof readPaymentEvent>

/** Handles an event of the provider once, in whatever order and however often it is sent. */
export async function takePaymentEvent(
  context: Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>,
  event: z.infer<typeof paymentEventSchema>,
): Promise<Outcome> {
  const { db, logger } = context
  const told = readPaymentEvent(event)
  const payment_id = namePayment(told)
  const outcome = await repeatOnConflict(() =>
    db.transaction().execute(async (trx): Promise<Outcome> => {
      const isNew = await keepPaymentEvent(trx, { event_id: event.id, type: event.type, payment_id })
      return isNew ? await take(trx, event.type, told) : 'repeated'
    }),
  )
  const fields = { event_id: event.id, event_type: event.type, payment_id, outcome }
  const isOdd = outcome === 'flagged' || (outcome === 'unknown' && told.about !== 'nothing')
  if (isOdd) logger.warn(fields, 'the payment provider tells of what was not asked for')
  else logger.info(fields, 'a payment event')
  if (told.about === 'intent') await labelMethod(context, told.intent)
  return outcome
}

async function take(trx: Db, type: string, told: Told): Promise<Outcome> {
  switch (told.about) {
    case 'page':
      return await takePageEvent(trx, type, told.page)
    case 'intent':
      return await takeIntentEvent(trx, told.intent)
    case 'reversal':
      return await takeReversal(trx, told.reversal)
    case 'failed_refund':
      return await takeFailedRefund(trx, told.refund)
    default:
      return 'unknown'
  }
}

function namePayment(told: Told): string | null {
  if (told.about === 'page') return told.page.client_reference_id
  if (told.about === 'intent') return told.intent.payment_id
  return told.about === 'reversal' ? told.reversal.payment_id : null
}
