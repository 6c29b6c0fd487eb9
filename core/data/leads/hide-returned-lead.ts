import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadStatus } from '#core/contract/leads/lead.ts'
import { RETURNED_LEAD_NAME } from '#core/contract/market/lead-return.ts'

/** Who somebody is, in everything that shows a lead. The state stays: it says where a client's returns come from, and of nobody who he is. */
const HIDDEN: Partial<LeadDetail> = {
  name: RETURNED_LEAD_NAME,
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  alt_phone: null,
  address1: null,
  address2: null,
  city: null,
  county: null,
  zip: null,
  timezone: null,
  date_of_birth: null,
  age: null,
  gender: null,
  tobacco: null,
  coverage_amount: null,
  beneficiary_name: null,
  best_time_to_call: null,
  comments: null,
  external_id: null,
  sub_id: null,
  consent_text: null,
  consent_url: null,
  consent_ip: null,
  consent_user_agent: null,
  trustedform_cert_url: null,
  trustedform_expires_at: null,
  jornaya_leadid: null,
  custom: {},
  notes: null,
}

/** A lead as this viewer may see it: of one that a client gave back, he keeps that it was there and what became of it. */
export function hideReturnedLead<Lead extends { status: LeadStatus }>(
  viewer: { role: 'client' | 'admin' },
  lead: Lead,
): Lead {
  if (viewer.role === 'admin' || lead.status !== 'returned') return lead
  const hidden = Object.entries(HIDDEN).filter(([column]) => column in lead)
  return { ...lead, ...Object.fromEntries(hidden) }
}
