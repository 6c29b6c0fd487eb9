import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadForPayloadSchema, type LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import { openDatabase } from '#core/data/database.ts'
import { CLAIMED_FIELDS, claimedLead, readClaimedLead } from '#core/data/webhooks/deliveries/claimed-lead.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'claimed-lead' }, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

/** Reads the lead as a claim does. */
async function read(lead: string): Promise<LeadForPayload> {
  const { rows } = await sql<{ told: string }>`
    select ${claimedLead(sql`null::uuid`)} as told from leads l where l.id = ${lead}`.execute(opened.db)
  return readClaimedLead({ lead: rows[0]?.told ?? '' })
}

test('a claimed lead has every field that a payload may contain, each under its own name', async () => {
  const { asText, asJson } = CLAIMED_FIELDS
  const names = [...asText, ...asJson]
  expect(names.toSorted()).toEqual(Object.keys(leadForPayloadSchema.shape).toSorted())

  const { db } = opened
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'leads' and data_type = 'text' and column_name = any(${names}::text[])
      and column_name not in ('status', 'state', 'zip', 'country', 'gender', 'phone', 'alt_phone', 'language')`.execute(
    db,
  )
  const texts = columns.map(({ name }) => name)
  expect(texts.length).toBeGreaterThan(15)
  const id = randomUUID()
  await sql`
    insert into leads (id, ${sql.join(texts.map((name) => sql.ref(name)))}, is_test, age, tobacco, custom, consent_given,
      date_of_birth, consent_ip, deal_size, coverage_amount, consent_at, created_at)
    values (${id}, ${sql.join(texts.map((name) => `"${name}" of \\ ö`))}, true, 42, false, ${'{"a": ["1", null]}'}::jsonb, true,
      '1980-02-29', '192.0.2.7', 12.5, 250000, '2026-01-02T03:04:05.678Z', '2026-11-01T00:00:00.001Z')`.execute(
    db,
  )
  const lead = await read(id)
  for (const name of texts) expect(lead[name as keyof LeadForPayload]).toBe(`"${name}" of \\ ö`)
  expect(lead).toMatchObject({
    id,
    is_test: true,
    age: 42,
    tobacco: false,
    custom: { a: ['1', null] },
    consent_given: true,
    date_of_birth: '1980-02-29',
    consent_ip: '192.0.2.7',
    deal_size: '12.50',
    assigned_at: null,
    phone: null,
  })
  expect(new Date(lead.consent_at ?? '')).toEqual(new Date('2026-01-02T03:04:05.678Z'))
  expect(new Date(lead.created_at)).toEqual(new Date('2026-11-01T00:00:00.001Z'))
})

test('numbers in the custom fields of a claimed lead keep their digits', async () => {
  const id = randomUUID()
  await sql`
    insert into leads (id, lead_type, deal_size, custom)
    values (${id}, 'auto', 0, ${'{"rate": 7.10, "sum": 2500.00, "count": 3, "note": "1.0"}'}::jsonb)`.execute(
    opened.db,
  )
  const { custom } = await read(id)

  expect(JSON.stringify(custom)).toBe('{"sum":2500.00,"note":"1.0","rate":7.10,"count":3}')
})
