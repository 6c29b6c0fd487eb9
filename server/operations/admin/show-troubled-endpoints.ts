import type { TroubledEndpoint } from '#core/contract/operations/dead-letter.ts'
import { WAITING_COUNTED } from '#core/contract/webhooks/endpoint-health.ts'
import type { Db } from '#core/data/database.ts'
import { listTroubledEndpoints, TROUBLED_LISTED } from '#core/data/webhooks/health/troubled-endpoints.ts'
import { endpointStatus, NAMED_AFTER_FAILURES } from '#core/domain/webhooks/endpoint-status.ts'

/** The endpoints that need attention, each with the status that its client sees; `more` if there are others. */
export async function showTroubledEndpoints(
  db: Db,
): Promise<{ endpoints: TroubledEndpoint[]; more: boolean }> {
  const stored = await listTroubledEndpoints(db, NAMED_AFTER_FAILURES)
  const endpoints = stored
    .slice(0, TROUBLED_LISTED)
    .map(({ was_switched_off, lost_in_row, waiting, ...endpoint }) => ({
      ...endpoint,
      standing: endpointStatus({ ...endpoint, was_switched_off, lost_in_row, has_attempts: true }),
      waiting: Math.min(waiting, WAITING_COUNTED),
      waiting_more: waiting > WAITING_COUNTED,
    }))
  return { endpoints, more: stored.length > TROUBLED_LISTED }
}
