import {
  chooseByKind,
  LEAD_FIELD_NAMES,
  type FieldOfKind,
  type LeadField,
} from '#core/contract/leads/lead-fields.ts'
import type { LeadIngest } from '#core/contract/leads/lead-ingest.ts'
import type { FieldError } from '#core/contract/problem.ts'
import type { WrittenNumber } from '#core/contract/written-number.ts'
import { normaliseBirthDate, normaliseTime } from './normalise-date.ts'
import { normalisePhone } from './normalise-phone.ts'
import { normaliseZip } from './normalise-zip.ts'
import { readNames } from './read-names.ts'
import { stateCode } from './us-states.ts'
import { normaliseEmail, validateEmail } from '../accounts/validate-email.ts'

/** The columns that a source fills. Absent values are null; money and coverage are decimal text. */
export type NormalisedLead = Omit<Fields, keyof Needed> &
  Needed & {
    phone_raw: string | null
    utm: Record<string, FlatValue> | null
    custom: Record<string, FlatValue>
  }
type Fields = {
  [Name in LeadField]:
    | (Name extends FieldOfKind<'yes_no'> ? boolean : Name extends FieldOfKind<'whole'> ? number : string)
    | null
}
/** The fields that every lead has. */
interface Needed {
  lead_type: string
  name: string
  country: string
  language: string
  deal_size: string
  is_test: boolean
}

const AMOUNTS = chooseByKind(LEAD_FIELD_NAMES, ['amount'])
const MOMENTS = chooseByKind(LEAD_FIELD_NAMES, ['moment'])

/** Every column in its place, so that equal leads have equal JSON (core/use-cases/ingest/read-posted.ts). */
const BLANK = Object.fromEntries(
  LEAD_FIELD_NAMES.flatMap((name) => (name === 'phone' ? [name, 'phone_raw'] : [name]))
    .concat('utm', 'custom')
    .map((name) => [name, null]),
)

type Reading = { ok: true; lead: NormalisedLead } | { ok: false; errors: FieldError[] }

/** A value in `custom` or `utm`: both are flat. */
export type FlatValue = string | number | boolean | null | WrittenNumber

/** The fields of a lead without a column. */
export interface Extras {
  custom: Record<string, FlatValue>
  utm: Record<string, FlatValue>
}

/**
 * Normalises a parsed lead: the state becomes its code, the phone E.164, the e-mail lower case; the name and its parts
 * complete each other. Amounts are rounded to cents already (core/contract/leads/round-to-cents.ts).
 * @param today `YYYY-MM-DD`, the limit for birth dates
 */
export function normaliseLead(given: LeadIngest, extras: Extras, today: string): Reading {
  const errors: FieldError[] = []
  /** Reads one field, and notes a fault under its path. */
  function read<T>(
    path: string,
    value: string | undefined,
    reading: (text: string) => T | undefined,
    fault: string,
  ) {
    if (value === undefined) return null
    const result = reading(value)
    if (result === undefined) errors.push({ path, message: fault })
    return result ?? null
  }
  /** An extension becomes one of the lead's own fields, because a number that includes it cannot be dialled. */
  const extensions: Record<string, string> = {}
  function readPhone(path: string, value: string | undefined): string | null {
    if (value === undefined) return null
    const reading = normalisePhone(value)
    if (!reading.ok) errors.push({ path, message: reading.reason })
    else if (reading.extension !== undefined) extensions[`${path}_extension`] = reading.extension
    return reading.ok ? reading.phone : null
  }

  if (given.lead_type === undefined) errors.push({ path: 'lead_type', message: 'A lead type is required' })
  const names = readNames(given)
  if (names === undefined)
    errors.push({ path: 'name', message: 'A name is required (name, first_name or last_name)' })
  if (given.phone === undefined && given.email === undefined) {
    errors.push({ path: 'phone', message: 'A phone number or an e-mail address is required' })
  }
  const country = read('country', given.country, countryCode, 'Must be a two-letter country code') ?? 'US'
  const lead: NormalisedLead = {
    ...takeAsGiven(given),
    lead_type:
      read(
        'lead_type',
        given.lead_type,
        leadType,
        'Must be lower-case letters, digits and underscores, at most 64',
      ) ?? '',
    name: names?.name ?? '',
    first_name: names?.first_name ?? null,
    last_name: names?.last_name ?? null,
    email: read('email', given.email, emailAddress, 'Is not a valid e-mail address'),
    phone: readPhone('phone', given.phone),
    phone_raw: given.phone ?? null,
    alt_phone: readPhone('alt_phone', given.alt_phone),
    state: read('state', given.state, stateCode, 'State must be a US state or territory code'),
    zip: read(
      'zip',
      given.zip,
      (zip) => normaliseZip(zip, country, given.state),
      'Must be a ZIP code of 5 or 9 digits',
    ),
    country,
    date_of_birth: read(
      'date_of_birth',
      given.date_of_birth,
      (date) => normaliseBirthDate(date, today),
      'Must be a date of birth like 1958-03-14 or 03/14/1958',
    ),
    language: given.language ?? 'en',
    deal_size: (given.deal_size ?? 0).toFixed(2),
    trustedform_cert_url: given.trustedform_cert_url?.toLowerCase() ?? null,
    jornaya_leadid: given.jornaya_leadid?.toLowerCase() ?? null,
    is_test: given.is_test ?? false,
    utm: Object.keys(extras.utm).length === 0 ? null : extras.utm,
    custom: withExtensions(extras.custom, extensions),
  }
  for (const name of MOMENTS) lead[name] = read(name, given[name], normaliseTime, ISO_TIME_WANTED)
  return errors.length === 0 ? { ok: true, lead } : { ok: false, errors }
}

/** The fields that are stored as they came; a phone or a date needs a line of its own in {@link normaliseLead}. */
function takeAsGiven(given: LeadIngest): Omit<Fields, FieldOfKind<'phone' | 'date'>> {
  const taken: Record<string, unknown> = { ...BLANK }
  for (const name in given) {
    const value = given[name as LeadField]
    if (value !== undefined) taken[name] = value
  }
  for (const name of AMOUNTS) taken[name] = given[name]?.toFixed(2) ?? null
  return taken as Fields
}

const ISO_TIME_WANTED = 'Must be a time like 2026-01-31T17:05:00Z'

/** Adds extensions of phones; the source's own field of that name takes precedence, unless it is blank. */
function withExtensions(custom: Extras['custom'], extensions: Readonly<Record<string, string>>) {
  const missing = Object.entries(extensions).filter(([key]) => (custom[key] ?? '') === '')
  return missing.length === 0 ? custom : { ...custom, ...Object.fromEntries(missing) }
}

function leadType(text: string): string | undefined {
  const type = text.toLowerCase()
  return /^[a-z0-9_]{1,64}$/.test(type) ? type : undefined
}

/**
 * No mail reaches a local part of more than 64 characters (RFC 5321 §4.5.3.1.1), nor a top-level domain of digits (RFC
 * 3696 §2).
 */
const UNREACHABLE = /^[^@]{65}|\.\d+$/

function emailAddress(text: string): string | undefined {
  const email = normaliseEmail(text)
  return validateEmail(email).length === 0 && !UNREACHABLE.test(email) ? email : undefined
}

function countryCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll('.', '')
  if (['USA', 'UNITED STATES', 'UNITED STATES OF AMERICA'].includes(code)) return 'US'
  return /^[A-Z]{2}$/.test(code) ? code : undefined
}
