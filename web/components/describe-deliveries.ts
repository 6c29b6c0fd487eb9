import type { LeadDeliveryCounts } from '#core/contract/leads/lead.ts'
import {
  countWanted,
  judgeDeliveries,
  type LeadDeliveryStanding,
} from '#core/domain/leads/judge-deliveries.ts'
import type { Tone } from '../ui/show/tone.ts'

/** The status of a lead's deliveries in the words of every screen. */
export interface DeliveriesInWords {
  label: string
  tone: Tone
  /** the sentence below the label; null if the label says all */
  detail: string | null
}

const WORDS: Readonly<
  Record<LeadDeliveryStanding, Omit<DeliveriesInWords, 'detail'> & { alone: string | null }>
> = {
  none: { label: 'None', tone: 'neutral', alone: null },
  delivered: { label: 'Delivered', tone: 'success', alone: null },
  partly_failed: { label: 'Partly failed', tone: 'failure', alone: null },
  failed: { label: 'Failed', tone: 'failure', alone: 'no further attempt follows' },
  held: {
    label: 'Held',
    tone: 'waiting',
    alone: 'held: the webhook is or was off, its endpoint does not answer, or sending is paused',
  },
  retrying: { label: 'Retrying', tone: 'waiting', alone: 'an attempt failed; the next is planned' },
  waiting: { label: 'Waiting', tone: 'waiting', alone: null },
  cancelled: { label: 'Cancelled', tone: 'neutral', alone: null },
}

/** The parts of the count, in the order of the sentence: "1 delivered, 1 failed". */
const PARTS = ['delivered', 'failed', 'held', 'retrying', 'waiting', 'cancelled'] as const

/** For one delivery, gives the status with its reason; for several, counts the deliveries by status. */
export function describeDeliveries(counts: LeadDeliveryCounts): DeliveriesInWords {
  const { alone, ...words } = WORDS[judgeDeliveries(counts)]
  const isOne = countWanted(counts) + counts.cancelled < 2
  return { ...words, detail: isOne ? alone : listParts(counts) }
}

function listParts(counts: LeadDeliveryCounts): string {
  return PARTS.filter((part) => counts[part] > 0)
    .map((part) => `${counts[part]} ${part}`)
    .join(', ')
}
