import { setTimeout as sleep } from 'node:timers/promises'
import got from 'got'
import type { LabProcess } from '../../lab/start-process.ts'
import { findContradictions } from '../../lab/market/find-contradictions.ts'
import { findFeedFaults } from '../../lab/market/find-feed-faults.ts'
import { followFeeds, type FollowedFeeds } from '../../lab/market/follow-feeds.ts'
import {
  playMarket,
  type MarketGround,
  type MarketSize,
  type PlayedMarket,
} from '../../lab/market/play-market.ts'
import type { BenchContext } from '../services.ts'
import { SEED } from '../set-up-clients.ts'
import { startPrograms } from '../start-programs.ts'
import { openHandOut } from './hand-out.ts'

export interface CrowdResult extends MarketSize, PlayedMarket {
  seconds: number
  /** contradictions found afterwards, by kind */
  faults: Record<string, number>
  /** what a reader of all clients' feeds met meanwhile */
  followed: FollowedFeeds
  /** times that the worker was killed */
  kills: number
}

const BETWEEN_KILLS_MS = 4000

/**
 * Runs the real server and the real worker, which both decide for one market while everything changes
 * (scripts/lab/market/play-market.ts).
 * @param isWorkerKilled the worker dies every few seconds and is started again
 */
export async function measureCrowd(
  context: BenchContext,
  size: MarketSize,
  isWorkerKilled = false,
): Promise<CrowdResult> {
  const programs = await startPrograms(context, 1)
  const publisher = await openHandOut(context)
  try {
    const { url } = programs.server
    const { access_token: token } = await got
      .post(`${url}/auth/v1/token?grant_type=password`, {
        json: { email: SEED.SEED_ADMIN_EMAIL, password: SEED.SEED_ADMIN_PASSWORD },
      })
      .json<{ access_token: string }>()
    const began = performance.now()
    const publish: MarketGround['publish'] = (events) => publisher.publish(events, { mark: 'now' })
    let isOver = false
    const following = followFeeds(context.db, () => isOver)
    const killing = isWorkerKilled ? killAgainAndAgain(programs.workers, () => isOver) : 0
    const played = await playMarket({ db: context.db, url, token, publish }, size).finally(() => {
      isOver = true
    })
    const seconds = (performance.now() - began) / 1000
    const faults: Record<string, number> = {}
    for (const { what } of await findContradictions(context.db)) faults[what] = (faults[what] ?? 0) + 1
    for (const { what } of await findFeedFaults(context.db))
      faults[`feed: ${what}`] = (faults[`feed: ${what}`] ?? 0) + 1
    return { ...size, ...played, seconds, faults, followed: await following, kills: await killing }
  } finally {
    await publisher.close()
    await programs.stop()
  }
}

/** Kills the workers in the middle of their sales, and starts them again. @returns how often */
async function killAgainAndAgain(workers: readonly LabProcess[], isOver: () => boolean): Promise<number> {
  let kills = 0
  for (await sleep(BETWEEN_KILLS_MS); !isOver(); await sleep(BETWEEN_KILLS_MS)) {
    for (const worker of workers) {
      await worker.kill()
      kills += 1
      await worker.restart()
    }
  }
  return kills
}

/** Whether no forbidden outcome was found. */
export function isSound({ answers, undecided, offShare, faults, followed }: CrowdResult): boolean {
  const refused = Object.keys(answers).filter((answer) => answer.startsWith('status'))
  return (
    refused.length === 0 &&
    undecided === 0 &&
    followed.outOfOrder === 0 &&
    offShare <= 0.01 &&
    Object.keys(faults).length === 0
  )
}
