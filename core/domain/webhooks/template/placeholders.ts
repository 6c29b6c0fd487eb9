import type { ValueKind } from './formats/format.ts'

// Space around a name is trimmed afterwards: in the pattern it would take cubic time on a template of spaces.
export const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** One name that a payload template may hold between double braces, with or without a `lead.` prefix. */
export interface Placeholder {
  name: string
  group: 'Lead' | 'Contact' | 'Person' | 'Product' | 'Consent' | 'Delivery'
  description: string
}

const of = (group: Placeholder['group'], names: Record<string, string>): Placeholder[] =>
  Object.entries(names).map(([name, description]) => ({ name, group, description }))

/** Every known placeholder in the order of the palette; `custom.<key>` is known for any key. */
export const PLACEHOLDERS: readonly Placeholder[] = [
  ...of('Lead', {
    id: 'Lead id',
    lead_id: 'Lead id (same as id)',
    status: 'Status of the lead',
    is_test: 'True for a test lead',
    created_at: 'When the lead came in (ISO 8601, UTC)',
    assigned_at: 'When the lead was assigned (ISO 8601, UTC)',
  }),
  ...of('Contact', {
    name: 'Full name',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'Email address',
    phone: 'Phone in E.164, +15125550143',
    phone_10: 'Phone, ten digits, 5125550143',
    phone_formatted: 'Phone as people write it, (512) 555-0143',
    alt_phone: 'Second phone',
    address1: 'Street',
    address2: 'Street, second line',
    city: 'City',
    county: 'County',
    state: 'State code, CA',
    state_name: 'State name, California',
    zip: 'ZIP code',
    country: 'Country code',
    timezone: 'Time zone',
  }),
  ...of('Person', {
    date_of_birth: 'Date of birth, 1958-03-14',
    dob_us: 'Date of birth, 03/14/1958',
    age: 'Age in years (number)',
    gender: 'Gender',
    tobacco: 'Tobacco use (true or false)',
    coverage_amount: 'Coverage asked for, dollars (number)',
    beneficiary_name: 'Beneficiary',
    best_time_to_call: 'Best time to call',
    language: 'Language code',
    comments: 'Comments',
  }),
  ...of('Product', {
    lead_type: 'Lead type code, final_expense',
    lead_type_label: 'Lead type in words, Final expense',
    source: 'Source',
    campaign: 'Campaign',
    sub_id: 'Sub id',
    deal_size: 'Deal size, dollars (number)',
    price: 'Price charged, dollars (number)',
    order_id: 'Id of the order that bought the lead; empty if its source named you',
    order_name: 'Name of that order at the moment of sending',
    client_id: 'Your client id',
  }),
  ...of('Consent', {
    consent_given: 'Consent given (true or false)',
    consent_at: 'When consent was given (ISO 8601, UTC)',
    consent_text: 'Consent text',
    consent_url: 'Page where consent was given',
    consent_ip: 'IP address at consent',
    consent_user_agent: 'Browser at consent',
    trustedform_cert_url: 'TrustedForm certificate',
    trustedform_expires_at: 'When the TrustedForm certificate ends (ISO 8601, UTC)',
    jornaya_leadid: 'Jornaya LeadiD',
  }),
  ...of('Delivery', {
    event: 'lead.created, lead.assigned or test',
    delivery_id: 'Delivery id',
    sent_at: 'When this attempt was sent (ISO 8601, UTC)',
  }),
]

/** What is not text. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  ...ofKind('moment', 'created_at assigned_at consent_at trustedform_expires_at sent_at'),
  ...ofKind('date', 'date_of_birth'),
  ...ofKind('phone', 'phone phone_10 phone_formatted alt_phone'),
  ...ofKind('number', 'age coverage_amount deal_size price'),
  ...ofKind('yes_no', 'is_test tobacco consent_given'),
}

const KNOWN: ReadonlySet<string> = new Set(PLACEHOLDERS.map(({ name }) => name))

/** The name without its optional `lead.` prefix, as {@link isKnownPlaceholder} and the values use it. */
export function placeholderName(text: string): string {
  return text.startsWith('lead.') ? text.slice('lead.'.length) : text
}

/** Is this a name that a value can exist for? `custom.<key>` always is. */
export function isKnownPlaceholder(name: string): boolean {
  return KNOWN.has(name) || /^custom\.[^{}\s]+$/.test(name)
}

/** Which formats a known name's value can have; what is behind `custom.<key>` nobody knows before. */
export function kindOf(name: string): ValueKind {
  if (name.startsWith('custom.')) return 'any'
  return (Object.hasOwn(KINDS, name) ? KINDS[name] : undefined) ?? 'text'
}

function ofKind(kind: ValueKind, names: string): Record<string, ValueKind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}
