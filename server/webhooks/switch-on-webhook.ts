import type { SwitchOn, SwitchOnResult } from '#core/contract/webhooks/endpoint-health.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { countCancellable } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import { forgetFailures } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { hurryRetriesOf } from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import { lockWebhookConfig, updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import type { Db } from '#core/data/database.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { requireStillProven } from './configs/require-proven-address.ts'
import { testWebhookEndpoint } from './endpoint-test/test-webhook-endpoint.ts'
import { cancelWaiting } from './cancel-deliveries.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { sendOffered } from './settle-offered.ts'
import { requireWebhookConfig } from './configs/require-webhook-config.ts'
import { requireReadableCredentials } from './find-unreadable.ts'

/**
 * Switches a configuration on, after a test if one is asked for. Deliveries that were planned while it was
 * off are sent, discarded, or stay offered; earlier ones go on, unless they are discarded. A failed test
 * changes nothing. A configuration that is already on stays as it is, so the call may be repeated.
 * @throws AppError not_found, validation_failed if its credentials cannot be read, unusable_endpoint if it would mail a
 * person who does not belong to the account any more
 */
export async function switchOnWebhook(
  context: ServerContext,
  caller: Principal,
  id: string,
  wish: SwitchOn,
): Promise<SwitchOnResult> {
  const config = await requireWebhookConfig(context, caller, id)
  if (!config.is_active) requireReadableCredentials(config, context.secrets)
  const tested = wish.test_first
    ? await testWebhookEndpoint(context, caller, { body: { webhookId: id }, bodyText: '' })
    : null
  const test = tested?.result ?? null
  const nothing = { test, sent: 0, discarded: 0 }
  if (config.is_active) return { is_active: true, ...nothing }
  if (test !== null && !test.success) return { is_active: false, ...nothing }
  await requireStillProven(context.db, config)
  // Discarded while it is still off, so that none of it is sent; events from now on are new, and are sent.
  const { count: discarded } =
    wish.waiting === 'discard' ? await cancelWaiting(context, caller, id, { dry_run: false }) : { count: 0 }
  const { sent, released, hurried } = await repeatOnConflict(() =>
    context.db.transaction().execute((trx) => switchOn(trx, caller, id, test !== null)),
  )
  context.announce.deliveries(released)
  context.announce.deliveries(hurried)
  const { count: accepted } = wish.waiting === 'send' ? await sendOffered(context, caller, id) : { count: 0 }
  return { is_active: true, test, sent: sent + accepted, discarded }
}

/**
 * Switches a configuration on in the caller's transaction, and counts what goes out.
 * @throws AppError not_found
 */
export async function switchOn(
  trx: Db,
  owner: Pick<Principal, 'user_id'>,
  id: string,
  isTested: boolean,
): Promise<{ sent: number; released: DueDelivery[]; hurried: DueDelivery[] }> {
  const stored = await lockWebhookConfig(trx, owner.user_id, id)
  if (stored === undefined) throw new AppError('not_found', 'Webhook not found')
  if (stored.is_active) return { sent: 0, released: [], hurried: [] }
  const which = { webhook_config_id: id }
  const sent =
    (await countCancellable(trx, owner.user_id, which)) -
    (await countCancellable(trx, owner.user_id, { ...which, offered: 'all' }))
  await updateWebhookConfig(trx, owner.user_id, id, { is_active: true })
  await forgetFailures(trx, id, isTested)
  const hurried = await hurryRetriesOf(trx, id)
  return { sent, released: await releaseHeldOf(trx, id), hurried }
}
