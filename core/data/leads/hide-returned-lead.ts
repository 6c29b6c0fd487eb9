import { KEPT_FIELDS, LEAD_FIELD_NAMES, type LeadField } from '#core/contract/leads/lead-fields.ts'
import { RETURNED_LEAD_NAME, type LeadStatus } from '#core/contract/leads/lead.ts'

/**
 * Fields that stay visible. The state is among them: it shows where a client's returns come from, and identifies
 * nobody.
 */
const SHOWN: readonly LeadField[] = [...KEPT_FIELDS, 'state']

/** The values that replace everything that identifies the person, wherever a lead is shown. */
export const HIDDEN_IN_RETURNED: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(LEAD_FIELD_NAMES.flatMap((name) => (SHOWN.includes(name) ? [] : [[name, null]]))),
  name: RETURNED_LEAD_NAME,
  custom: {},
  notes: null,
}

/**
 * Returns a lead as this viewer may see it. Of a lead that a client gave back, the client sees only that it existed and
 * its outcome.
 */
export function hideReturnedLead<Lead extends { status: LeadStatus }>(
  viewer: { role: 'client' | 'admin' },
  lead: Lead,
): Lead {
  if (viewer.role === 'admin' || lead.status !== 'returned') return lead
  const hidden = Object.entries(HIDDEN_IN_RETURNED).filter(([column]) => column in lead)
  return { ...lead, ...Object.fromEntries(hidden) }
}
