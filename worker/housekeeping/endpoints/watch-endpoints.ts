import type { WorkerContext } from '#worker/context.ts'

/** Writes the endpoints' outcomes since the last run to the database, which opens and closes their breakers. */
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
