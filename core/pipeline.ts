import { DELIVERIES_QUEUE, EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE, LEAD_MARKET_QUEUE } from './queue/queues.ts'

/** One stage of the journey; the file of the same name in worker/pipeline/ has its code. */
export interface PipelineStage {
  stage: string
  /** queues whose jobs it takes; none for a stage that runs within the job before it */
  queues: readonly string[]
  consumes: string
  emits: string
  repeats: string
}

/**
 * THE MAP: the journey of a lead after its transaction has committed. PostgreSQL records how far each event and
 * delivery has come, so every stage may run twice. The worker starts the stages listed here; queue/event-consumers.ts
 * says which event goes to which queue.
 */
export const PIPELINE = {
  assignLeads: {
    stage: '0-assign-leads',
    queues: [LEAD_MARKET_QUEUE],
    consumes: 'lead-offered: an event of a lead that is nobody’s yet',
    emits:
      'lead.assigned for each that is sold; it and lead.created go to stage 1 in jobs. The others are kept, and offered again',
    repeats:
      'until it succeeds, 0.5 to 5 s apart; a lead that PostgreSQL refuses is given up after 5 tries. The relay re-adds one that Redis lost',
  },
  planDeliveries: {
    stage: '1-plan-deliveries',
    queues: [LEAD_EVENTS_QUEUE, EVENT_BURSTS_QUEUE],
    consumes:
      'lead-created, lead-assigned, lead-given: an event of a lead; client-event: an event beside the lead (1-plan-client-events.ts)',
    emits: 'a delivery for each matching configuration',
    repeats:
      'until it succeeds, 0.5 to 5 s apart; an event that PostgreSQL refuses is given up after 5 tries. The relay re-adds one that Redis lost',
  },
  sendDelivery: {
    stage: '2-send-delivery',
    queues: [DELIVERIES_QUEUE],
    consumes:
      'deliver: a wake-up, that something is due at these endpoints; deliveries themselves wait as rows',
    emits:
      'for each delivery that is claimed, one signed request to the endpoint, and its answer to the next stage',
    repeats:
      'WEBHOOK_RETRY_SCHEDULE, counted in PostgreSQL; one that cannot be prepared fails after 5 tries, as internal_error; one with which two workers have died is sent alone (worker/alone). What no wake-up told is found within a second, by polling',
  },
  recordAttempt: {
    stage: '3-record-attempt',
    queues: [],
    consumes: 'the answer of stage 2, under its lease',
    emits: "a log row, the delivery's new state, delivery.succeeded or delivery.failed, or a retry",
    repeats: 'until PostgreSQL has it',
  },
} as const satisfies Record<string, PipelineStage>
