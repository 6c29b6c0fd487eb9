import { listProvenAddresses } from '#core/data/accounts/proven-addresses.ts'
import type { Db } from '#core/data/database.ts'
import type { WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { mailAddressOf } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { AppError } from '#core/errors.ts'
import type { MailAddresses } from '#core/contract/webhooks/webhook-config.ts'
import type { ServerContext } from '../../context.ts'
import type { Principal } from '../../identity/find-live-session.ts'

type Caller = Pick<Principal, 'user_id' | 'member_user_id'>

const STRANGER =
  'Leads are mailed only to confirmed addresses of people of your account. Invite this person under Settings, or use another address.'

/** Refuses an endpoint that is the mail address of a stranger. An agent's webhooks mail to the agent alone. @throws AppError unusable_endpoint */
export async function requireProvenAddress(
  db: Db,
  { user_id: account, member_user_id: member }: Caller,
  endpointUrl: string | undefined,
): Promise<void> {
  const address = endpointUrl === undefined ? undefined : mailAddressOf(endpointUrl)
  if (address === undefined || (await listProvenAddresses(db, account, member)).includes(address)) return
  throw new AppError('unusable_endpoint', STRANGER, {
    errors: [{ path: 'endpoint_url', message: STRANGER }],
  })
}

/**
 * Refuses to switch on a webhook that mails somebody who does not belong to the account any more: it would fail all that
 * was held for it. @throws AppError unusable_endpoint
 */
export async function requireStillProven(
  db: Db,
  { client_user_id, endpoint_url }: Pick<WebhookConfigRow, 'client_user_id' | 'endpoint_url'>,
): Promise<void> {
  await requireProvenAddress(db, { user_id: client_user_id }, endpoint_url)
}

/** The addresses that {@link requireProvenAddress} lets through; none if no mail can be sent. */
export async function listMailAddresses(
  { db, webhooks }: Pick<ServerContext, 'db' | 'webhooks'>,
  { user_id: account, member_user_id: member }: Caller,
): Promise<MailAddresses> {
  const proven = webhooks.mailRefusal === undefined ? await listProvenAddresses(db, account, member) : []
  // An account may have an address that no URL of ours can hold, as with % or &.
  return { mail_addresses: proven.filter((address) => mailAddressOf(`mailto:${address}`) !== undefined) }
}
