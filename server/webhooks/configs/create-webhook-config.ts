import type { NewWebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { insertWebhookConfig, type WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import type { Db } from '#core/data/database.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { takeSigningKeys } from '#core/secrets/signing-keys.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { checkWebhookConfig, type CheckedConfig } from './check-webhook-config.ts'
import { createOnce, listIds } from '../../http/create-once.ts'
import { eachRow } from '../../http/errors/name-row.ts'
import { chooseMember, keyOwnerOf } from '../../market/own-member.ts'
import { requireProvenAddress } from './require-proven-address.ts'
import { refuseTooMany } from './refuse-too-many.ts'
import { requireWebhookConfig } from './require-webhook-config.ts'

/** A configuration to create, and the text of its JSON, from which the template is cut. */
export interface GivenConfig {
  config: NewWebhookConfig
  bodyText: string
}

/** Creates one configuration like {@link createWebhookConfigs}. @throws AppError */
export async function createWebhookConfig(
  context: ServerContext,
  caller: Principal,
  { idempotencyKey, ...given }: GivenConfig & { idempotencyKey: string | undefined },
): Promise<WebhookConfigRow> {
  const asked = { rows: [given], content: given.bodyText, idempotencyKey }
  const [id = ''] = await createWebhookConfigs(context, caller, asked)
  return await requireWebhookConfig(context, caller, id)
}

/**
 * Creates all these configurations of the caller, or none, each with its own signing secret.
 * @param given.content what must be the same for a repeat with the same `Idempotency-Key`
 * @returns their ids, in their order
 * @throws AppError too_many_webhooks, unusable_endpoint, validation_failed
 */
export async function createWebhookConfigs(
  context: ServerContext,
  caller: Principal,
  given: { rows: readonly GivenConfig[]; content: string; idempotencyKey: string | undefined },
): Promise<string[]> {
  const { rows, content, idempotencyKey: key } = given
  const checked = eachRow(rows, ({ config, bodyText }) => ({
    config,
    fields: checkWebhookConfig(context, config, bodyText).fields,
  }))
  const asked = { user_id: keyOwnerOf(caller), operation: 'webhook_config.create', key, content }
  const { id } = await createOnce(context, asked, async (trx, first) => {
    await refuseTooMany(trx, caller.user_id, context.config.webhooks.maxPerClient, rows.length)
    const ids = listIds(first, rows.length)
    for (const [index, id] of ids.entries()) {
      const row = checked[index]
      if (row !== undefined) await insertOne(context, trx, caller, { ...row, id })
    }
  })
  return listIds(id, rows.length)
}

async function insertOne(
  context: ServerContext,
  trx: Db,
  caller: Principal,
  { config, fields, id }: { config: NewWebhookConfig; fields: CheckedConfig['fields']; id: string },
): Promise<void> {
  await requireProvenAddress(trx, caller, config.endpoint_url)
  const member_user_id = await chooseMember(trx, caller, config.member_user_id)
  if (config.sign_asymmetric) await takeSigningKeys(trx, context.secrets)
  await insertWebhookConfig(trx, {
    member_user_id,
    webhook_name: fields.webhook_name ?? config.webhook_name,
    endpoint_url: config.endpoint_url,
    request_method: config.request_method,
    payload_type: config.payload_type,
    is_active: config.is_active,
    trigger_on_lead_created: config.trigger_on_lead_created,
    trigger_on_lead_assigned: config.trigger_on_lead_assigned,
    events: config.events,
    event_templates: fields.event_templates ?? '{}',
    custom_headers: fields.custom_headers ?? '{}',
    fills_address: true,
    payload_template: fields.payload_template ?? JSON.stringify(config.payload_template),
    missing_values: config.missing_values,
    success_rule: fields.success_rule ?? null,
    capture_path: config.capture_path,
    conditions: fields.conditions ?? null,
    sending_hours: fields.sending_hours ?? null,
    requests_per_minute: config.requests_per_minute,
    authentication: fields.authentication ?? null,
    ca_certificate: fields.ca_certificate ?? null,
    client_certificate: fields.client_certificate ?? null,
    client_key: fields.client_key ?? null,
    sign_asymmetric: config.sign_asymmetric,
    id,
    client_user_id: caller.user_id,
    created_by: caller.person_id,
    signing_secret: context.secrets.seal('client_webhook_configs.signing_secret', createSigningSecret()),
  })
}
