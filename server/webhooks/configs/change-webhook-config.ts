import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { WebhookConfigChange } from '#core/contract/webhooks/webhook-config.ts'
import { forgetFailures } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { Db } from '#core/data/database.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import {
  lockWebhookConfigs,
  updateWebhookConfig,
  type WebhookConfigRow,
} from '#core/data/webhooks/webhook-configs.ts'
import { setWebhookMember } from '#core/data/webhooks/webhook-members.ts'
import { AppError } from '#core/errors.ts'
import { takeSigningKeys } from '#core/secrets/signing-keys.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { oneRow, type ChosenRows } from '../../http/chosen-rows.ts'
import { chooseMember } from '../../market/own-member.ts'
import { checkWebhookConfig } from './check-webhook-config.ts'
import { requireProvenAddress, requireStillProven } from './require-proven-address.ts'
import { areOther, hoursOf, retimeLate, retimeWaiting } from '../retime-waiting.ts'

interface Given {
  change: WebhookConfigChange
  bodyText: string
}

/** Changes one configuration like {@link changeWebhookConfigs}. @throws AppError not_found */
export async function changeWebhookConfig(
  context: ServerContext,
  caller: Principal,
  id: string,
  given: Given,
): Promise<WebhookConfigRow> {
  const [row] = await changeWebhookConfigs(context, caller, oneRow(id), given)
  if (row === undefined) throw new AppError('not_found', 'Webhook not found')
  return row
}

/**
 * Changes the given fields of all these configurations, or of none. A mask, or a field left out, keeps a stored
 * credential as long as the endpoint's origin stays. Switched on again, a configuration gets at once what was held for
 * it meanwhile; with other sending hours, what waits for them is planned anew.
 * @returns those that exist, as they are now
 * @throws AppError unusable_endpoint, validation_failed
 */
export async function changeWebhookConfigs(
  context: ServerContext,
  caller: Principal,
  chosen: ChosenRows,
  given: Given,
): Promise<WebhookConfigRow[]> {
  const changes = await repeatOnConflict(() =>
    context.db.transaction().execute((trx) => changeAll(context, trx, caller, { chosen, given })),
  )
  context.announce.deliveries(changes.flatMap(({ released }) => released))
  for (const { row, before } of changes)
    if (isRetimed(before, given)) await announceLate(context, caller, row.id, hoursOf(before))
  return changes.map(({ row }) => row)
}

interface Changed {
  before: WebhookConfigRow
  row: WebhookConfigRow
}

/** Rows, health and deliveries are locked one kind after the other (docs/decisions/0005). */
async function changeAll(
  context: ServerContext,
  trx: Db,
  caller: Principal,
  { chosen, given }: { chosen: ChosenRows; given: Given },
): Promise<Array<Changed & { released: DueDelivery[] }>> {
  const { member_user_id: wanted } = given.change
  const member = wanted === undefined ? undefined : await chooseMember(trx, caller, wanted)
  // Locked: otherwise a kept credential could be sent to an endpoint that is changed at the same moment.
  const locked = await lockWebhookConfigs(trx, caller.user_id, chosen.ids)
  const meant = new Set(
    await chosen.confirm(
      trx,
      locked.map(({ id }) => id),
    ),
  )
  if (given.change.sign_asymmetric === true) await takeSigningKeys(trx, context.secrets)
  const changes: Changed[] = []
  for (const before of locked.filter(({ id }) => meant.has(id))) {
    const { fields } = checkWebhookConfig(context, given.change, given.bodyText, before)
    const { endpoint_url: url = before.endpoint_url, is_active: isActive } = given.change
    if (url !== before.endpoint_url) await requireProvenAddress(trx, caller, url)
    else if (isActive === true && !before.is_active) await requireStillProven(trx, before)
    if (member !== undefined && member !== before.member_user_id) {
      const which = { client: caller.user_id, webhook_config_id: before.id }
      await setWebhookMember(trx, which, member, caller.person_id)
    }
    const row = await updateWebhookConfig(trx, caller.user_id, before.id, fields)
    if (row !== undefined) changes.push({ before, row })
  }
  for (const { before, row } of changes)
    if (row.is_active && !before.is_active) await forgetFailures(trx, row.id, false)
  const released: DueDelivery[][] = []
  for (const change of changes) released.push(await releaseWaiting(trx, change, given))
  await chosen.show?.(
    trx,
    changes.map(({ row }) => row.id),
  )
  return changes.map((change, index) => ({ ...change, released: released[index] ?? [] }))
}

async function releaseWaiting(trx: Db, { before, row }: Changed, given: Given): Promise<DueDelivery[]> {
  const released = row.is_active ? await releaseHeldOf(trx, row.id) : []
  const hours = { before: hoursOf(before), after: given.change.sending_hours }
  return areOther(hours) ? [...released, ...(await retimeWaiting(trx, row.id, hours))] : released
}

function isRetimed(before: WebhookConfigRow, { change }: Given): boolean {
  return areOther({ before: hoursOf(before), after: change.sending_hours })
}

/** The change is already committed, so a failure here is only logged. */
async function announceLate(
  context: ServerContext,
  caller: Principal,
  id: string,
  before: SendingHours | null,
): Promise<void> {
  try {
    context.announce.deliveries(await retimeLate(context.db, caller.user_id, id, before))
  } catch (error) {
    context.logger.warn({ err: error, webhook_config_id: id }, 'what was planned meanwhile keeps its time')
  }
}
