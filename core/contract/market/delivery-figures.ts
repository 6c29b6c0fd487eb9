import { z } from 'zod'
import { errorClassSchema } from '../webhooks/delivery.ts'
import { checkPeriod, periodFields, stateField } from './analytics.ts'
import { leadReturnSchema } from './lead-return.ts'
import { moneySchema } from './money.ts'

/** A period of named dates whose deliveries are looked at one by one: a quarter of a year. */
export const MOST_DAYS_OF_DELIVERIES = 92
/** So many of each kind are listed, the newest; who has more narrows them. */
export const EXCEPTIONS_LISTED = 200

/** Query of `GET /api/v1/analytics/deliveries` and `GET /api/v1/analytics/exceptions`. */
export const deliveriesQuerySchema = z
  .object({ ...periodFields, state: stateField, webhook: z.uuid().optional() })
  .superRefine(checkPeriod(MOST_DAYS_OF_DELIVERIES))
export type DeliveriesQuery = z.output<typeof deliveriesQuerySchema>

/**
 * Of a webhook, a state, or all. A delivery that was sent again counts as it is now; what was cancelled counts nowhere. `leads` and
 * `spend` of a webhook are those that it was to have, of a state and in all those that came in.
 */
const figuresSchema = z.object({
  leads: z.int(),
  spend: moneySchema,
  delivered: z.int(),
  failed: z.int(),
  /** for their first attempt, or for a further one */
  waiting: z.int(),
  /** share of the finished deliveries that arrived, 0 to 1; null without any */
  delivery_rate: z.number().min(0).max(1).nullable(),
  /** so long half of those that arrived took at most, from their event to the answer of the endpoint */
  median_ms: z.int().nullable(),
})
export type DeliveryFigures = z.infer<typeof figuresSchema>

/** `GET /api/v1/analytics/deliveries`: of the leads that `GET /api/v1/analytics` counts in the same period. */
export const deliveryReportSchema = z.object({
  timezone: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** the moments at which the first day begins and the last one ends */
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  all: figuresSchema,
  /** every webhook that there is, also those without deliveries */
  webhooks: z.array(figuresSchema.extend({ webhook_config_id: z.uuid(), webhook_name: z.string() })),
  states: z.array(figuresSchema.extend({ state: z.string().nullable() })),
})
export type DeliveryReport = z.infer<typeof deliveryReportSchema>

const exceptionLeadSchema = z.object({
  id: z.uuid(),
  /** null where it is not known, or nobody's to see any more */
  name: z.string().nullable(),
  state: z.string().nullable(),
})

/** A delivery that finally failed and was not sent again since. */
export const failedDeliverySchema = z.object({
  delivery_id: z.uuid(),
  /** the last attempt in the log, by which it is sent again; null where the log is gone */
  attempt_id: z.uuid().nullable(),
  failed_at: z.string(),
  attempts: z.int(),
  reason: errorClassSchema.nullable(),
  /** the sentence of the last attempt */
  message: z.string().nullable(),
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  /** switched off, a webhook gets nothing: it can be sent again once it is on */
  is_active: z.boolean(),
  /** given back or taken, it goes to this client no more */
  is_returned: z.boolean(),
  lead: exceptionLeadSchema,
})
export type FailedDelivery = z.infer<typeof failedDeliverySchema>

export const waitingReturnSchema = leadReturnSchema
  .pick({ id: true, reason: true, asked_by: true, price: true, created_at: true })
  .extend({ lead: exceptionLeadSchema })
export type WaitingReturn = z.infer<typeof waitingReturnSchema>

/**
 * `GET /api/v1/analytics/exceptions`: what waits for somebody. Deliveries that failed are those that the report counts; returns that
 * wait for a decision are all there are, of the state where one is named. Newest first.
 */
export const exceptionsSchema = z.object({
  failed: z.array(failedDeliverySchema).max(EXCEPTIONS_LISTED),
  /** there are more than are listed */
  failed_more: z.boolean(),
  returns: z.array(waitingReturnSchema).max(EXCEPTIONS_LISTED),
  returns_more: z.boolean(),
})
export type Exceptions = z.infer<typeof exceptionsSchema>
