import { sql } from 'kysely'
import {
  successRuleSchema,
  type MissingValues,
  type SuccessRule,
} from '#core/contract/webhooks/answer-rules.ts'
import { conditionsSchema, type Conditions } from '#core/contract/webhooks/conditions.ts'
import { sendingHoursSchema, type SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { PayloadType, RequestMethod } from '#core/contract/webhooks/webhook-config.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../database.ts'

/**
 * Everything about a configuration that shapes its requests; secrets and header values still sealed, JSON not yet
 * checked by its schema.
 */
export interface SendingConfig {
  id: string
  /** changes with every change of the row */
  version: string
  endpoint_url: string
  request_method: RequestMethod
  payload_type: PayloadType
  payload_template: string
  event_templates: unknown
  missing_values: MissingValues
  success_rule: unknown
  capture_path: string | null
  sending_hours: unknown
  custom_headers: unknown
  /** whether placeholders in `endpoint_url` and `custom_headers` are filled in */
  fills_address: boolean
  authentication: string | null
  ca_certificate: string | null
  client_certificate: string | null
  client_key: string | null
  signing_secret: string
  previous_signing_secret: string | null
  /** sealed secrets of the Ed25519 keys that also sign, newest first; null if none does */
  signing_seeds: string[] | null
  /** null: no limit */
  requests_per_minute: number | null
  /**
   * whole milliseconds for which the previous one continues to sign, by the database's clock; null, 0 or less: it does
   * not
   */
  overlap_ms: number | null
}

/** Reads configurations for the worker, in no order. */
export async function readSendingConfigs(db: Db, ids: readonly string[]): Promise<SendingConfig[]> {
  const { rows } = await sql<SendingConfig>`
    select id, xmin::text as version, endpoint_url, request_method, payload_type, payload_template, event_templates, missing_values, success_rule,
      capture_path, sending_hours, custom_headers, fills_address, authentication, ca_certificate, client_certificate, client_key, signing_secret, requests_per_minute,
      previous_signing_secret, case when sign_asymmetric then (
        select array_agg(k.seed_sealed order by k.ends_at desc nulls first, k.id desc) from webhook_signing_keys k
        where k.ends_at is null or k.ends_at > now()) end as signing_seeds,
      ceil(extract(epoch from previous_secret_expires_at - now()) * 1000)::float8 as overlap_ms
    from client_webhook_configs where id = any(${[...ids]}::uuid[])
  `.execute(db)
  return rows
}

/**
 * Reads a configuration's stored success rule.
 * @throws StoredDataError
 */
export function readSuccessRule(stored: unknown): SuccessRule | null {
  return readStored(successRuleSchema.nullable(), stored, 'the success rule of a configuration')
}

/**
 * Reads which leads a configuration is sent; null means every lead.
 * @throws StoredDataError
 */
export function readConditions(stored: unknown): Conditions | null {
  return readStored(conditionsSchema.nullable(), stored, 'the conditions of a configuration')
}

/**
 * Reads when a configuration is sent something; null means always.
 * @throws StoredDataError
 */
export function readSendingHours(stored: unknown): SendingHours | null {
  return readStored(sendingHoursSchema.nullable(), stored, 'the sending hours of a configuration')
}
