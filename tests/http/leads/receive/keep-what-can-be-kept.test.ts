import { expect, test } from 'vitest'
import { newLead } from '../../support/start-app.ts'
import { startWithSource } from './start-with-source.ts'

const { app, post } = await startWithSource()
const client = await app.newClient()
const owned = await app.newSource({ owner: client })
const TOO_LARGE = 'Was left out: a lead keeps at most 65,536 bytes beyond the known fields'

/** Writes a lead as a source does; `members` come before the others. */
function write(members: string, fields: Record<string, unknown> = {}): string {
  const { external_id: _id, ...lead } = newLead(fields)
  return `{${members},${JSON.stringify(lead).slice(1)}`
}

const show = async (id: string) => await app.call('GET', `/api/v1/leads/${id}`, { token: client.token })

test('ids with different digits are two leads, and an identical id is a duplicate', async () => {
  const answers = []
  for (const id of ['7.10', '7.1', '7.10', '12345678901234567891', '12345678901234567892'])
    answers.push((await post(write(`"external_id":${id}`))).json.result)

  expect(answers).toEqual(['accepted', 'accepted', 'duplicate', 'accepted', 'accepted'])
})

test('a custom number is shown with the digits that were sent, alone and in a batch', async () => {
  const members = '"score":7.10,"custom":{"rate":2500.00,"policy":12345678901234567891}'
  const single = await post(write(members), {}, owned.key)
  const lines = await app.call('POST', '/api/v1/leads/batch', {
    token: owned.key,
    body: write(members),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const list = await app.call('POST', '/api/v1/leads/batch', {
    token: owned.key,
    body: `[${write(members)}]`,
  })

  for (const id of [single.json.lead_id, lines.json.results[0]?.lead_id, list.json.results[0]?.lead_id]) {
    const { text } = await show(id ?? '')
    for (const kept of ['"score":7.10', '"rate":2500.00', '"policy":"12345678901234567891"'])
      expect(text).toContain(kept)
  }
})

test('a lead is accepted without the fields that cannot be kept, which the answer and the timeline name', async () => {
  const fields = { 电话: '1', 'Current Insurance Company': 'Acme', big: 'x'.repeat(70_000), _wpnonce: 'a1' }
  const warnings = [
    { path: '电话', message: 'Was left out: a name needs a letter from a to z, or a digit' },
    { path: 'big', message: TOO_LARGE },
  ]
  const { status, json } = await post(newLead(fields), {}, owned.key)
  expect({ status, warnings: json.warnings }).toEqual({ status: 201, warnings })
  const batch = await app.call('POST', '/api/v1/leads/batch', {
    token: owned.key,
    body: [newLead(), newLead(fields)],
  })
  expect(batch.json.results.map((receipt) => receipt.warnings)).toEqual([undefined, warnings])

  const shown = (await show(json.lead_id)).json
  expect(shown).toMatchObject({ custom: { current_insurance_company: 'Acme', wpnonce: 'a1' } })
  expect(shown.timeline[0]).toMatchObject({
    type: 'lead.assigned',
    data: { left_out: ['电话', 'big'], left_out_more: 0 },
  })
  const plain = (await show(batch.json.results[0]?.lead_id ?? '')).json.timeline[0]
  expect(plain?.type).toBe('lead.assigned')
  expect(plain?.data).not.toHaveProperty('left_out')
})

test('a field name that cannot be stored is named as far as possible, and the lead is accepted', async () => {
  const { status, json } = await post(write('"a\\u0000b":"x\\u0000"'), {}, owned.key)

  expect({ status, warnings: json.warnings }).toEqual({
    status: 201,
    warnings: [{ path: 'a\ufffdb', message: 'Was left out: must not contain a NUL character' }],
  })
  expect((await show(json.lead_id)).json.timeline[0]).toMatchObject({ data: { left_out: ['a\ufffdb'] } })
})

test('a hundred fields of 64 KiB in total are kept, and delivered as they were sent', async () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field_${at}`, 'é'.repeat(300)]))
  const { status, json } = await post(newLead(many), {}, owned.key)

  expect({ status, warnings: json.warnings }).toEqual({ status: 201, warnings: undefined })
  expect((await show(json.lead_id)).json).toMatchObject({ custom: many })
})

test('a repeat under its key is a duplicate, whichever fields were left out', async () => {
  const lead = newLead({ external_id: undefined, '!!': 'x' })
  const headers = { 'Idempotency-Key': 'left-out-1' }

  expect([(await post(lead, headers)).status, (await post(lead, headers)).status]).toEqual([201, 200])
})

test('a phone extension is delivered with the lead, and shown', async () => {
  const { json } = await post(newLead({ phone: '512-555-0143x61914' }), {}, owned.key)

  expect((await show(json.lead_id)).json).toMatchObject({
    phone: '+15125550143',
    custom: { phone_extension: '61914' },
  })
})
