import type { LeadField } from './lead-fields.ts'

/**
 * The description of a field in a posting specification, beside its type and length, which the schema of ingest gives.
 */
export interface PostingNote {
  says: string
  /** a value that ingest accepts unchanged */
  example: string | number | boolean | Readonly<Record<string, string>>
  /** whether it must be there: always, or as one of the name's or the contact's fields */
  required?: 'yes' | 'name' | 'contact'
  /** whether it belongs to the example lead */
  isUsual?: true
}

/**
 * Every field of a posted lead, in the order of the specification. All values are fictional: 555-01xx and example.com
 * are reserved.
 */
export const POSTING_NOTES: Readonly<Record<LeadField | 'utm' | 'custom', PostingNote>> = {
  lead_type: {
    says: 'The product that the person asked for',
    example: 'final_expense',
    required: 'yes',
    isUsual: true,
  },
  external_id: {
    says: 'Your own id of the lead; a repeat is answered as a duplicate and not stored again',
    example: 'crm-1001',
    isUsual: true,
  },
  first_name: { says: 'First name', example: 'Rosa', required: 'name', isUsual: true },
  last_name: { says: 'Last name', example: 'Example', required: 'name', isUsual: true },
  name: { says: 'Full name, if it is not in two parts', example: 'Rosa Example', required: 'name' },
  phone: {
    says: 'Phone in any usual notation; kept as +12025550143, its extension in custom',
    example: '(202) 555-0143',
    required: 'contact',
    isUsual: true,
  },
  email: {
    says: 'Email address',
    example: 'rosa@example.com',
    required: 'contact',
    isUsual: true,
  },
  state: { says: 'State, as its code or full name', example: 'CA', isUsual: true },
  city: { says: 'City', example: 'Fresno', isUsual: true },
  zip: { says: 'ZIP code, 5 or 9 digits', example: '93650', isUsual: true },
  address1: { says: 'Street', example: '100 Example Street' },
  address2: { says: 'Street, second line', example: 'Apt 7' },
  county: { says: 'County', example: 'Fresno' },
  country: { says: 'Two-letter country code; US if not sent', example: 'US' },
  timezone: { says: 'Time zone of the person', example: 'America/Los_Angeles' },
  alt_phone: { says: 'Second phone', example: '202-555-0144' },
  date_of_birth: {
    says: 'Date such as 1958-03-14 or 03/14/1958; a time after it is dropped',
    example: '1958-03-14',
    isUsual: true,
  },
  age: { says: 'Age in years', example: 67 },
  gender: { says: 'Gender', example: 'female' },
  tobacco: { says: 'Tobacco use', example: false },
  coverage_amount: { says: 'Coverage asked for, in dollars', example: 15_000, isUsual: true },
  beneficiary_name: { says: 'Beneficiary', example: 'Alma Example' },
  best_time_to_call: { says: 'Best time to call', example: 'afternoon' },
  language: { says: 'Language; en if not sent', example: 'en' },
  comments: { says: 'Comment that the person wrote', example: 'Please call after lunch.' },
  consent_given: { says: 'Whether the person agreed to be contacted', example: true, isUsual: true },
  consent_at: {
    says: 'Time of the consent; UTC if it has no zone',
    example: '2026-01-31T17:05:00Z',
    isUsual: true,
  },
  consent_text: {
    says: 'Text that the person agreed to, word for word',
    example: 'I agree to be called and texted about insurance by Example LLC.',
    isUsual: true,
  },
  consent_url: {
    says: 'Page where the consent was given',
    example: 'https://example.com/quote',
    isUsual: true,
  },
  consent_ip: { says: 'IP address of the person, version 4 or 6', example: '192.0.2.10', isUsual: true },
  consent_user_agent: { says: 'Browser of the person', example: 'Mozilla/5.0 (Windows NT 10.0)' },
  trustedform_cert_url: {
    says: 'Address of the TrustedForm certificate',
    example: 'https://cert.trustedform.com/2605ec3a321e1b3a41addf0bba1213505ef57985',
    isUsual: true,
  },
  trustedform_expires_at: {
    says: 'End of that certificate, if you had it retained',
    example: '2031-01-31T00:00:00Z',
  },
  jornaya_leadid: { says: 'Jornaya LeadiD token', example: '0c1f2b7a-3f54-4c3d-9a6e-0d6b8a1c2e3f' },
  landing_page_url: { says: 'First page that the person visited', example: 'https://example.com/' },
  source: {
    says: 'Label for the origin of the lead; the name of your source if not sent',
    example: 'Search ads',
  },
  campaign: { says: 'Campaign', example: 'spring' },
  sub_id: { says: 'Sub id', example: 'aff-7' },
  utm: { says: 'Campaign parameters; in a form, utm_source and so on', example: { source: 'newsletter' } },
  cost: { says: 'Your cost of the lead in dollars; only administrators see it', example: 4.5 },
  deal_size: { says: 'Expected value, in dollars', example: 0 },
  is_test: { says: 'Whether it is a test: stored and answered like any lead, but never sold', example: true },
  custom: {
    says: 'Other fields, with utm at most 100 values in 64 KiB; fields outside this list are added to it',
    example: { policy: 'A-1' },
  },
}

/** A whole lead, as a source might post it. */
export const EXAMPLE_LEAD: Readonly<Record<string, PostingNote['example']>> = Object.fromEntries(
  Object.entries(POSTING_NOTES).flatMap(([name, { example, isUsual }]) =>
    isUsual === true ? [[name, example]] : [],
  ),
)
