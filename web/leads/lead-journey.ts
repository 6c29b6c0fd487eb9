import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadDeliveryCounts, LeadSummary } from '#core/contract/leads/lead.ts'
import { countOpen, judgeDeliveries, type LeadDeliveryStanding } from '#core/domain/leads/judge-deliveries.ts'
import type { Station, StationState } from '../ui/show/station.ts'
import { describeDeliveries } from '../components/describe-deliveries.ts'

/** Leads of the list have no times. */
type Times = Partial<Pick<LeadDetail, 'first_sent_at' | 'delivered_at'>>

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
 * Returns the four stations of a lead: received, assigned, sent, delivered. Both the list and the lead's page
 * derive them from the delivery counts, so that they agree; only the page adds times.
 */
export function leadJourney(lead: LeadSummary & Times): Station[] {
  return [
    { key: 'received', label: 'Received', state: 'done', at: lead.created_at },
    {
      key: 'assigned',
      label: 'Assigned',
      state: lead.assigned_at === null ? (lead.status === 'unassigned' ? 'waiting' : 'ahead') : 'done',
      at: lead.assigned_at,
    },
    sentStation(lead.delivery_counts, lead.first_sent_at ?? null),
    deliveredStation(lead, lead.delivered_at ?? null),
  ]
}

function sentStation(counts: LeadDeliveryCounts, at: string | null): Station {
  if (counts.sent > 0) return { key: 'sent', label: 'Sent', state: 'done', at }
  if (hasSentNothing(counts)) return { key: 'sent', label: 'Not sent', state: 'failed', at: null }
  return { key: 'sent', label: 'Sent', state: countOpen(counts) > 0 ? 'waiting' : 'ahead', at: null }
}

/** True if all deliveries have failed and no endpoint was reached. Then the station *sent* has failed. */
function hasSentNothing(counts: LeadDeliveryCounts): boolean {
  return counts.sent === 0 && judgeDeliveries(counts) === 'failed'
}

function deliveredStation(lead: LeadSummary, arrivedAt: string | null): Station {
  const { delivery_counts: counts } = lead
  const standing = judgeDeliveries(counts)
  const { detail } = describeDeliveries(counts)
  const reached = hasSentNothing(counts) ? 'ahead' : DELIVERED[standing]
  const at = standing === 'delivered' ? arrivedAt : null
  const seconds = at === null ? null : (Date.parse(at) - Date.parse(lead.created_at)) / 1000
  const took = seconds === null ? null : `${seconds.toFixed(1)} s after receipt`
  const note = [detail, took].filter((part) => part !== null).join(', ')
  return {
    key: 'delivered',
    label: (reached === 'failed' ? LABELS[standing] : undefined) ?? 'Delivered',
    state: reached === 'waiting' && counts.sent === 0 ? 'ahead' : reached,
    at,
    ...(note === '' ? {} : { note }),
  }
}
