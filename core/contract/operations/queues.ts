import { z } from 'zod'
import { presentWorkersSchema } from './waits.ts'

/** Counting reads each row, so it stops here for each state of all shards together. */
export const QUEUE_COUNTED = 100_000
/** Delivered deliveries are counted for this long. */
export const COMPLETED_SECONDS = 3600

/**
 * The states of deliveries in the words of queues: due; leased to a worker; planned for later or held; dead letters;
 * delivered in the last hour.
 */
export const QUEUE_STATES = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const
export type QueueState = (typeof QUEUE_STATES)[number]

/** A number of deliveries; `more` if counting stopped there, so that there may be more. */
const tallySchema = z.object({ count: z.int(), more: z.boolean() })
export type Tally = z.infer<typeof tallySchema>

const queueCountsSchema = z.object({
  waiting: tallySchema,
  active: tallySchema,
  delayed: tallySchema,
  /** those among `delayed` that are held: their webhook is off, or its endpoint does not answer */
  held: tallySchema,
  failed: tallySchema,
  completed: tallySchema,
})
export type QueueCounts = z.infer<typeof queueCountsSchema>

export const QUEUE_PROBLEMS = ['redis_away', 'no_worker', 'paused', 'overdue', 'failing', 'silent'] as const
const queueProblemSchema = z.object({
  code: z.enum(QUEUE_PROBLEMS),
  /** whether deliveries of all clients wait, and not only those of some endpoints */
  is_severe: z.boolean(),
  sentence: z.string(),
})
export type QueueProblem = z.infer<typeof queueProblemSchema>

/** The deliveries of each shard and of all, and what is wrong; `GET /api/v1/admin/queues`. */
export const queuesSchema = z.object({
  /** counts of many deliveries are kept for a while, up to a minute */
  counted_at: z.string(),
  total: queueCountsSchema,
  shards: z.array(z.object({ queue: z.string(), counts: queueCountsSchema })),
  /** when the delivery became due that has waited longest for a worker */
  oldest_due_at: z.string().nullable(),
  /** null while Redis is away */
  workers: presentWorkersSchema.nullable(),
  problems: z.array(queueProblemSchema),
})
export type Queues = z.infer<typeof queuesSchema>
