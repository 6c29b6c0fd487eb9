import { keepReading } from '#core/concurrency/keep-reading.ts'
import {
  tallyCompleted,
  tallyDead,
  tallyUnfinished,
  type CompletedTally,
  type DeadTally,
  type UnfinishedTally,
} from '#core/data/operations/queue-counts.ts'
import type { Stores } from '../open-stores.ts'

export interface QueueTallies {
  unfinished: UnfinishedTally[]
  dead: DeadTally[]
  completed: CompletedTally[]
}

/** Counts the deliveries of every webhook, however many ask at the same time. */
export interface QueueCounter {
  read: () => Promise<QueueTallies>
  /** An administrator has changed something, and wants to see it counted. */
  forget: () => void
}

/** Each part is kept on its own, because dead letters and delivered ones cost more and change less. */
export function createQueueCounter({ db }: Pick<Stores, 'db'>): QueueCounter {
  const unfinished = keepReading(() => tallyUnfinished(db))
  const dead = keepReading(() => tallyDead(db))
  const completed = keepReading(() => tallyCompleted(db))
  return {
    read: async () => {
      const [one, two, three] = await Promise.all([unfinished.get(), dead.get(), completed.get()])
      return { unfinished: one, dead: two, completed: three }
    },
    forget: () => {
      for (const part of [unfinished, dead, completed]) part.forget()
    },
  }
}
