import got from 'got'
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
}

/**
 * Runs the real server and the real worker, which both decide for one market while everything changes
 * (scripts/lab/market/play-market.ts).
 */
export async function measureCrowd(context: BenchContext, size: MarketSize): Promise<CrowdResult> {
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
    const played = await playMarket({ db: context.db, url, token, publish }, size).finally(() => {
      isOver = true
    })
    const seconds = (performance.now() - began) / 1000
    const faults: Record<string, number> = {}
    for (const { what } of await findContradictions(context.db)) faults[what] = (faults[what] ?? 0) + 1
    for (const { what } of await findFeedFaults(context.db))
      faults[`feed: ${what}`] = (faults[`feed: ${what}`] ?? 0) + 1
    return { ...size, ...played, seconds, faults, followed: await following }
  } finally {
    await publisher.close()
    await programs.stop()
  }
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
