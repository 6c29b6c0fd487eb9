import got from 'got'
import { findContradictions } from '../../lab/market/find-contradictions.ts'
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
    const played = await playMarket({ db: context.db, url, token, publish }, size)
    const seconds = (performance.now() - began) / 1000
    const faults: Record<string, number> = {}
    for (const { what } of await findContradictions(context.db)) faults[what] = (faults[what] ?? 0) + 1
    return { ...size, ...played, seconds, faults }
  } finally {
    await publisher.close()
    await programs.stop()
  }
}

/** Whether no forbidden outcome was found. */
export function isSound({ answers, undecided, offShare, faults }: CrowdResult): boolean {
  const refused = Object.keys(answers).filter((answer) => answer.startsWith('status'))
  return refused.length === 0 && undecided === 0 && offShare <= 0.01 && Object.keys(faults).length === 0
}
