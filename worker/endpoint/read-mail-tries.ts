import type { Db } from '#core/data/database.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { readUnservedTries } from '#core/data/webhooks/by-mail/unserved-tries.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { NO_ANSWER, type UnservedTries } from '#core/domain/webhooks/by-mail/mail-server-retries.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'

const NONE: UnservedTries = { count: 0, since: null }

/**
 * The earlier tries of a failed delivery that our mail server did not take, which are not counted as attempts. While
 * PostgreSQL cannot be asked, all of them pass for such: a try too many does no harm.
 */
export async function readMailTries(
  db: Db,
  {
    delivery,
    request,
    result,
  }: {
    delivery: Pick<ClaimedDelivery, 'attempt' | 'lead_id' | 'delivery_id'>
    request: { url: string }
    result: Pick<SendResult, 'exchange'>
  },
): Promise<UnservedTries> {
  const { attempt } = delivery
  if (attempt === 1 || result.exchange.kind === 'answer' || !isMailUrl(request.url)) return NONE
  return await readUnservedTries(db, delivery, NO_ANSWER).catch(() => ({ count: attempt - 1, since: null }))
}
