import type { LeadIngest } from '#core/contract/leads/lead-ingest.ts'
import type { FieldError } from '#core/contract/problem.ts'
import type { WrittenNumber } from '#core/contract/written-number.ts'
import { normaliseBirthDate, normaliseTime } from './normalise-date.ts'
import { normalisePhone } from './normalise-phone.ts'
import { normaliseZip } from './normalise-zip.ts'
import { readNames } from './read-names.ts'
import { stateCode } from './us-states.ts'
import { normaliseEmail, validateEmail } from '../accounts/validate-email.ts'

/** The columns that a source fills. Absent is null; money and coverage are decimal text. */
export interface NormalisedLead {
  external_id: string | null
  lead_type: string
  name: string
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  phone_raw: string | null
  alt_phone: string | null
  address1: string | null
  address2: string | null
  city: string | null
  county: string | null
  state: string | null
  zip: string | null
  country: string
  timezone: string | null
  date_of_birth: string | null
  age: number | null
  gender: string | null
  tobacco: boolean | null
  coverage_amount: string | null
  beneficiary_name: string | null
  best_time_to_call: string | null
  language: string
  comments: string | null
  deal_size: string
  consent_given: boolean | null
  consent_text: string | null
  consent_at: string | null
  consent_url: string | null
  consent_ip: string | null
  consent_user_agent: string | null
  trustedform_cert_url: string | null
  trustedform_expires_at: string | null
  jornaya_leadid: string | null
  source: string | null
  campaign: string | null
  sub_id: string | null
  landing_page_url: string | null
  cost: string | null
  is_test: boolean
  utm: Record<string, FlatValue> | null
  custom: Record<string, FlatValue>
}

type Reading = { ok: true; lead: NormalisedLead } | { ok: false; errors: FieldError[] }

/** A value that `custom` and `utm` can hold: both are flat. */
export type FlatValue = string | number | boolean | null | WrittenNumber

/** The fields of a lead without a column. */
export interface Extras {
  custom: Record<string, FlatValue>
  utm: Record<string, FlatValue>
}

/**
 * Normalises a parsed lead: state to its code, phone to E.164, e-mail to lower case, name and its parts from each other. Amounts are
 * rounded to cents already (core/contract/leads/round-to-cents.ts).
 * @param today `YYYY-MM-DD`, the limit for birth dates
 */
export function normaliseLead(given: LeadIngest, extras: Extras, today: string): Reading {
  const errors: FieldError[] = []
  /** The outcome of reading one field, noting a fault under its path. */
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
  /** An extension joins the lead's own fields: a number that it is part of cannot be dialled. */
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
    external_id: given.external_id ?? null,
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
    address1: given.address1 ?? null,
    address2: given.address2 ?? null,
    city: given.city ?? null,
    county: given.county ?? null,
    state: read('state', given.state, stateCode, 'State must be a US state or territory code'),
    zip: read(
      'zip',
      given.zip,
      (zip) => normaliseZip(zip, country, given.state),
      'Must be a ZIP code of 5 or 9 digits',
    ),
    country,
    timezone: given.timezone ?? null,
    date_of_birth: read(
      'date_of_birth',
      given.date_of_birth,
      (date) => normaliseBirthDate(date, today),
      'Must be a date of birth like 1958-03-14 or 03/14/1958',
    ),
    age: given.age ?? null,
    gender: given.gender ?? null,
    tobacco: given.tobacco ?? null,
    coverage_amount: given.coverage_amount?.toFixed(2) ?? null,
    beneficiary_name: given.beneficiary_name ?? null,
    best_time_to_call: given.best_time_to_call ?? null,
    language: given.language ?? 'en',
    comments: given.comments ?? null,
    deal_size: (given.deal_size ?? 0).toFixed(2),
    consent_given: given.consent_given ?? null,
    consent_text: given.consent_text ?? null,
    consent_at: read('consent_at', given.consent_at, normaliseTime, ISO_TIME_WANTED),
    consent_url: given.consent_url ?? null,
    consent_ip: given.consent_ip ?? null,
    consent_user_agent: given.consent_user_agent ?? null,
    trustedform_cert_url: given.trustedform_cert_url?.toLowerCase() ?? null,
    trustedform_expires_at: read(
      'trustedform_expires_at',
      given.trustedform_expires_at,
      normaliseTime,
      ISO_TIME_WANTED,
    ),
    jornaya_leadid: given.jornaya_leadid?.toLowerCase() ?? null,
    source: given.source ?? null,
    campaign: given.campaign ?? null,
    sub_id: given.sub_id ?? null,
    landing_page_url: given.landing_page_url ?? null,
    cost: given.cost?.toFixed(2) ?? null,
    is_test: given.is_test ?? false,
    utm: Object.keys(extras.utm).length === 0 ? null : extras.utm,
    custom: withExtensions(extras.custom, extensions),
  }
  return errors.length === 0 ? { ok: true, lead } : { ok: false, errors }
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

/** No mail reaches a local part of more than 64 characters (RFC 5321 §4.5.3.1.1), nor a top-level domain of digits (RFC 3696 §2). */
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
