import type { PayloadEvent } from '#core/contract/events.ts'
import {
  chooseByKind,
  PAYLOAD_FIELDS,
  type FieldOfKind,
  type PayloadField,
} from '#core/contract/leads/lead-fields.ts'
import type { LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import type {
  GivenValue,
  PlaceholderValue,
  PlaceholderValues,
} from '../webhooks/template/placeholder-value.ts'
import { ageOn } from './age-on.ts'
import { writeCallTimes, type CallTimes } from './calling/calling-window.ts'
import { expireCertificate } from './expire-certificate.ts'
import { STATE_NAMES } from './us-states.ts'

/** The delivery of the lead. `sentAt` is the moment of this attempt. */
export interface PayloadOccasion {
  event: PayloadEvent
  deliveryId: string
  clientId: string
  sentAt: Date
  /** makes the address for outcomes; called only if a template asks for it */
  outcomeUrl: () => string
}

const AMOUNTS = chooseByKind(PAYLOAD_FIELDS, ['amount'])
const MOMENTS = chooseByKind(PAYLOAD_FIELDS, ['moment'])

/** Every placeholder's value for one attempt; missing ones are null. */
export function leadValues(lead: LeadForPayload, occasion: PayloadOccasion): PlaceholderValues {
  const phone = localPhone(lead.phone)
  let times: CallTimes | undefined
  // Few templates ask for them, and they cost more than all other values.
  const callTimes = () => (times ??= writeCallTimes(lead, occasion.sentAt))
  return {
    ...customValues(lead.custom),
    ...lead,
    ...readByKind(lead),
    // Placeholders under other names.
    custom: undefined,
    price_charged: undefined,
    lead_id: lead.id,
    created_at: isoTime(lead.created_at),
    assigned_at: isoTime(lead.assigned_at),
    phone_10: phone ?? lead.phone?.replace('+', '') ?? null,
    phone_formatted:
      phone === null ? lead.phone : `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`,
    state_name: stateName(lead.state),
    dob_us: lead.date_of_birth?.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1') ?? null,
    age: lead.age ?? ageOn(lead.date_of_birth, occasion.sentAt),
    lead_type_label: leadTypeLabel(lead.lead_type),
    price: amount(lead.price_charged),
    client_id: occasion.clientId,
    trustedform_expires_at: expireCertificate(lead),
    get outcome_url() {
      return occasion.outcomeUrl()
    },
    event: occasion.event,
    delivery_id: occasion.deliveryId,
    sent_at: occasion.sentAt.toISOString(),
    get callable_from() {
      return callTimes().callable_from
    },
    get callable_until() {
      return callTimes().callable_until
    },
    get local_time() {
      return callTimes().local_time
    },
  }
}

/** The fields that a payload has in another form than the database: amounts as numbers, moments as ISO text. */
function readByKind(lead: LeadForPayload) {
  const read: Partial<Record<PayloadField, string | number | null>> = {}
  for (const name of AMOUNTS) read[name] = amount(lead[name])
  for (const name of MOMENTS) read[name] = isoTime(lead[name])
  return read as { [Name in FieldOfKind<'amount' | 'moment'> & PayloadField]: string | number | null }
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

/** numeric(14,2) at most: a double holds 14 digits exactly. */
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
