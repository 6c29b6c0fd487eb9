import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import type { PagePosition } from '../page.ts'
import { POSITION_FORMAT } from '../page.ts'
import type { WebhookConfigsTable } from '../schema/webhook-tables.ts'

const COLUMNS = [
  'id',
  'webhook_name',
  'endpoint_url',
  'request_method',
  'payload_type',
  'is_active',
  'trigger_on_lead_created',
  'trigger_on_lead_assigned',
  'events',
  'event_templates',
  'custom_headers',
  'fills_address',
  'payload_template',
  'missing_values',
  'success_rule',
  'capture_path',
  'conditions',
  'sending_hours',
  'requests_per_minute',
  'authentication',
  'ca_certificate',
  'client_certificate',
  'client_key',
  'sign_asymmetric',
  'client_user_id',
  'created_by',
  'disabled_reason',
  'sending_pause_reason',
  'member_user_id',
  'created_at',
  'updated_at',
] as const

/** A configuration as stored: header values, authentication and key sealed, the template as its text. */
export type WebhookConfigRow = Pick<Selectable<WebhookConfigsTable>, (typeof COLUMNS)[number]>

/** The fields that a caller may write; the template as text, header values, authentication and key sealed. */
export type WebhookConfigFields = Pick<Updateable<WebhookConfigsTable>, Writable>
type Writable =
  | 'webhook_name'
  | 'endpoint_url'
  | 'request_method'
  | 'payload_type'
  | 'is_active'
  | 'trigger_on_lead_created'
  | 'trigger_on_lead_assigned'
  | 'events'
  | 'event_templates'
  | 'custom_headers'
  | 'fills_address'
  | 'payload_template'
  | 'missing_values'
  | 'success_rule'
  | 'capture_path'
  | 'conditions'
  | 'sending_hours'
  | 'requests_per_minute'
  | 'authentication'
  | 'ca_certificate'
  | 'client_certificate'
  | 'client_key'
  | 'sign_asymmetric'
  | 'member_user_id'

/** The owner's configurations, or those of one person of the account (`member`), newest first, with one row more than `limit` if there are more. */
export async function listWebhookConfigs(
  db: Db,
  owner: string,
  page: { limit: number; after: PagePosition | undefined; member?: string | undefined },
): Promise<Array<WebhookConfigRow & { position: string }>> {
  return await db
    .selectFrom('client_webhook_configs')
    .select(COLUMNS)
    .select(sql<string>`to_char(created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .where('client_user_id', '=', owner)
    .$if(page.member !== undefined, (query) => query.where('member_user_id', '=', page.member ?? null))
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (${page.after?.at ?? null}::timestamptz, ${page.after?.id ?? null}::uuid)`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

export async function findWebhookConfig(
  db: Db,
  owner: string,
  id: string,
): Promise<WebhookConfigRow | undefined> {
  return await db
    .selectFrom('client_webhook_configs')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .executeTakeFirst()
}

/** Those of these configurations that are the owner's, locked by ascending id: nobody else changes them meanwhile. */
export async function lockWebhookConfigs(
  trx: Db,
  owner: string,
  ids: readonly string[],
): Promise<WebhookConfigRow[]> {
  if (ids.length === 0) return []
  return await trx
    .selectFrom('client_webhook_configs')
    .select(COLUMNS)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .where('client_user_id', '=', owner)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** One of the owner's configurations, locked: nobody else changes it before the transaction ends. */
export async function lockWebhookConfig(
  trx: Db,
  owner: string,
  id: string,
): Promise<WebhookConfigRow | undefined> {
  return await trx
    .selectFrom('client_webhook_configs')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function insertWebhookConfig(
  db: Db,
  config: Required<
    Pick<
      Insertable<WebhookConfigsTable>,
      Writable | 'id' | 'client_user_id' | 'created_by' | 'signing_secret'
    >
  >,
): Promise<WebhookConfigRow> {
  return await db
    .insertInto('client_webhook_configs')
    .values(config)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Changes the given fields. Switching on clears the system's reason for switching it off. */
export async function updateWebhookConfig(
  db: Db,
  owner: string,
  id: string,
  change: WebhookConfigFields,
): Promise<WebhookConfigRow | undefined> {
  return await db
    .updateTable('client_webhook_configs')
    .set({
      ...change,
      ...(change.is_active === true ? { disabled_reason: null, disabled_at: null, retired_at: null } : {}),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .returning(COLUMNS)
    .executeTakeFirst()
}
