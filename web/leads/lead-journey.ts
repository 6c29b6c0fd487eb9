import type { LeadDetail, LeadSummary } from '#core/contract/leads/lead.ts'
import { countOpen, judgeDeliveries, type LeadDeliveryStanding } from '#core/domain/leads/judge-deliveries.ts'
import type { Station, StationState } from '../ui/show/station.ts'
import { describeDeliveries } from './describe-deliveries.ts'

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
  const sent = oldestFirst.find(({ delivery_status }) => !UNSENT.has(delivery_status))
  const { delivery_counts: counts } = lead
  const wasSent = counts.sent > 0
  return [
    { key: 'received', label: 'Received', state: 'done', at: lead.created_at },
    {
      key: 'assigned',
      label: 'Assigned',
      state: lead.assigned_at === null ? (lead.status === 'unassigned' ? 'waiting' : 'ahead') : 'done',
      at: lead.assigned_at,
    },
    {
      key: 'sent',
      label: 'Sent',
      state: wasSent ? 'done' : countOpen(counts) > 0 ? 'waiting' : 'ahead',
      at: wasSent ? (sent?.created_at ?? null) : null,
    },
    deliveredStation(lead, wasSent, oldestFirst),
  ]
}

function deliveredStation(lead: LeadSummary, wasSent: boolean, oldestFirst: readonly Attempt[]): Station {
  const standing = judgeDeliveries(lead.delivery_counts)
  const { detail } = describeDeliveries(lead.delivery_counts)
  const reached = DELIVERED[standing]
  const at = standing === 'delivered' ? lastArrival(oldestFirst) : undefined
  const took =
    at === undefined ? null : `${((at - Date.parse(lead.created_at)) / 1000).toFixed(1)} s after receipt`
  const note = [detail, took].filter((part) => part !== null).join(', ')
  return {
    key: 'delivered',
    label: LABELS[standing] ?? 'Delivered',
    state: reached === 'waiting' && !wasSent ? 'ahead' : reached,
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
