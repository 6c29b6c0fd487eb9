import { expect, test } from 'vitest'
import { EXAMPLE_LEAD, POSTING_NOTES } from '#core/contract/leads/posting-notes.ts'
import { INGEST_FIELDS, rejectedLeadSchema, leadReceiptSchema } from '#core/contract/leads/lead-ingest.ts'
import { POSTING_ANSWERS } from '#core/contract/leads/posting-answers.ts'
import { problemSchema } from '#core/contract/problem.ts'
import { readLead } from '#core/use-cases/ingest/read-lead.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { readPostingSpec, signPostingSpec } from '#core/secrets/posting-spec-token.ts'
import { describeFields } from '#server/leads/posting-spec/describe-fields.ts'

const NOW = new Date('2026-01-31T12:00:00Z')
const faultsOf = (lead: object) => {
  const reading = readLead(lead, NOW)
  return reading.ok ? [] : reading.errors.map(({ path }) => path)
}
const SMALL = { lead_type: 'auto', name: 'Rosa Example', email: 'rosa@example.com' }
const fields = describeFields(['auto'])

test('the specification names every field that ingest accepts, with its type, its length and a valid example', () => {
  expect(fields.map(({ name }) => name).toSorted()).toEqual([...INGEST_FIELDS].toSorted())
  for (const { name, example, type, max_length: longest } of fields) {
    expect(faultsOf({ ...SMALL, [name]: example }), name).toEqual([])
    if (longest !== null)
      expect(faultsOf({ ...SMALL, [name]: 'x'.repeat(longest + 1) }), name).toContain(name)
    const wrong = type === 'text' ? { a: 1 } : 'never'
    expect(faultsOf({ ...SMALL, [name]: wrong }), name).toEqual(type === 'object' ? [] : [name])
  }
  expect(fields.find(({ name }) => name === 'trustedform_cert_url')).toMatchObject({
    type: 'text',
    max_length: 2048,
  })
  expect(fields.find(({ name }) => name === 'age')).toMatchObject({ type: 'whole number', max_length: null })
})

test('the example is a valid lead, and its required fields are those of ingest', () => {
  expect(faultsOf(EXAMPLE_LEAD)).toEqual([])
  for (const field of Object.keys(EXAMPLE_LEAD)) {
    const { [field]: _left, ...rest } = EXAMPLE_LEAD
    expect(faultsOf(rest), field).toEqual(field === 'lead_type' ? ['lead_type'] : [])
  }
  const without = (need: string) =>
    Object.fromEntries(
      Object.entries(POSTING_NOTES).flatMap(([name, note]) =>
        note.required === need ? [] : [[name, note.example]],
      ),
    )
  expect(faultsOf(without('name'))).toEqual(['name'])
  expect(faultsOf(without('contact'))).toEqual(['phone'])
  expect(fields.filter(({ required }) => required === 'yes').map(({ name }) => name)).toEqual(['lead_type'])
})

test('the allowed values are those that ingest accepts', () => {
  const states = fields.find(({ name }) => name === 'state')?.allowed ?? []
  expect(states.length).toBeGreaterThanOrEqual(56)
  expect(states.flatMap((state) => faultsOf({ ...SMALL, state }))).toEqual([])
  expect(fields.find(({ name }) => name === 'lead_type')?.allowed).toEqual(['auto'])
})

test.each(POSTING_ANSWERS)('the example of the answer $status is valid', ({ status, body }) => {
  const schema = status < 300 ? leadReceiptSchema : status === 422 ? rejectedLeadSchema : problemSchema
  expect(schema.parse(body)).toEqual(body)
  if (status >= 300) expect(body['status']).toBe(status)
})

test('a link is valid only with the key that signed it, and only until it ends', () => {
  const secret = Buffer.alloc(32, 7).toString('base64')
  const key = createKeyring(secret).keysFor('posting_specs')
  const said = {
    source_id: '01920000-0000-7000-8000-00000000000f',
    version: 3,
    expires_at: new Date('2026-02-07T12:00:00Z'),
  }
  const token = signPostingSpec(key, said)

  expect(token).toMatch(/^lw_spec_[\w-]{75}$/)
  expect(readPostingSpec(key, token, NOW)).toEqual(said)
  expect(readPostingSpec(key, token, said.expires_at)).toBeUndefined()
  // A signature by another purpose's key, or one flipped bit anywhere, makes no valid link.
  expect(readPostingSpec(createKeyring(secret).keysFor('suppressions'), token, NOW)).toBeUndefined()
  const bytes = Buffer.from(token.slice('lw_spec_'.length), 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    expect(readPostingSpec(key, `lw_spec_${flipped.toString('base64url')}`, NOW)).toBeUndefined()
  }
  for (const none of ['', 'lw_spec_', token.slice(8), `${token}AAAA`, token.slice(0, -4)])
    expect(readPostingSpec(key, none, NOW)).toBeUndefined()
})
