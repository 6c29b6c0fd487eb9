import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LateLead } from '#core/contract/market/late-lead.ts'
import { listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { findDeliveryTimes, type DeliveryTimes } from '#core/data/webhooks/logs/delivery-times.ts'
import { readTimeline } from '#core/data/outbox/events.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { listOutcomes } from '#core/data/leads/lead-outcomes.ts'
import { findLateLeads } from '#core/data/market/late/late-credits.ts'
import { findReturnOfLead } from '#core/data/market/lead-returns.ts'
import { markViewed } from '#core/data/market/lead-assignments.ts'
import type { Viewer } from '#core/data/leads/leads.ts'
import { expireCertificate } from '#core/domain/leads/expire-certificate.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { showReturnable } from '../market/show-returnable.ts'
import { beginTimeline } from './begin-timeline.ts'
import { findOwnRevocation } from './revocations/show-revocations.ts'
import { tellHours } from '../webhooks/tell-hours.ts'
import { keptLogs } from '../webhooks/kept-logs.ts'

const DELIVERIES_SHOWN = 50
const DAY_MS = 24 * 3600 * 1000
const NO_TIMES: DeliveryTimes = { first_sent_at: null, delivered_at: null }

/** Whether a late lead could be credited at all: clients see nothing of others. */
const isPromised = ({ reason }: LateLead): boolean =>
  reason !== 'off' && reason !== 'no_price' && reason !== 'test'

/**
 * Opens a lead and records that its assigned client has viewed it, unless an administrator sees the client's screens.
 * @throws AppError not_found
 */
export async function openLead(
  context: ServerContext,
  viewer: Viewer & Pick<Principal, 'viewed_by'>,
  id: string,
): Promise<LeadDetail> {
  if (viewer.viewed_by === undefined) await markViewed(context.db, viewer, id)
  return await showLead(context, viewer, id)
}

/** The whole lead, with its timeline and the attempts to deliver it. @throws AppError not_found */
export async function showLead(context: ServerContext, viewer: Viewer, id: string): Promise<LeadDetail> {
  const { db } = context
  const client = viewer.role === 'admin' ? undefined : viewer.user_id
  const lead = await findLeadRecord(db, viewer, id)
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  const kept = keptLogs(context.config)
  // No attempt is earlier than the lead, except by the difference of clocks, which is less than a day.
  const from = new Date(Date.parse(lead.created_at) - DAY_MS)
  const [asked, returnable, revocation, outcomes, late, timeline, deliveries, times] = await Promise.all([
    findReturnOfLead(db, client ?? lead.assigned_to ?? viewer.user_id, id),
    showReturnable(context, viewer.user_id, id),
    findOwnRevocation(context, client === undefined ? { user_id: lead.assigned_to } : viewer, id),
    listOutcomes(db, viewer, id),
    findLateLeads(db, id, client),
    readTimeline(db, id, client, viewer.member_user_id),
    listDeliveryLogs(
      db,
      { client, member: viewer.member_user_id, lead_id: id, kept, from },
      { limit: DELIVERIES_SHOWN, after: undefined },
    ),
    // If the first attempts may be deleted, the oldest remaining one is not the first.
    new Date(lead.created_at) < kept.since
      ? NO_TIMES
      : findDeliveryTimes(db, { leadId: id, client, span: { since: from, until: kept.until } }),
  ])
  return {
    ...lead,
    trustedform_expires_at: expireCertificate(lead),
    return: asked ?? null,
    returnable,
    revocation: revocation ?? null,
    outcomes,
    late: client === undefined ? late : late.filter(isPromised),
    timeline: client === undefined ? timeline : beginTimeline(timeline),
    ...times,
    deliveries: deliveries
      .slice(0, DELIVERIES_SHOWN)
      .map(({ position: _position, ...log }) => tellHours(log)),
  }
}
