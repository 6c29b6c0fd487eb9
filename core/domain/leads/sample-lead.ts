import type { PayloadEvent } from '#core/contract/events.ts'
import type { LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import { leadValues } from './lead-values.ts'
import type { PlaceholderValues } from '../webhooks/template/placeholder-value.ts'

/** The fixed, fictional lead of previews and Test Endpoint. Never a real person: 555-01xx and example.com are reserved. */
export const SAMPLE_LEAD: LeadForPayload = {
  id: '00000000-0000-7000-8000-000000000001',
  status: 'assigned',
  is_test: true,
  name: 'Test Lead',
  first_name: 'Test',
  last_name: 'Lead',
  email: 'test.lead@example.com',
  phone: '+12025550143',
  alt_phone: null,
  address1: '100 Example Street',
  address2: null,
  city: 'Los Angeles',
  county: 'Los Angeles',
  state: 'CA',
  zip: '90001',
  country: 'US',
  timezone: 'America/Los_Angeles',
  date_of_birth: '1958-03-14',
  age: null,
  gender: null,
  tobacco: false,
  coverage_amount: '15000.00',
  beneficiary_name: null,
  best_time_to_call: 'afternoon',
  language: 'en',
  comments: null,
  custom: {},
  lead_type: 'final_expense',
  source: 'manual_assignment_test',
  campaign: null,
  sub_id: null,
  deal_size: '0.00',
  price_charged: '0.00',
  order_id: '00000000-0000-7000-8000-000000000004',
  order_name: 'Example order',
  consent_given: true,
  consent_at: '2026-01-01T12:00:00.000Z',
  consent_text: 'I agree to be contacted about this request.',
  consent_url: 'https://example.com/quote',
  consent_ip: '192.0.2.10',
  consent_user_agent: null,
  trustedform_cert_url: null,
  trustedform_expires_at: null,
  jornaya_leadid: null,
  created_at: '2026-01-01T12:00:00.000Z',
  assigned_at: '2026-01-01T12:00:01.000Z',
}

/** Values of the sample for a preview or a test. `now` is the moment of sending. */
export function sampleValues(event: PayloadEvent, now: Date): PlaceholderValues {
  return leadValues(SAMPLE_LEAD, {
    event,
    deliveryId: '00000000-0000-7000-8000-000000000002',
    clientId: '00000000-0000-7000-8000-000000000003',
    sentAt: now,
  })
}
