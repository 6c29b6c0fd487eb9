import type { PayloadEvent } from '#core/contract/events.ts'
import type { LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import type {
  GivenValue,
  PlaceholderValue,
  PlaceholderValues,
} from '../webhooks/template/placeholder-value.ts'
import { ageOn } from './age-on.ts'
import { expireCertificate } from './expire-certificate.ts'
import { STATE_NAMES } from './us-states.ts'

/** The delivery around the lead. `sentAt` is the moment of this attempt. */
export interface PayloadOccasion {
  event: PayloadEvent
  deliveryId: string
  clientId: string
  sentAt: Date
}

/** Every placeholder's value for one attempt; missing ones are null. */
export function leadValues(lead: LeadForPayload, occasion: PayloadOccasion): PlaceholderValues {
  const phone = localPhone(lead.phone)
  return {
    ...customValues(lead.custom),
    id: lead.id,
    lead_id: lead.id,
    status: lead.status,
    is_test: lead.is_test,
    created_at: isoTime(lead.created_at),
    assigned_at: isoTime(lead.assigned_at),
    name: lead.name,
    first_name: lead.first_name,
    last_name: lead.last_name,
    email: lead.email,
    phone: lead.phone,
    phone_10: phone ?? lead.phone?.replace('+', '') ?? null,
    phone_formatted:
      phone === null ? lead.phone : `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`,
    alt_phone: lead.alt_phone,
    address1: lead.address1,
    address2: lead.address2,
    city: lead.city,
    county: lead.county,
    state: lead.state,
    state_name: stateName(lead.state),
    zip: lead.zip,
    country: lead.country,
    timezone: lead.timezone,
    date_of_birth: lead.date_of_birth,
    dob_us: lead.date_of_birth?.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1') ?? null,
    age: lead.age ?? ageOn(lead.date_of_birth, occasion.sentAt),
    gender: lead.gender,
    tobacco: lead.tobacco,
    coverage_amount: amount(lead.coverage_amount),
    beneficiary_name: lead.beneficiary_name,
    best_time_to_call: lead.best_time_to_call,
    language: lead.language,
    comments: lead.comments,
    lead_type: lead.lead_type,
    lead_type_label: leadTypeLabel(lead.lead_type),
    source: lead.source,
    campaign: lead.campaign,
    sub_id: lead.sub_id,
    deal_size: amount(lead.deal_size),
    price: amount(lead.price_charged),
    order_id: lead.order_id,
    order_name: lead.order_name,
    client_id: occasion.clientId,
    consent_given: lead.consent_given,
    consent_at: isoTime(lead.consent_at),
    consent_text: lead.consent_text,
    consent_url: lead.consent_url,
    consent_ip: lead.consent_ip,
    consent_user_agent: lead.consent_user_agent,
    trustedform_cert_url: lead.trustedform_cert_url,
    trustedform_expires_at: expireCertificate(lead),
    jornaya_leadid: lead.jornaya_leadid,
    event: occasion.event,
    delivery_id: occasion.deliveryId,
    sent_at: occasion.sentAt.toISOString(),
  }
}

/** `final_expense` → `Final expense`. */
export function leadTypeLabel(leadType: string): string {
  const words = leadType.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function customValues(custom: Readonly<Record<string, unknown>>): Record<string, GivenValue> {
  return Object.fromEntries(
    Object.entries(custom).map(([key, value]) => [
      `custom.${key}`,
      isValue(value) || JSON.isRawJSON(value) ? value : JSON.stringify(value),
    ]),
  )
}

function isValue(value: unknown): value is PlaceholderValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** numeric(14,2) at most: 14 digits survive a double exactly. */
function amount(decimal: string | null): number | null {
  return decimal === null ? null : Number(decimal)
}

function stateName(code: string | null): string | null {
  return code !== null && Object.hasOwn(STATE_NAMES, code) ? (STATE_NAMES[code] ?? null) : null
}

function isoTime(time: Date | string | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

function localPhone(phone: string | null): string | null {
  return phone === null ? null : (/^\+1(\d{10})$/.exec(phone)?.[1] ?? null)
}
