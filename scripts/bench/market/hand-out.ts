import { openEventPublisher, type EventPublisher } from '#core/queue/publish-events.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { waitUntil } from '../../lab/wait-until.ts'
import type { BenchContext } from '../services.ts'

/** Enqueues events, as the API does. */
export async function openHandOut({ config, db }: BenchContext): Promise<EventPublisher> {
  const publisher = openEventPublisher({ config, db, logger: createLogger('bench', 'warn') })
  await waitUntil(() => publisher.isReady(), { what: 'Redis' })
  return publisher
}
