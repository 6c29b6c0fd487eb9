import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import type {
  WebhookDeliveryLogBodiesTable,
  WebhookDeliveryLogsTable,
} from '#core/data/schema/webhook-tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'

type LogRow = Insertable<WebhookDeliveryLogsTable>
type BodyRow = Insertable<WebhookDeliveryLogBodiesTable>

/**
 * Inserts an attempt as the worker logs it, at any time, with defaults for missing values. @returns its id
 */
export async function givenLogRow(
  db: Kysely<Database>,
  at: Date,
  row: Partial<LogRow> = {},
  bodies: Partial<BodyRow> = {},
): Promise<string> {
  const id = uuidAt(at, randomUUIDv7())
  await db
    .insertInto('webhook_delivery_logs')
    .values({
      id,
      created_at: at,
      webhook_config_id: randomUUID(),
      client_user_id: randomUUID(),
      delivery_id: randomUUID(),
      event_id: randomUUID(),
      event_type: 'lead.assigned',
      lead_id: randomUUID(),
      delivery_status: 'delivered',
      response_status: 200,
      attempt_number: 1,
      processing_time_ms: 12,
      error_class: null,
      error_message: null,
      remote_address: '192.0.2.1',
      request_url: 'https://crm.example.com/',
      request_method: 'POST',
      timing: null,
      ...row,
    })
    .execute()
  await db
    .insertInto('webhook_delivery_log_bodies')
    .values({
      id,
      created_at: at,
      request_headers: '{}',
      request_body: '{}',
      response_headers: '{}',
      response_body: 'thanks',
      ...bodies,
    })
    .execute()
  return id
}
