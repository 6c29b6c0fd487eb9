import type { Config } from '#core/config/config.ts'
import { askSentinels, type SentinelAnswer } from '#core/queue/sentinels/ask-sentinels.ts'
import { doubtful, fine, wrong, type Finding } from './check.ts'

const CHECK = 'Redis Sentinels'

/**
 * Whether each Sentinel answers, and whether all name the same master and could replace it. The master itself is looked
 * at as Redis. No finding without REDIS_SENTINELS.
 */
export async function checkSentinels({ redis }: Config): Promise<Finding[]> {
  if (redis.sentinels === undefined) return []
  return [judge(redis.sentinelMaster, await askSentinels(redis))]
}

function judge(name: string, answers: readonly SentinelAnswer[]): Finding {
  const found = answers.map((answer) => describe(answer, name)).join('; ')
  const there = answers.filter(({ master }) => master !== undefined)
  if (there.length === 0)
    return wrong(CHECK, found, 'start them, or correct REDIS_SENTINELS and REDIS_SENTINEL_PASSWORD')
  const masters = new Set(there.map(({ master }) => master))
  if (masters.has(null))
    return wrong(CHECK, found, 'correct REDIS_SENTINEL_MASTER, or configure this Sentinel')
  if (masters.size > 1)
    return wrong(CHECK, found, 'look at their logs: Sentinels that see each other agree within seconds')
  if (there.some(({ fault }) => fault !== undefined))
    return wrong(CHECK, found, 'start the missing Sentinels: a lost master would not be replaced')
  return there.length < answers.length
    ? doubtful(CHECK, found, 'start the missing ones, or take them out of REDIS_SENTINELS')
    : fine(CHECK, found)
}

function describe({ sentinel, master, fault }: SentinelAnswer, name: string): string {
  if (master === undefined) return `${sentinel} does not answer (${fault ?? 'unknown'})`
  if (master === null) return `${sentinel} knows no master ${name}`
  return `${sentinel} names ${master}${fault === undefined ? '' : ` (${fault})`}`
}
