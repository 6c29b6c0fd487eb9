import { isClientEvent } from '#core/contract/events.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { readClaimedLead } from '#core/data/webhooks/deliveries/claimed-lead.ts'
import { takeLeadMail } from '#core/data/webhooks/by-mail/lead-mail-lines.ts'
import { takeTestMail } from '#core/data/webhooks/by-mail/test-mails.ts'
import { mailAddressOf } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { describeTestMailLimit, TEST_MAILS } from '#core/domain/webhooks/by-mail/test-mail-limits.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'
import type { SendingContext } from '../sending-context.ts'

/**
 * Limits mails, so that codes for signing in still leave by the same mail server. Test mails above their number are
 * refused; all others wait for the limit of the installation, if it has one. Other requests stay as they are.
 * @returns the request to send, or the time at which it should ask again
 */
export async function limitMail(
  { db, config }: Pick<SendingContext, 'db' | 'config'>,
  delivery: ClaimedDelivery,
  request: WebhookRequest,
): Promise<WebhookRequest | Date> {
  const address = mailAddressOf(request.url)
  if (address === undefined || request.refusal !== undefined) return request
  const { client_user_id: client, attempt, event_type: event, was_put_off: wasPutOff } = delivery
  if (!isClientEvent(event) && readClaimedLead(delivery).is_test) {
    const wait = await takeTestMail(db, { client, address }, TEST_MAILS)
    if (wait !== undefined)
      return { ...request, body: '', refusal: describeTestMailLimit(wait), refusedAs: 'for_good' }
  }
  const perHour = config.mail.leadsPerHour
  if (perHour === undefined) return request
  const isNew = attempt === 1 && !wasPutOff
  return (await takeLeadMail(db, { client, isNew, perHour })) ?? request
}
