import type { ClientWebhook } from '#core/contract/market/client-page.ts'
import { WAITING_COUNTED, type EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { hostOf } from '#core/data/webhooks/endpoint-host.ts'
import {
  readEndpointHealth,
  type EndpointHealthRow,
} from '#core/data/webhooks/health/read-endpoint-health.ts'
import { endpointStatus } from '#core/domain/webhooks/endpoint-status.ts'
import { rateDeliveries } from '#core/domain/webhooks/rate-deliveries.ts'
import { emptyLatency, latencyAt } from '#core/domain/webhooks/latency.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

export async function listEndpointHealth(
  context: ServerContext,
  caller: Principal,
): Promise<EndpointHealth[]> {
  return (await readEndpointHealth(context.db, caller.user_id, undefined, caller.member_user_id)).map(
    describe,
  )
}

/** The same of a client, for administrators: they see the host of an endpoint, but not its path or query. */
export async function listClientWebhooks(
  context: Pick<ServerContext, 'db'>,
  client: string,
): Promise<ClientWebhook[]> {
  return (await readEndpointHealth(context.db, client)).map((row) => ({
    ...describe(row),
    is_active: row.is_active,
    endpoint_host: hostOf(row.endpoint_url),
  }))
}

/** @throws AppError not_found, also for another client's configuration */
export async function showEndpointHealth(
  context: ServerContext,
  caller: Principal,
  id: string,
): Promise<EndpointHealth> {
  const [row] = await readEndpointHealth(context.db, caller.user_id, id)
  if (row === undefined) throw new AppError('not_found', 'Webhook not found')
  return describe(row)
}

function describe(row: EndpointHealthRow): EndpointHealth {
  const delivered = sum(row.hours.map((hour) => hour.delivered))
  const failed = sum(row.hours.map((hour) => hour.failed))
  const latency = emptyLatency().map((_, step) => sum(row.hours.map((hour) => hour.latency[step] ?? 0)))
  const waiting = Math.min(row.waiting, WAITING_COUNTED)
  return {
    webhook_config_id: row.webhook_config_id,
    webhook_name: row.webhook_name,
    standing: endpointStatus({
      ...row,
      was_switched_off: row.disabled_at !== null,
      has_attempts: row.last_attempt_at !== null,
    }),
    disabled_reason: row.disabled_reason,
    disabled_at: iso(row.disabled_at),
    sending_pause_reason: row.sending_pause_reason,
    last_attempt_at: iso(row.last_attempt_at),
    last_status: row.last_status,
    last_error_class: row.last_error_class,
    last_error_message: row.last_error_message,
    last_success_at: iso(row.last_success_at),
    failures_in_row: row.failures_in_row,
    failing_since: iso(row.failing_since),
    breaker: row.breaker,
    next_probe_at: row.breaker === 'open' ? iso(row.probe_at) : null,
    day: {
      delivered,
      failed,
      lost: row.lost,
      tried: row.tried,
      skipped: row.skipped,
      success_rate: rateDeliveries({ delivered, lost: row.lost, waiting }),
      p50_ms: latencyAt(latency, 0.5),
      p95_ms: latencyAt(latency, 0.95),
    },
    hours: fillHours(row),
    waiting,
    waiting_more: row.waiting > WAITING_COUNTED,
    offered: Math.min(row.offered, WAITING_COUNTED),
  }
}

/** Adds the hours without an attempt, which have no row. */
function fillHours({ hours, now }: EndpointHealthRow): EndpointHealth['hours'] {
  const current = Math.floor(now.getTime() / HOUR_MS)
  const known = new Map(hours.map((row) => [Math.floor(Date.parse(row.hour) / HOUR_MS), row]))
  return Array.from({ length: HOURS }, (_, index) => {
    const hour = current - HOURS + 1 + index
    const { delivered = 0, failed = 0 } = known.get(hour) ?? {}
    return { hour: new Date(hour * HOUR_MS).toISOString(), delivered, failed }
  })
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function iso(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
