import type { LeadDeliveryCounts, LeadDetail, LeadSummary } from '#core/contract/leads/lead.ts'
import { countOpen, judgeDeliveries, type LeadDeliveryStanding } from '#core/domain/leads/judge-deliveries.ts'
import { wasSent } from '../components/was-sent.ts'
import type { Station, StationState } from '../ui/show/station.ts'
import { describeDeliveries } from '../components/describe-deliveries.ts'

type Attempt = LeadDetail['deliveries'][number]

/** Rows of the log that stand for no request: one that waits, and one that was stopped. */
const UNSENT = new Set(['pending', 'cancelled'])

const DELIVERED: Readonly<Record<LeadDeliveryStanding, StationState>> = {
  none: 'ahead',
  delivered: 'done',
  partly_failed: 'failed',
  failed: 'failed',
  held: 'waiting',
  retrying: 'waiting',
  waiting: 'waiting',
  cancelled: 'ahead',
}

const LABELS: Partial<Readonly<Record<LeadDeliveryStanding, string>>> = {
  partly_failed: 'Partly delivered',
  failed: 'Not delivered',
}

/**
 * The four stations of a lead: received, assigned, sent, delivered. How far it got is told by where all its deliveries stand, so
 * that the list and the lead say the same; its attempts only add the times.
 */
export function leadJourney(lead: LeadSummary, attempts: readonly Attempt[] = []): Station[] {
  const oldestFirst = attempts.toSorted((one, other) => one.created_at.localeCompare(other.created_at))
  const first = oldestFirst.find((attempt) => !UNSENT.has(attempt.delivery_status) && wasSent(attempt))
  return [
    { key: 'received', label: 'Received', state: 'done', at: lead.created_at },
    {
      key: 'assigned',
      label: 'Assigned',
      state: lead.assigned_at === null ? (lead.status === 'unassigned' ? 'waiting' : 'ahead') : 'done',
      at: lead.assigned_at,
    },
    sentStation(lead.delivery_counts, first?.created_at),
    deliveredStation(lead, oldestFirst),
  ]
}

function sentStation(counts: LeadDeliveryCounts, at: string | undefined): Station {
  if (counts.sent > 0) return { key: 'sent', label: 'Sent', state: 'done', at: at ?? null }
  if (hasSentNothing(counts)) return { key: 'sent', label: 'Not sent', state: 'failed', at: null }
  return { key: 'sent', label: 'Sent', state: countOpen(counts) > 0 ? 'waiting' : 'ahead', at: null }
}

/** All have finally failed, and no endpoint was ever reached: it is the sending that failed. */
function hasSentNothing(counts: LeadDeliveryCounts): boolean {
  return counts.sent === 0 && judgeDeliveries(counts) === 'failed'
}

function deliveredStation(lead: LeadSummary, oldestFirst: readonly Attempt[]): Station {
  const { delivery_counts: counts } = lead
  const standing = judgeDeliveries(counts)
  const { detail } = describeDeliveries(counts)
  const reached = hasSentNothing(counts) ? 'ahead' : DELIVERED[standing]
  const at = standing === 'delivered' ? lastArrival(oldestFirst) : undefined
  const took =
    at === undefined ? null : `${((at - Date.parse(lead.created_at)) / 1000).toFixed(1)} s after receipt`
  const note = [detail, took].filter((part) => part !== null).join(', ')
  return {
    key: 'delivered',
    label: (reached === 'failed' ? LABELS[standing] : undefined) ?? 'Delivered',
    state: reached === 'waiting' && counts.sent === 0 ? 'ahead' : reached,
    at: at === undefined ? null : new Date(at).toISOString(),
    ...(note === '' ? {} : { note }),
  }
}

/** When the last of the webhooks had the lead: each by its first success, whose answer came after the attempt had begun. */
function lastArrival(oldestFirst: readonly Attempt[]): number | undefined {
  const arrivals = new Map<string, number>()
  for (const attempt of oldestFirst) {
    const way = `${attempt.webhook_config_id} ${attempt.event_id}`
    if (attempt.delivery_status === 'delivered' && !arrivals.has(way))
      arrivals.set(way, Date.parse(attempt.created_at) + (attempt.processing_time_ms ?? 0))
  }
  return arrivals.size === 0 ? undefined : Math.max(...arrivals.values())
}
