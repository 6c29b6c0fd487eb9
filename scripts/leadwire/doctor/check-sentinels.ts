import type { Config } from '#core/config/config.ts'
import { judgeRedis } from '#core/queue/check-redis.ts'
import { askNode, askSentinels, type SentinelAnswer } from '#core/queue/sentinels/ask-sentinels.ts'
import { doubtful, fine, wrong, type Finding } from './check.ts'

const CHECK = 'Redis Sentinels'
const REPLICAS = 'Redis replicas'

/**
 * Whether each Sentinel answers, whether all name the same master and could replace it, and whether each replica is fit
 * to be the master. The master itself is looked at as Redis. No finding without REDIS_SENTINELS.
 */
export async function checkSentinels({ redis }: Config): Promise<Finding[]> {
  if (redis.sentinels === undefined) return []
  const answers = await askSentinels(redis)
  const found = [judge(redis.sentinelMaster, answers)]
  return answers.some(({ master }) => master) ? [...found, await checkReplicas(redis, answers)] : found
}

/** Judges each replica as the master is: a promoted one keeps its own version and maxmemory-policy. */
async function checkReplicas(redis: Config['redis'], answers: readonly SentinelAnswer[]): Promise<Finding> {
  const replicas = [...new Set(answers.flatMap((answer) => answer.replicas))]
  if (replicas.length === 0)
    return doubtful(REPLICAS, 'none could take over', 'start one: a lost master would not be replaced')
  const judged = await Promise.all(
    replicas.map(async (replica) => {
      const asked = await askNode(redis, replica)
      if ('fault' in asked) return { faults: [], doubts: [`${replica} does not answer (${asked.fault})`] }
      const { faults, doubts } = judgeRedis(asked.answer)
      const of = (found: string) => `${replica}: ${found}`
      return { faults: faults.map(of), doubts: doubts.map(of) }
    }),
  )
  const [faults, doubts] = [judged.flatMap((one) => one.faults), judged.flatMap((one) => one.doubts)]
  const found = [...faults, ...doubts].join('; ')
  if (faults.length > 0)
    return wrong(REPLICAS, found, 'correct its configuration, which counts once it takes over')
  return doubts.length > 0
    ? doubtful(REPLICAS, found, 'start it, or let it be asked with the credentials of REDIS_URL')
    : fine(REPLICAS, `${replicas.join(', ')}, noeviction`)
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
