import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE, RETRIES_QUEUE } from './queue/queues.ts'

/**
 * THE MAP: the journey of a lead after its transaction has committed. Each stage is the file of the same name in
 * worker/pipeline/; PostgreSQL remembers how far each event and delivery has come, so every stage may run twice.
 */
export const PIPELINE = [
  {
    stage: '1-plan-deliveries',
    consumes: `lead-created and lead-assigned on ${LEAD_EVENTS_QUEUE}`,
    emits: `a delivery for each matching configuration, on ${DELIVERIES_QUEUE}`,
    repeats: 'until it succeeds, 0.5 to 5 s apart; the relay re-adds an event that Redis lost',
  },
  {
    stage: '2-send-delivery',
    consumes: `deliver on ${DELIVERIES_QUEUE} (first attempts) and ${RETRIES_QUEUE}`,
    emits: 'one signed request to the endpoint, and its answer to stage 3',
    repeats:
      'WEBHOOK_RETRY_SCHEDULE, counted in PostgreSQL; the reconciler re-adds a delivery whose job is gone',
  },
  {
    stage: '3-record-attempt',
    consumes: 'the answer of stage 2, within the same job',
    emits: `a log row, the delivery's new state, delivery.succeeded or delivery.failed, or a retry on ${RETRIES_QUEUE}`,
    repeats: 'until PostgreSQL has it, before the job may finish',
  },
] as const
