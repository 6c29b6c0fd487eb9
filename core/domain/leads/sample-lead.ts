import type { PayloadEvent } from '#core/contract/events.ts'
import { mapByKind, PAYLOAD_FIELDS } from '#core/contract/leads/lead-fields.ts'
import type { LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import { leadValues } from './lead-values.ts'
import { outcomeUrl } from './outcome-url.ts'
import type { PlaceholderValues } from '../webhooks/template/placeholder-value.ts'

/** Null for every field that the sample below does not set. */
const NOTHING = mapByKind(PAYLOAD_FIELDS, {}, null)

/** The fixed, fictional lead of previews and Test Endpoint. Never a real person: 555-01xx and example.com are reserved. */
export const SAMPLE_LEAD: LeadForPayload = {
  ...NOTHING,
  id: '00000000-0000-7000-8000-000000000001',
  status: 'assigned',
  is_test: true,
  name: 'Test Lead',
  first_name: 'Test',
  last_name: 'Lead',
  email: 'test.lead@example.com',
  phone: '+12025550143',
  address1: '100 Example Street',
  city: 'Los Angeles',
  county: 'Los Angeles',
  state: 'CA',
  zip: '90001',
  country: 'US',
  timezone: 'America/Los_Angeles',
  date_of_birth: '1958-03-14',
  tobacco: false,
  coverage_amount: '15000.00',
  best_time_to_call: 'afternoon',
  language: 'en',
  custom: {},
  lead_type: 'final_expense',
  source: 'manual_assignment_test',
  deal_size: '0.00',
  price_charged: '0.00',
  order_id: '00000000-0000-7000-8000-000000000004',
  order_name: 'Example order',
  consent_given: true,
  consent_at: '2026-01-01T12:00:00.000Z',
  consent_text: 'I agree to be contacted about this request.',
  consent_url: 'https://example.com/quote',
  consent_ip: '192.0.2.10',
  created_at: '2026-01-01T12:00:00.000Z',
  assigned_at: '2026-01-01T12:00:01.000Z',
}

/** The token of the address for outcomes in previews and tests. An outcome posted to it is checked and changes nothing. */
export const SAMPLE_OUTCOME_TOKEN = 'lw_outcome_example'

/**
 * Values of the sample for a preview or a test.
 * @param now the moment of sending
 * @param apiUrl the server's own address, if it is known
 */
export function sampleValues(
  event: PayloadEvent,
  now: Date,
  apiUrl = 'https://leadwire.example',
): PlaceholderValues {
  return leadValues(SAMPLE_LEAD, {
    event,
    deliveryId: '00000000-0000-7000-8000-000000000002',
    clientId: '00000000-0000-7000-8000-000000000003',
    sentAt: now,
    outcomeUrl: () => outcomeUrl(apiUrl, SAMPLE_OUTCOME_TOKEN),
  })
}
