import type { LeadDeliveryCounts, LeadSummary } from '#core/contract/leads/lead.ts'

export const RECEIVED = '2026-11-21T12:00:00.000Z'

export const none: LeadDeliveryCounts = {
  delivered: 0,
  failed: 0,
  held: 0,
  retrying: 0,
  waiting: 0,
  cancelled: 0,
  sent: 0,
}

/** A lead as the list shows it, without a matching webhook. */
export const lead: LeadSummary = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'Alma Fictional',
  email: 'alma@example.com',
  phone: '+15550100100',
  state: 'CA',
  city: 'Exampleton',
  member_user_id: null,
  lead_type: 'final_expense',
  source: null,
  status: 'assigned',
  deal_size: 0,
  is_test: false,
  created_at: RECEIVED,
  assigned_at: '2026-11-21T12:00:00.050Z',
  unread: true,
  price: null,
  disposition: 'new',
  consent_revoked: false,
  delivery_status: null,
  delivery_counts: none,
}
