import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { NewWebhookConfig, WebhookConfigChange } from '#core/contract/webhooks/webhook-config.ts'
import { forgetFailures } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { deleteDeliveries, deleteWebhook, retireWebhook } from '#core/data/webhooks/delete-webhooks.ts'
import {
  findWebhookConfig,
  insertWebhookConfig,
  lockWebhookConfig,
  updateWebhookConfig,
  type WebhookConfigRow,
} from '#core/data/webhooks/webhook-configs.ts'
import { setWebhookMember } from '#core/data/webhooks/webhook-members.ts'
import { AppError } from '#core/errors.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { checkWebhookConfig } from './check-webhook-config.ts'
import { createOnce } from '../http/create-once.ts'
import { chooseMember, keyOwnerOf } from '../market/own-member.ts'
import { refuseTooMany } from './refuse-too-many.ts'
import { areOther, hoursOf, retimeLate, retimeWaiting } from './retime-waiting.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'

/**
 * Creates a configuration of the caller, with its own signing secret.
 * @throws AppError too_many_webhooks, unusable_endpoint, validation_failed
 */
export async function createWebhookConfig(
  context: ServerContext,
  caller: Principal,
  given: { config: NewWebhookConfig; bodyText: string; idempotencyKey: string | undefined },
): Promise<WebhookConfigRow> {
  const { config, bodyText } = given
  const { fields } = checkWebhookConfig(context, config, bodyText)
  const { id } = await createOnce(
    context,
    {
      user_id: keyOwnerOf(caller),
      operation: 'webhook_config.create',
      key: given.idempotencyKey,
      content: bodyText,
    },
    async (trx, id) => {
      await refuseTooMany(trx, caller.user_id, context.config.webhooks.maxPerClient)
      const member_user_id = await chooseMember(trx, caller, config.member_user_id)
      await insertWebhookConfig(trx, {
        member_user_id,
        webhook_name: fields.webhook_name ?? config.webhook_name,
        endpoint_url: config.endpoint_url,
        request_method: config.request_method,
        payload_type: config.payload_type,
        is_active: config.is_active,
        trigger_on_lead_created: config.trigger_on_lead_created,
        trigger_on_lead_assigned: config.trigger_on_lead_assigned,
        custom_headers: fields.custom_headers ?? '{}',
        payload_template: fields.payload_template ?? JSON.stringify(config.payload_template),
        missing_values: config.missing_values,
        success_rule: fields.success_rule ?? null,
        capture_path: config.capture_path,
        conditions: fields.conditions ?? null,
        sending_hours: fields.sending_hours ?? null,
        authentication: fields.authentication ?? null,
        ca_certificate: fields.ca_certificate ?? null,
        client_certificate: fields.client_certificate ?? null,
        client_key: fields.client_key ?? null,
        id,
        client_user_id: caller.user_id,
        created_by: caller.person_id,
        signing_secret: context.secrets.seal(createSigningSecret()),
      })
    },
  )
  return await requireWebhookConfig(context, caller, id)
}

/**
 * Changes the given fields. A mask, or a field left out, keeps a stored credential as long as the endpoint's
 * origin stays. Switched on again, a configuration gets at once what was held for it meanwhile; with other
 * sending hours, what waits for them is planned anew.
 * @throws AppError not_found, unusable_endpoint, validation_failed
 */
export async function changeWebhookConfig(
  context: ServerContext,
  caller: Principal,
  id: string,
  given: { change: WebhookConfigChange; bodyText: string },
): Promise<WebhookConfigRow> {
  const { row, released, hours } = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const { member_user_id: wanted } = given.change
      const member = wanted === undefined ? undefined : await chooseMember(trx, caller, wanted)
      // Locked: otherwise a kept credential could be sent to an endpoint that is changed at the same moment.
      const stored = await lockWebhookConfig(trx, caller.user_id, id)
      if (stored === undefined) return { row: undefined, released: [], hours: undefined }
      const { fields } = checkWebhookConfig(context, given.change, given.bodyText, stored)
      if (member !== undefined && member !== stored.member_user_id)
        await setWebhookMember(
          trx,
          { client: caller.user_id, webhook_config_id: id },
          member,
          caller.person_id,
        )
      const changed = await updateWebhookConfig(trx, caller.user_id, id, fields)
      if (changed?.is_active === true && !stored.is_active) await forgetFailures(trx, id, false)
      const due = changed?.is_active === true ? await releaseHeldOf(trx, id) : []
      const hours = { before: hoursOf(stored), after: given.change.sending_hours }
      if (changed === undefined || !areOther(hours)) return { row: changed, released: due, hours: undefined }
      return { row: changed, released: [...due, ...(await retimeWaiting(trx, id, hours))], hours }
    }),
  )
  if (row === undefined) throw new AppError('not_found', 'Webhook not found')
  context.announce.deliveries(released)
  if (hours !== undefined) await announceLate(context, caller, id, hours.before)
  return row
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

/**
 * Deletes a configuration and what still waits for it. First it is switched off. Then its deliveries are
 * deleted in steps, some ten seconds for a million, while other clients' leads are planned. Last the
 * configuration itself is deleted. If this server ends midway, the webhook is switched off, with less waiting
 * for it, and can be deleted again.
 * @throws AppError not_found
 */
export async function removeWebhookConfig(
  { db }: Pick<ServerContext, 'db'>,
  caller: Pick<Principal, 'user_id'>,
  id: string,
): Promise<void> {
  const isDeleted = await repeatOnConflict(async () => {
    if (!(await retireWebhook(db, caller.user_id, id))) return false
    await deleteDeliveries(db, caller.user_id, id)
    return await db.transaction().execute((trx) => deleteWebhook(trx, caller.user_id, id))
  })
  if (!isDeleted) throw new AppError('not_found', 'Webhook not found')
}

/** @throws AppError not_found, also for another client's configuration */
export async function requireWebhookConfig(
  context: ServerContext,
  caller: Principal,
  id: string,
): Promise<WebhookConfigRow> {
  const row = await findWebhookConfig(context.db, caller.user_id, id)
  if (row === undefined) throw new AppError('not_found', 'Webhook not found')
  return row
}
