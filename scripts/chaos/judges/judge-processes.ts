import type { Figure } from '../scenario.ts'

/**
 * Conclusions of scenarios from the behaviour of our processes. Each returns faults in words; never meeting
 * the injected fault is a fault too.
 */

/** S4, S6: the workers continue without a restart. */
export function judgeRunning(workers: readonly { name: string; isRunning: () => boolean }[]): string[] {
  return workers.filter((worker) => !worker.isRunning()).map(({ name }) => `${name} ended`)
}

/** A worker's exit after SIGTERM. */
export interface Exit {
  status: number | null
  tookMs: number
  redisWasDown: boolean
}

/** S16: no worker takes long to end or stalls a job, and each ends with 0 if Redis was available. */
export function judgeExits(
  { exits, stalls }: { exits: readonly Exit[]; stalls: number },
  limitMs: number,
  figure: Figure,
): string[] {
  const slowest = Math.max(0, ...exits.map(({ tookMs }) => tookMs))
  figure('slowest exit', `${(slowest / 1000).toFixed(1)} s`)
  figure('stalls', String(stalls))
  const bad = exits.filter(({ status, redisWasDown }) => status !== 0 && !redisWasDown).length
  return [
    ...(exits.length === 0 ? ['no worker was stopped: the scenario proved nothing'] : []),
    ...(stalls > 0 ? [`${stalls} job(s) stalled in a deploy`] : []),
    ...(slowest > limitMs ? [`an exit took ${Math.round(slowest)} ms`] : []),
    ...(bad > 0 ? [`${bad} worker(s) did not end with status 0`] : []),
  ]
}

/** S15: the number of requests to an endpoint that is known to be down, and whether its webhook stays on. */
export function judgeFlapping(
  { requestsPerSecond, switchedOff }: { requestsPerSecond: readonly number[]; switchedOff: number },
  mostPerSecond: number,
): string[] {
  return [
    ...(requestsPerSecond.length === 0 ? ['the endpoint was never down: the scenario proved nothing'] : []),
    ...requestsPerSecond
      .filter((rate) => rate > mostPerSecond)
      .map((rate) => `${rate.toFixed(1)} requests/s came while the endpoint was down`),
    ...(switchedOff > 0 ? [`${switchedOff} webhook(s) were switched off`] : []),
  ]
}

/** BullMQ's messages (version 6.7) for a lost lock of a job. */
const LOST_LOCK = /could not renew lock|Missing lock/i

/** S19: on a slow line a lock may be lost now and then, but not regularly. */
export function judgeLocks(log: string, attempts: number, figure: Figure): string[] {
  const lost = log.split('\n').filter((line) => LOST_LOCK.test(line)).length
  figure('lost locks', String(lost))
  if (attempts === 0) return ['nothing was sent over the slow line: the scenario proved nothing']
  return lost > attempts / 10 ? [`${lost} lost locks in ${attempts} attempts`] : []
}

/** S24: bounded data stays bounded. A Redis Cluster's keys are not counted. */
export function judgeBounds(
  { keys, stray, weeks }: { keys: number | undefined; stray: number; weeks: number },
  keysLimit: number,
  figure: Figure,
): string[] {
  if (keys !== undefined) figure('Redis keys', String(keys))
  figure('log partitions', String(weeks))
  return [
    ...(keys !== undefined && keys > keysLimit ? [`Redis keeps ${keys} keys`] : []),
    ...(stray > 0 ? ['log rows fell into the default partition'] : []),
    // This week's, four ahead, and the default one.
    ...(weeks < 6 ? ['log partitions are not made ahead'] : []),
  ]
}
