/**
 * The kind of a field's value. People read a `text`, programs a `code`; `digits` are a code that may be sent as a
 * number.
 */
export type FieldKind = LimitedKind | 'web_address' | 'ip' | 'yes_no' | 'date' | 'moment'
type LimitedKind = 'text' | 'code' | 'digits' | 'phone' | 'whole' | 'amount'

/** The groups of fields, in the order of the answer of `GET /api/v1/leads/:id`. */
const GROUPS = [undefined, 'Lead', 'Contact', 'Person', 'Product', 'Consent'] as const

type Row = ({ kind: LimitedKind; most: number } | { kind: Exclude<FieldKind, LimitedKind> }) & {
  group?: NonNullable<(typeof GROUPS)[number]>
  means?: string
  answer?: string
  isListed?: true
  isInternal?: true
  isKept?: true
}

/** Names of people, streets and the like; a longer text is a mistake of the sender, and never cut silently. */
const SHORT = 200
const LONG = 5000

/**
 * Every field of a lead that has a column of its own, in the order in which a lead is read. CONTRIBUTING.md says how one is added.
 * - `most`: characters, or the highest whole number; an amount must be below it
 * - `group`, `means`: payloads hold the field; its placeholder stands in this group of the palette, with this meaning
 * - `answer`: its label among the answers on the lead's page
 * - `isListed`: lists of leads show it. The others are on the lead's page alone, and `isInternal` is on neither
 * - `isKept`: outlives the person's erasure. The others are erased, and hidden from a client who gave the lead back
 */
export const LEAD_FIELDS = {
  external_id: { kind: 'code', most: SHORT },
  lead_type: {
    kind: 'code',
    most: 64,
    group: 'Product',
    means: 'Lead type code, final_expense',
    answer: 'Lead type',
    isListed: true,
    isKept: true,
  },
  name: { kind: 'text', most: SHORT, group: 'Contact', means: 'Full name', isListed: true },
  first_name: { kind: 'text', most: SHORT, group: 'Contact', means: 'First name' },
  last_name: { kind: 'text', most: SHORT, group: 'Contact', means: 'Last name' },
  email: { kind: 'code', most: 1000, group: 'Contact', means: 'Email address', isListed: true },
  phone: { kind: 'phone', most: 64, group: 'Contact', means: 'Phone in E.164, +15125550143', isListed: true },
  alt_phone: { kind: 'phone', most: 64, group: 'Contact', means: 'Second phone' },
  address1: { kind: 'text', most: SHORT, group: 'Contact', means: 'Street' },
  address2: { kind: 'text', most: SHORT, group: 'Contact', means: 'Street, second line' },
  city: { kind: 'text', most: SHORT, group: 'Contact', means: 'City', isListed: true },
  county: { kind: 'text', most: SHORT, group: 'Contact', means: 'County' },
  state: { kind: 'code', most: 64, group: 'Contact', means: 'State code, CA', isListed: true },
  zip: { kind: 'digits', most: 16, group: 'Contact', means: 'ZIP code' },
  country: { kind: 'code', most: 64, group: 'Contact', means: 'Country code', isKept: true },
  timezone: { kind: 'code', most: 64, group: 'Contact', means: 'Time zone' },
  date_of_birth: {
    kind: 'date',
    group: 'Person',
    means: 'Date of birth, 1958-03-14',
    answer: 'Date of birth',
  },
  age: { kind: 'whole', most: 130, group: 'Person', means: 'Age in years (number)', answer: 'Age' },
  gender: { kind: 'text', most: 64, group: 'Person', means: 'Gender', answer: 'Gender' },
  tobacco: { kind: 'yes_no', group: 'Person', means: 'Tobacco use (true or false)', answer: 'Tobacco' },
  coverage_amount: {
    kind: 'amount',
    most: 1e12,
    group: 'Person',
    means: 'Coverage asked for, dollars (number)',
    answer: 'Coverage',
  },
  beneficiary_name: {
    kind: 'text',
    most: SHORT,
    group: 'Person',
    means: 'Beneficiary',
    answer: 'Beneficiary',
  },
  best_time_to_call: { kind: 'text', most: SHORT, group: 'Person', means: 'Best time to call' },
  language: { kind: 'code', most: 35, group: 'Person', means: 'Language code', isKept: true },
  comments: { kind: 'text', most: LONG, group: 'Person', means: 'Comments', answer: 'Comments' },
  deal_size: {
    kind: 'amount',
    most: 1e10,
    group: 'Product',
    means: 'Deal size, dollars (number)',
    isListed: true,
    isKept: true,
  },
  consent_given: { kind: 'yes_no', group: 'Consent', means: 'Consent given (true or false)', isKept: true },
  consent_text: { kind: 'text', most: LONG, group: 'Consent', means: 'Consent text' },
  consent_at: {
    kind: 'moment',
    group: 'Consent',
    means: 'When consent was given (ISO 8601, UTC)',
    isKept: true,
  },
  consent_url: { kind: 'web_address', group: 'Consent', means: 'Page where consent was given' },
  consent_ip: { kind: 'ip', group: 'Consent', means: 'IP address at consent' },
  consent_user_agent: { kind: 'text', most: 1000, group: 'Consent', means: 'Browser at consent' },
  trustedform_cert_url: { kind: 'web_address', group: 'Consent', means: 'TrustedForm certificate' },
  trustedform_expires_at: {
    kind: 'moment',
    group: 'Consent',
    means: 'When the TrustedForm certificate ends (ISO 8601, UTC)',
  },
  jornaya_leadid: { kind: 'code', most: 64, group: 'Consent', means: 'Jornaya LeadiD' },
  source: {
    kind: 'text',
    most: SHORT,
    group: 'Product',
    means: 'Source',
    answer: 'Source',
    isListed: true,
    isKept: true,
  },
  campaign: {
    kind: 'text',
    most: SHORT,
    group: 'Product',
    means: 'Campaign',
    answer: 'Campaign',
    isKept: true,
  },
  sub_id: { kind: 'text', most: SHORT, group: 'Product', means: 'Sub id' },
  landing_page_url: { kind: 'web_address', isInternal: true },
  cost: { kind: 'amount', most: 1e8, isInternal: true, isKept: true },
  is_test: { kind: 'yes_no', group: 'Lead', means: 'True for a test lead', isListed: true, isKept: true },
} as const satisfies Readonly<Record<string, Row>>

