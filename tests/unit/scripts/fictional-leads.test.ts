import { expect, test } from 'vitest'
import { leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import { normaliseLead } from '#core/domain/leads/normalise-lead.ts'
import { DISTINCT_LEADS, fictionalLead } from '#scripts/demo-market/fictional-leads.ts'

const AT = new Date('2026-05-04T12:00:00Z')
const leads = Array.from({ length: DISTINCT_LEADS }, (_, number) => fictionalLead(number, AT))

test('fictional leads have phones of 555-01xx and addresses of example.com', () => {
  for (const { phone, email } of leads) {
    expect(phone).toMatch(/^\+1\d{3}55501\d\d$/)
    expect(email).toMatch(/@example\.com$/)
  }
})

test('fictional leads are no duplicates of each other', () => {
  const distinct = (of: 'phone' | 'email' | 'external_id') => new Set(leads.map((lead) => lead[of])).size
  expect([distinct('phone'), distinct('email'), distinct('external_id')]).toEqual(
    Array.from({ length: 3 }, () => DISTINCT_LEADS),
  )
})

test('the market accepts each fictional lead', () => {
  for (const lead of leads) {
    const reading = normaliseLead(leadIngestSchema.parse(lead), { custom: {}, utm: {} }, '2026-05-04')
    expect(reading).toMatchObject({ ok: true, lead: { state: lead.state, consent_given: true } })
  }
})
