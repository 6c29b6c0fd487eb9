import type { LookupAddress, LookupOptions } from 'node:dns'
import { LRUCache } from 'lru-cache'

/** Resolves a name to all its addresses, in the shape of dns.lookup with `all`. */
export type ResolveName = (hostname: string, options: LookupOptions & { all: true }, callback: Answer) => void

type Answer = (error: NodeJS.ErrnoException | null, answers: LookupAddress[]) => void

export interface LookUpLimits {
  /** milliseconds for which a connection waits for its name */
  mostMs: number
  /** limit of simultaneous look-ups of names that are not known to resolve soon */
  mostUnsure: number
}

/** A name that took longer than this is not known to resolve soon. */
const SOON_MS = 1000
/** Number of names that are remembered in one process. */
const KEPT = 10_000

interface LookUp {
  waiting: Set<Answer>
  begin: () => void
}

/**
 * The system's resolver uses a thread for each look-up, half of those of UV_THREADPOOL_SIZE. A name whose name servers
 * are silent occupies one for half a minute. So requests for a name that is being resolved share the answer. Names that
 * are new, or took long the last time, never get all threads: they wait only for each other.
 */
export function createLookUps(resolve: ResolveName, { mostMs, mostUnsure }: LookUpLimits): ResolveName {
  const underWay = new Map<string, LookUp>()
  const sure = new LRUCache<string, true>({ max: KEPT })
  const line: LookUp[] = []
  let unsure = 0

  const takeNext = (): LookUp | undefined => (unsure < mostUnsure ? line.shift() : undefined)
  const goOn = (): void => {
    for (let next = takeNext(); next !== undefined; next = takeNext()) next.begin()
  }

  const prepare = (key: string, resolveIt: (answer: Answer) => void): LookUp => {
    const waiting: LookUp['waiting'] = new Set()
    let isSure = sure.has(key)
    const doubt = (): void => {
      isSure = false
      unsure += 1
      sure.delete(key)
    }
    const begin = (): void => {
      // No caller waits for it any more.
      if (waiting.size === 0) {
        underWay.delete(key)
        return
      }
      if (!isSure) unsure += 1
      const began = performance.now()
      const late = setTimeout(() => {
        if (isSure) doubt()
      }, SOON_MS)
      resolveIt((error, answers) => {
        clearTimeout(late)
        underWay.delete(key)
        if (!isSure) unsure -= 1
        if (error === null && performance.now() - began < SOON_MS) sure.set(key, true)
        for (const answer of waiting) answer(error, answers)
        goOn()
      })
    }
    return { waiting, begin }
  }

  return (hostname, options, callback) => {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const known = underWay.get(key)
    const { waiting, begin } = known ?? prepare(key, (answer) => resolve(hostname, options, answer))
    const give: Answer = (...answer) => {
      if (!waiting.delete(give)) return
      clearTimeout(late)
      callback(...answer)
    }
    const late = setTimeout(() => {
      give(Object.assign(new Error('The name was not resolved in time'), { code: 'EAI_AGAIN' }), [])
    }, mostMs)
    waiting.add(give)
    if (known !== undefined) return
    underWay.set(key, { waiting, begin })
    if (!sure.has(key)) line.push({ waiting, begin })
    else begin()
    goOn()
  }
}
