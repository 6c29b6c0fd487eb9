import type { Receipt } from '../../lab/receiver/receipt.ts'
import { latencies, longestGap, type Span } from '../../lab/receiver/read-receipts.ts'
import type { Post } from '../send-at-pace.ts'
import { describeSpread } from '../spread.ts'
import { MEASURED } from '../wait-for-receipts.ts'
import { OTHERS } from './case.ts'
import type { Played } from './judge-case.ts'

/** The evidence of a case. `first` are the measured client's leads while it was alone, after its warm-up. */
export interface Evidence extends Pick<Played, 'refused' | 'lost' | 'drained'> {
  receipts: readonly Receipt[]
  first: readonly Post[]
  beside: readonly Post[]
  warmUpMs: number
}

export function describePlayed({ receipts, first, beside, warmUpMs, ...counts }: Evidence): Played {
  const own = receipts.filter(({ path }) => path === `/${MEASURED}`)
  const alone = spanOf(first)
  const meanwhile = spanOf(beside)
  const spread = (span: Span) => describeSpread(latencies(own, span))
  const ofOthers = Map.groupBy(
    receipts.filter(({ path }) => path.startsWith(`/${OTHERS}/`)),
    ({ path }) => path,
  )
  const gaps = [...ofOthers.values()].map((theirs) => longestGap(theirs, meanwhile))
  return {
    ...counts,
    alone: spread({ from: alone.from + warmUpMs, until: alone.until }),
    lateMs: describeSpread(beside.map((post) => post.lateMs)).p99,
    beside: counts.lost.victim > 0 ? null : spread(meanwhile),
    silenceMs: {
      victim: longestGap(own, meanwhile),
      others: gaps.length === 0 ? null : Math.max(...gaps),
    },
  }
}

/**
 * The span from the first post to the last. `intended` loses its digits beyond microseconds on its way
 * through the lead.
 */
function spanOf(posts: readonly Post[]): Span {
  return { from: (posts[0]?.intended ?? 0) - 0.001, until: (posts.at(-1)?.intended ?? 0) + 0.001 }
}