type Table = typeof LEAD_FIELDS
export type LeadField = keyof Table
type FieldWith<Part> = { [Name in LeadField]: Table[Name] extends Part ? Name : never }[LeadField]
export type FieldOfKind<Kind extends FieldKind> = FieldWith<{ kind: Kind }>
export type PayloadField = FieldWith<{ group: string }>
export type AnswerField = FieldWith<{ answer: string }>
type DetailField = Exclude<LeadField, FieldWith<{ isListed: true } | { isInternal: true }>>

const ROWS: Readonly<Record<LeadField, Row>> = LEAD_FIELDS
export const LEAD_FIELD_NAMES = Object.keys(LEAD_FIELDS) as LeadField[]
/** The fields that payloads hold. */
export const PAYLOAD_FIELDS = LEAD_FIELD_NAMES.filter(
  (name): name is PayloadField => ROWS[name].group !== undefined,
)
/** The fields among the answers on the lead's page. */
export const ANSWER_FIELDS = LEAD_FIELD_NAMES.filter(
  (name): name is AnswerField => ROWS[name].answer !== undefined,
)
/** The fields that the lead's page alone shows, group by group. */
export const DETAIL_FIELDS = GROUPS.flatMap((group) =>
  LEAD_FIELD_NAMES.filter((name): name is DetailField => {
    const row = ROWS[name]
    return row.group === group && row.isListed !== true && row.isInternal !== true
  }),
)
/** The fields that outlive the person's erasure. */
export const KEPT_FIELDS = LEAD_FIELD_NAMES.filter((name) => ROWS[name].isKept === true)

/** Chooses the `names` that have one of these kinds. */
export function chooseByKind<Name extends LeadField, Kind extends FieldKind>(
  names: readonly Name[],
  kinds: readonly Kind[],
): (Name & FieldOfKind<Kind>)[] {
  const chosen: readonly FieldKind[] = kinds
  return names.filter((name): name is Name & FieldOfKind<Kind> => chosen.includes(ROWS[name].kind))
}

/** Maps each of `names` to `special` of its kind, or otherwise to `plain`. */
export function mapByKind<Name extends LeadField, Special extends Partial<Record<FieldKind, unknown>>, Plain>(
  names: readonly Name[],
  special: Special,
  plain: Plain,
): { [Of in Name]: Table[Of]['kind'] extends keyof Special ? Special[Table[Of]['kind']] : Plain } {
  const made = names.map((name) => [name, special[ROWS[name].kind] ?? plain])
  return Object.fromEntries(made) as ReturnType<typeof mapByKind<Name, Special, Plain>>
}
