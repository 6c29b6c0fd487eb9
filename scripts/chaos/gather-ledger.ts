import { sql } from 'kysely'
import type { Ack, Ledger } from './ledger.ts'
import { readQueues } from './queues.ts'
import type { Ground } from './ground.ts'

/** Reads what remains after the drain from all four sources: API, endpoints, PostgreSQL and Redis. */
export async function gatherLedger(
  ground: Ground & { isMarket?: boolean },
  acks: Ack[],
  healthy: Ledger['healthy'],
): Promise<Ledger> {
  const { db } = ground
  const [receipts, events, configs, deliveries, logs, queues] = await Promise.all([
    ground.receiver.receipts(),
    sql<Ledger['events'][number]>`
      select id, lead_id as "leadId", type, client_user_id as "clientId", planned_at is not null as "isPlanned"
      from events where type in ('lead.created', 'lead.assigned')`.execute(db),
    sql<Ledger['configs'][number]>`
      select id, client_user_id as "clientId", trigger_on_lead_created as "onCreated",
        trigger_on_lead_assigned as "onAssigned",
        coalesce(substring(endpoint_url from '/e/(\\d+)')::int, -1) as endpoint
      from client_webhook_configs`.execute(db),
    sql<Ledger['deliveries'][number]>`
      select id, event_id as "eventId", webhook_config_id as "configId", lead_id as "leadId", state, attempt
      from webhook_deliveries where resend_of is null`.execute(db),
    sql<Ledger['logs'][number]>`
      select delivery_id as "deliveryId", attempt_number as attempt, response_status as "responseStatus"
      from webhook_delivery_logs`.execute(db),
    readQueues(ground),
  ])
  return {
    acks,
    receipts,
    events: events.rows,
    configs: configs.rows,
    deliveries: deliveries.rows,
    logs: logs.rows,
    queues,
    ambiguous: ground.ambiguous,
    // An order may take a lead back after any number of attempts.
    attempts: ground.isMarket === true ? 1 : ground.config.webhooks.retryScheduleSeconds.length + 1,
    isMarket: ground.isMarket === true,
    healthy,
  }
}
