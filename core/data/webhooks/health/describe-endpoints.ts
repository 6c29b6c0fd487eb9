import { sql } from 'kysely'
import { WAITING_COUNTED } from '#core/contract/webhooks/endpoint-health.ts'
import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'
import type { MailData } from '#core/contract/mail.ts'
import type { ClientEventToWrite } from '#core/data/outbox/write-client-events.ts'
import { clientName } from '../../accounts/named-client.ts'

/**
 * The class of a 2xx whose body rejects the lead: the endpoint works, and only its owner can say whether it should go
 * on.
 */
export const REFUSED: ErrorClass = 'refused_by_body'

/** SQL, on `client_webhook_configs c` with its {@link OWNER}: a {@link NamedEndpoint}. */
export const ENDPOINT = sql`c.id as webhook_config_id, c.webhook_name, c.client_user_id, ${clientName('owner')} as client_name`
export const OWNER = sql`join profiles owner on owner.user_id = c.client_user_id`
export const WAITING = sql`(
  select count(*)::int from (
    select from webhook_deliveries d where d.webhook_config_id = c.id and d.state in ('pending', 'held')
    limit ${sql.lit(WAITING_COUNTED)}) counted) as waiting`

/** A configuration and its owner. */
export interface NamedEndpoint {
  webhook_config_id: string
  webhook_name: string
  client_user_id: string
  client_name: string
}

/** An endpoint that keeps failing. */
export interface FailingEndpoint extends NamedEndpoint {
  failing_since: Date
  failures_in_row: number
  last_error_class: string | null
  last_error_message: string | null
  waiting: number
}

/** An endpoint that the system has switched off. */
export interface SwitchedOffEndpoint extends NamedEndpoint {
  disabled_at: Date
  disabled_reason: string | null
  waiting: number
}

/** Reads the part that every such mail has. */
export function describeEndpoint(row: NamedEndpoint): NamedEndpoint {
  const { webhook_config_id, webhook_name, client_user_id, client_name } = row
  return { webhook_config_id, webhook_name, client_user_id, client_name }
}

export function describeFailing(row: FailingEndpoint): MailData<'endpoint_failing'> {
  return {
    ...describeEndpoint(row),
    failures_in_row: row.failures_in_row,
    failing_since: row.failing_since.toISOString(),
    last_failure: row.last_error_message,
    refuses: row.last_error_class === REFUSED,
    waiting: row.waiting,
  }
}

export function describeSwitchedOff(row: SwitchedOffEndpoint): MailData<'endpoint_switched_off'> {
  return {
    ...describeEndpoint(row),
    reason: row.disabled_reason ?? 'not known',
    switched_off_at: row.disabled_at.toISOString(),
    waiting: row.waiting,
  }
}

/** The event beside the mail of {@link describeFailing}. */
export function describeFailingEvent(row: FailingEndpoint): ClientEventToWrite {
  return {
    ...aboutWebhook(row),
    type: 'webhook.failing',
    data: {
      ...namedWebhook(row),
      failing_since: row.failing_since.toISOString(),
      failures_in_row: row.failures_in_row,
      last_error: row.last_error_message,
    },
  }
}

/** The event beside the mail of {@link describeSwitchedOff}. */
export function describeDisabledEvent(row: SwitchedOffEndpoint): ClientEventToWrite {
  const { reason, switched_off_at: disabled_at } = describeSwitchedOff(row)
  return {
    ...aboutWebhook(row),
    type: 'webhook.disabled',
    data: { ...namedWebhook(row), reason, disabled_at },
  }
}

const aboutWebhook = ({ client_user_id, webhook_config_id: id }: NamedEndpoint) =>
  ({ client_user_id, subject: { type: 'webhook', id } }) as const

const namedWebhook = ({ webhook_config_id: webhook_id, webhook_name }: NamedEndpoint) => ({
  webhook_id,
  webhook_name,
})
