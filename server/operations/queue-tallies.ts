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
  /** when the oldest part was counted */
  counted_at: Date
  unfinished: UnfinishedTally[]
  dead: DeadTally[]
  completed: CompletedTally[]
}

/** Counts the deliveries of every webhook, however many ask at the same time. */
export interface QueueCounter {
  read: () => Promise<QueueTallies>
  /** only the dead letters */
  readDead: () => Promise<DeadTally[]>
  /** An administrator has changed something, and wants to see it counted. */
  forget: () => void
}

/** Each part is kept on its own, because dead letters and delivered ones cost more and change less. */
export function createQueueCounter({ db }: Pick<Stores, 'db'>): QueueCounter {
  const unfinished = keepReading(dated(() => tallyUnfinished(db)))
  const dead = keepReading(dated(() => tallyDead(db)))
  const completed = keepReading(dated(() => tallyCompleted(db)))
  return {
    read: async () => {
      const [one, two, three] = await Promise.all([unfinished.get(), dead.get(), completed.get()])
      return {
        counted_at: new Date(Math.min(one.at, two.at, three.at)),
        unfinished: one.rows,
        dead: two.rows,
        completed: three.rows,
      }
    },
    readDead: async () => (await dead.get()).rows,
    forget: () => {
      for (const part of [unfinished, dead, completed]) part.forget()
    },
  }
}

const dated =
  <Row>(read: () => Promise<Row[]>) =>
  async (): Promise<{ at: number; rows: Row[] }> => {
    const at = Date.now()
    return { at, rows: await read() }
  }
