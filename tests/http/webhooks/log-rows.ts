import { randomUUIDv7 } from 'node:crypto'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { newLead, type Person, type TestApp } from '../support/start-app.ts'

export interface Planned {
  configId: string
  leadId: string
  deliveryId: string
  eventId: string
}

/** Outcome of an attempt. `retryInMs`: a retry is planned after this time. */
export interface Outcome {
  delivered: boolean
  isLast?: boolean
  retryInMs?: number
  error?: string
  /** the attempt failed before anything was sent */
  isUnreached?: boolean
}

/**
 * Deliveries and log rows of a client. The real code plans them; without a worker, the tests write the log
 * rows.
 */
export interface LogRows {
  planDelivery: (owner?: Person, configId?: string, lead?: Record<string, unknown>) => Promise<Planned>
  /** Writes the row that the worker writes after an attempt. */
  logAttempt: (planned: Planned, attempt: number, outcome: Outcome, owner?: Person) => Promise<string>
}

export function createLogRows(app: TestApp, client: Person): LogRows {
  const call = (path: string, body: unknown, owner: Person) =>
    app.call('POST', path, { token: owner.token, body })

  return {
    planDelivery: async (owner = client, configId, fields = {}) => {
      const config =
        configId ??
        (
          await call(
            '/api/v1/webhook-configs',
            { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com' },
            owner,
          )
        ).json.id
      const source = await app.newSource({ owner })
      const body = { ...newLead(), ...fields }
      const lead = await app.call('POST', '/api/v1/leads', { token: source.key, body })
      const leadId = lead.json.lead_id
      await call('/functions/v1/webhook-delivery', { lead_id: leadId, client_user_id: owner.id }, owner)
      const delivery = await app.context.db
        .selectFrom('webhook_deliveries')
        .select(['id', 'event_id'])
        .where('lead_id', '=', leadId)
        .where('webhook_config_id', '=', config)
        .executeTakeFirstOrThrow()
      return { configId: config, leadId, deliveryId: delivery.id, eventId: delivery.event_id }
    },

    logAttempt: async (planned, attempt, outcome, owner = client) => {
      const { db } = app.context
      const created_at = new Date()
      const id = uuidAt(created_at, randomUUIDv7())
      const { delivered, isLast = outcome.retryInMs === undefined, retryInMs, isUnreached = false } = outcome
      const next = retryInMs === undefined ? null : new Date(Date.now() + retryInMs)
      await db
        .insertInto('webhook_delivery_logs')
        .values({
          id,
          created_at,
          webhook_config_id: planned.configId,
          client_user_id: owner.id,
          delivery_id: planned.deliveryId,
          event_id: planned.eventId,
          event_type: 'lead.assigned',
          lead_id: planned.leadId,
          delivery_status: delivered ? 'delivered' : 'failed',
          response_status: isUnreached ? null : delivered ? 200 : 500,
          attempt_number: attempt,
          processing_time_ms: 12,
          error_class: isUnreached ? 'connect' : delivered ? null : 'http_5xx',
          error_message: delivered
            ? null
            : (outcome.error ?? '500: your endpoint reported an error of its own.'),
          next_attempt_at: next ?? (isLast ? null : new Date(Date.now() + 5000)),
          remote_address: isUnreached ? null : '192.0.2.1',
          request_url: 'https://crm.example.com/',
          request_method: 'POST',
          timing: JSON.stringify({ connect_ms: 1, headers_ms: 5, total_ms: 12 }),
        })
        .execute()
      await db
        .insertInto('webhook_delivery_log_bodies')
        .values({
          id,
          created_at,
          request_headers: JSON.stringify({ 'content-type': 'application/json', 'X-Key': '••••' }),
          request_body: '{"name":"Rosa"}',
          response_headers: JSON.stringify({ server: 'crm' }),
          response_body: 'thanks',
        })
        .execute()
      await db
        .updateTable('webhook_deliveries')
        .set({
          attempt,
          state: isLast ? (delivered ? 'delivered' : 'failed') : 'pending',
          finished_at: isLast ? new Date() : null,
          next_attempt_at: next,
        })
        .where('id', '=', planned.deliveryId)
        .execute()
      return id
    },
  }
}
