import { listProvenAddresses } from '#core/data/accounts/proven-addresses.ts'
import type { Db } from '#core/data/database.ts'
import { mailAddressOf } from '#core/domain/webhooks/by-mail/mail-address.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'

const STRANGER =
  'Nothing was sent: the address in Endpoint URL is not, or no longer, a confirmed address of a person of your account. Choose another, and activate the webhook again.'

/**
 * Refuses a mail to an address that is nobody's of the account now: a person who has left it, or has another address,
 * gets no further leads. Requests to other endpoints stay as they are.
 */
export async function refuseStranger(
  db: Db,
  client: string,
  request: WebhookRequest,
): Promise<WebhookRequest> {
  const address = mailAddressOf(request.url)
  if (address === undefined || (await listProvenAddresses(db, client)).includes(address)) return request
  return { ...request, body: '', refusal: STRANGER, refusedAs: 'gone' }
}
