import type { WorkerContext } from '#worker/context.ts'

/** Tells the database how endpoints did since the last time; their breakers open and close by it. */
export async function watchEndpoints(
  context: Pick<WorkerContext, 'db' | 'logger' | 'outcomes'>,
): Promise<void> {
  for (const { webhook_config_id, breaker } of await context.outcomes.tell(context.db)) {
    if (breaker === 'open') {
      context.logger.warn({ webhook_config_id }, 'endpoint does not answer: breaker open, deliveries held')
    } else {
      context.logger.info({ webhook_config_id }, 'endpoint answers again: breaker closed')
    }
  }
}
