import type { LeadDetail, LeadSummary } from '#core/contract/leads/lead.ts'
import type { Station } from '../ui/show/station.ts'

type Attempt = LeadDetail['deliveries'][number]

/** Rows of the log that stand for no request: one that waits, and one that was stopped. */
const UNSENT = new Set(['pending', 'cancelled'])

/** The four stations of a lead: received, assigned, sent, delivered. Without its attempts the last two have no times. */
export function leadJourney(lead: LeadSummary, attempts: readonly Attempt[] = []): Station[] {
  const oldestFirst = attempts.toSorted((one, other) => one.created_at.localeCompare(other.created_at))
  const sent = oldestFirst.find(({ delivery_status }) => !UNSENT.has(delivery_status))
  const delivered = oldestFirst.find((attempt) => attempt.delivery_status === 'delivered')
  const wasSent = sent !== undefined || (lead.delivery_status !== null && lead.delivery_status !== 'pending')
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
      state: wasSent ? 'done' : lead.delivery_status === 'pending' ? 'waiting' : 'ahead',
      at: sent?.created_at ?? null,
    },
    deliveredStation(lead, wasSent, delivered),
  ]
}

function deliveredStation(lead: LeadSummary, wasSent: boolean, delivered: Attempt | undefined): Station {
  const station = { key: 'delivered', label: 'Delivered', at: delivered?.created_at ?? null }
  if (lead.delivery_status === 'delivered' || delivered !== undefined) {
    const took = delivered && (Date.parse(delivered.created_at) - Date.parse(lead.created_at)) / 1000
    return {
      ...station,
      state: 'done',
      ...(took === undefined ? {} : { note: `${took.toFixed(1)} s after receipt` }),
    }
  }
  if (lead.delivery_status === 'failed') return { ...station, label: 'Not delivered', state: 'failed' }
  return { ...station, state: wasSent && lead.delivery_status === 'pending' ? 'waiting' : 'ahead' }
}
