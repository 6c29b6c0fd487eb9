import { z } from 'zod'
import { errorClassSchema } from '../webhooks/delivery.ts'
import { checkPeriod, periodFields, stateField } from './analytics.ts'
import { leadReturnSchema } from './lead-return.ts'
import { moneySchema } from './money/money.ts'

/** Limit of days in a period whose deliveries are read one by one: a quarter of a year. */
export const MOST_DAYS_OF_DELIVERIES = 92
/** Limit of listed exceptions of each kind, the newest first; filters show the others. */
export const EXCEPTIONS_LISTED = 200

/** Query of `GET /api/v1/analytics/deliveries` and `GET /api/v1/analytics/exceptions`. */
export const deliveriesQuerySchema = z
  .object({ ...periodFields, state: stateField, webhook: z.uuid().optional() })
  .superRefine(checkPeriod(MOST_DAYS_OF_DELIVERIES))
export type DeliveriesQuery = z.output<typeof deliveriesQuerySchema>

/**
 * The figures of a webhook, a state, or all. A delivery that was sent again counts with its present result; cancelled
 * ones do not count. `leads` and `spend` of a webhook cover the leads that it was to get; those of a state, and of all,
 * cover the leads that came in.
 */
const figuresSchema = z.object({
  leads: z.int(),
  spend: moneySchema,
  delivered: z.int(),
  failed: z.int(),
  /** deliveries that wait for their first or a further attempt */
  waiting: z.int(),
  /** delivered ÷ all of them, waiting ones included, 0 to 1; null without any */
  delivery_rate: z.number().min(0).max(1).nullable(),
  /** half of the delivered ones took at most this long, from their event to the endpoint's answer */
  median_ms: z.int().nullable(),
})
export type DeliveryFigures = z.infer<typeof figuresSchema>

/** `GET /api/v1/analytics/deliveries`: for the leads that `GET /api/v1/analytics` counts in the same period. */
export const deliveryReportSchema = z.object({
  timezone: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** the moments at which the first day begins and the last one ends */
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  all: figuresSchema,
  /** every existing webhook, including those without deliveries */
  webhooks: z.array(figuresSchema.extend({ webhook_config_id: z.uuid(), webhook_name: z.string() })),
  states: z.array(figuresSchema.extend({ state: z.string().nullable() })),
})
export type DeliveryReport = z.infer<typeof deliveryReportSchema>

const exceptionLeadSchema = z.object({
  id: z.uuid(),
  /** null if it is unknown, or may not be shown any more */
  name: z.string().nullable(),
  state: z.string().nullable(),
})

/** A delivery that finally failed and was not sent again since. */
export const failedDeliverySchema = z.object({
  delivery_id: z.uuid(),
  /** the last attempt in the log, by which it can be sent again; null if its log is gone */
  attempt_id: z.uuid().nullable(),
  failed_at: z.string(),
  attempts: z.int(),
  reason: errorClassSchema.nullable(),
  /** the message of the last attempt */
  message: z.string().nullable(),
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  /** a webhook that is off gets nothing: the delivery can be sent again once it is on */
  is_active: z.boolean(),
  /** a returned lead is not sent to this client any more */
  is_returned: z.boolean(),
  lead: exceptionLeadSchema,
})
export type FailedDelivery = z.infer<typeof failedDeliverySchema>

export const waitingReturnSchema = leadReturnSchema
  .pick({ id: true, reason: true, asked_by: true, price: true, created_at: true })
  .extend({ lead: exceptionLeadSchema })
export type WaitingReturn = z.infer<typeof waitingReturnSchema>

/**
 * `GET /api/v1/analytics/exceptions`: work that waits for a person. Failed deliveries are those that the report counts;
 * the list of undecided returns is complete, or limited to the named state. Newest first.
 */
export const exceptionsSchema = z.object({
  failed: z.array(failedDeliverySchema).max(EXCEPTIONS_LISTED),
  /** whether there are more than are listed */
  failed_more: z.boolean(),
  returns: z.array(waitingReturnSchema).max(EXCEPTIONS_LISTED),
  returns_more: z.boolean(),
})
export type Exceptions = z.infer<typeof exceptionsSchema>
