import { setTimeout as sleep } from 'node:timers/promises'
import { readWorkToDo, type WorkToDo } from '#core/data/operations/work-to-do.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import type { WorkerContext } from '../context.ts'

/**
 * Milliseconds in which calls share one query. Chores begin on the same beats (run-every.ts), a few milliseconds apart.
 */
const GATHERING_MS = 20

type Run = (signal: AbortSignal) => Promise<void>

/** One question to the database answers all chores that ask at about the same time. */
export interface LookForWork {
  look: () => Promise<WorkToDo>
  /**
   * Wraps a chore: it runs only when the query finds work of its kinds, and once more when it finds none. So a chore
   * with a backlog learns that the backlog is over.
   */
  onlyFor: (kinds: readonly (keyof WorkToDo)[], run: Run) => Run
  /** Like `onlyFor`, for rare work: the chore is loaded when such work is first found, and runs only then. */
  loadedFor: (kinds: readonly (keyof WorkToDo)[], load: () => Promise<Run>) => Run
}

/** @param seconds age after which an unplanned event is late */
export function createLookForWork(
  { db }: Pick<WorkerContext, 'db'>,
  seconds: { unplannedSeconds: number },
): LookForWork {
  let gathering: Promise<WorkToDo> | undefined

  async function askTogether(): Promise<WorkToDo> {
    await sleep(GATHERING_MS)
    // Later callers start a new query: they must see everything committed until now.
    gathering = undefined
    return await readWorkToDo(db, { types: CONSUMED_EVENTS, ...seconds })
  }

  const look = (): Promise<WorkToDo> => (gathering ??= askTogether())

  return {
    look,
    onlyFor: (kinds, run) => {
      let wasDue = true
      return async (signal) => {
        const work = await look()
        const isDue = kinds.some((kind) => work[kind])
        if (isDue || wasDue) await run(signal)
        wasDue = isDue
      }
    },
    loadedFor: (kinds, load) => {
      let loaded: Run | undefined
      return async (signal) => {
        const work = await look()
        if (!kinds.some((kind) => work[kind])) return
        loaded ??= await load()
        await loaded(signal)
      }
    },
  }
}
