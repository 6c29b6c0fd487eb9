import { z } from 'zod'
import { moneySchema } from '../market/money/money.ts'
import { presentWorkersSchema } from './waits.ts'

/** Days that the table of sources covers. */
export const SOURCE_DAYS = 7
/** Limit of orders, those that miss most leads first, and of sources, the largest first. */
export const OVERVIEW_ROWS = 50

/** The figures of a span of time (docs/product.md §2, Figures). */
const marketFiguresSchema = z.object({
  leads_in: z.int(),
  sold: z.int(),
  unsold: z.int(),
  returned: z.int(),
  revenue: moneySchema,
  margin: moneySchema,
})
export type OverviewFigures = z.infer<typeof marketFiguresSchema>

const rate = z.number().min(0).max(1).nullable()

/** Deliveries that were planned in a span: the share that the first attempt delivered, and how long they took. */
const deliveryHealthSchema = z.object({
  deliveries: z.int(),
  first_attempt_rate: rate,
  median_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
})
const deliverySeriesSchema = deliveryHealthSchema.extend({
  /** oldest first; the last one is not over */
  points: z.array(deliveryHealthSchema.extend({ at: z.string() })),
})
export type DeliverySeries = z.infer<typeof deliverySeriesSchema>

/** `GET /api/v1/admin/overview` (docs/product.md §2, Overview). */
export const overviewSchema = z.object({
  timezone: z.string(),
  /** hours of the last {@link SOURCE_DAYS} days that are not in the figures yet, because a worker still sums them */
  unsummed_hours: z.int(),
  /** from midnight until now */
  today: marketFiguresSchema,
  /** from midnight until the same time of yesterday */
  yesterday: marketFiguresSchema,
  /** the last 24 hours, oldest first; the last one is not over */
  hours: z.array(marketFiguresSchema.extend({ at: z.string() })).length(24),
  /** running orders with a cap: the cap that is nearest to its end comes first in the order's row */
  fill: z.array(
    z.object({
      order_id: z.uuid(),
      order_name: z.string(),
      client_id: z.uuid(),
      client_name: z.string(),
      caps: z.array(
        z.object({
          per: z.enum(['day', 'week', 'month', 'total']),
          leads: z.int(),
          cap: z.int(),
          fill_rate: z.number().min(0),
        }),
      ),
    }),
  ),
  /** sources of the last {@link SOURCE_DAYS} days, today included */
  sources: z.array(
    z.object({
      /** null for leads without a source */
      source_id: z.uuid().nullable(),
      source_name: z.string().nullable(),
      leads_in: z.int(),
      duplicates: z.int(),
      cost: moneySchema,
      revenue: moneySchema,
      margin: moneySchema,
      /** leads in that were sold ÷ leads in */
      sold_share: rate,
      /** returned ÷ sold; may exceed 1, because a return counts when it is approved */
      return_rate: z.number().min(0).nullable(),
      duplicate_share: rate,
    }),
  ),
  health: z.object({
    /** null while Redis is away */
    workers: presentWorkersSchema.nullable(),
    redis: z.boolean(),
    /** how long PostgreSQL took to answer, in milliseconds */
    postgres_ms: z.int(),
    /** when the delivery that waits longest without a worker was due; null if none waits */
    oldest_due_at: z.string().nullable(),
    /** addresses of proxies that forward requests to this server, though TRUST_PROXY does not name them */
    unknown_proxies: z.array(z.string()),
    hour: deliverySeriesSchema,
    day: deliverySeriesSchema,
  }),
})
export type Overview = z.infer<typeof overviewSchema>
