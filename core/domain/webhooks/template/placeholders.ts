import {
  LEAD_FIELDS,
  mapByKind,
  PAYLOAD_FIELDS,
  type FieldKind,
  type PayloadField,
} from '#core/contract/leads/lead-fields.ts'
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

/** Further placeholders that are made of a field, listed after it. */
const MADE_OF: { [Name in PayloadField]?: Record<string, string> } = {
  phone: {
    phone_10: 'Phone, ten digits, 5125550143',
    phone_formatted: 'Phone as people write it, (512) 555-0143',
  },
  state: { state_name: 'State name, California' },
  date_of_birth: { dob_us: 'Date of birth, 03/14/1958' },
  lead_type: { lead_type_label: 'Lead type in words, Final expense' },
}

/** The fields of a lead in one group (core/contract/leads/lead-fields.ts). */
const fieldsOf = (group: Placeholder['group']): Placeholder[] =>
  PAYLOAD_FIELDS.filter((name) => LEAD_FIELDS[name].group === group).flatMap((name) =>
    of(group, { [name]: LEAD_FIELDS[name].means, ...MADE_OF[name] }),
  )

/** Every known placeholder in the order of the palette; `custom.<key>` is known for any key. */
export const PLACEHOLDERS: readonly Placeholder[] = [
  ...of('Lead', {
    id: 'Lead id',
    lead_id: 'Lead id (same as id)',
    status: 'Status of the lead',
  }),
  ...fieldsOf('Lead'),
  ...of('Lead', {
    created_at: 'When the lead came in (ISO 8601, UTC)',
    assigned_at: 'When the lead was assigned (ISO 8601, UTC)',
  }),
  ...fieldsOf('Contact'),
  ...fieldsOf('Person'),
  ...fieldsOf('Product'),
  ...of('Product', {
    price: 'Price charged, dollars (number)',
    order_id: 'Id of the order that bought the lead; empty if its source named you',
    order_name: 'Name of that order at the moment of sending',
    client_id: 'Your client id',
  }),
  ...fieldsOf('Consent'),
  ...of('Delivery', {
    event: 'lead.created, lead.assigned or test',
    delivery_id: 'Delivery id',
    outcome_url: 'Address to which your CRM posts what became of the lead; works for 90 days',
    sent_at: 'When this attempt was sent (ISO 8601, UTC)',
    callable_from: 'When the present or next calling hours begin (ISO 8601, at the person’s place)',
    callable_until: 'When those calling hours end (ISO 8601, at the person’s place)',
    local_time: 'Time at the person’s place when this attempt was sent (ISO 8601)',
  }),
]

const KINDS_OF_FIELDS = {
  moment: 'moment',
  date: 'date',
  phone: 'phone',
  whole: 'number',
  amount: 'number',
  yes_no: 'yes_no',
} as const satisfies { [Kind in FieldKind]?: ValueKind }
/** The kinds of values that are not text. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  ...mapByKind(PAYLOAD_FIELDS, KINDS_OF_FIELDS, 'text' as const),
  ...ofKind('moment', 'created_at assigned_at sent_at callable_from callable_until local_time'),
  ...ofKind('phone', 'phone_10 phone_formatted'),
  ...ofKind('number', 'price'),
}

const KNOWN: ReadonlySet<string> = new Set(PLACEHOLDERS.map(({ name }) => name))

/** The name without its optional `lead.` prefix, as {@link isKnownPlaceholder} and the values use it. */
export function placeholderName(text: string): string {
  return text.startsWith('lead.') ? text.slice('lead.'.length) : text
}

/** Whether a value can exist for this name. It always can for `custom.<key>`. */
export function isKnownPlaceholder(name: string): boolean {
  return KNOWN.has(name) || /^custom\.[^{}\s]+$/.test(name)
}

/** The kind of a known name's value; that of `custom.<key>` is unknown in advance. */
export function kindOf(name: string): ValueKind {
  if (name.startsWith('custom.')) return 'any'
  return (Object.hasOwn(KINDS, name) ? KINDS[name] : undefined) ?? 'text'
}

function ofKind(kind: ValueKind, names: string): Record<string, ValueKind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}
