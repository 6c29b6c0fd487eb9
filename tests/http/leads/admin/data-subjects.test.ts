import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dataHeldSchema } from '#core/contract/leads/data-subject.ts'
import { FileMissing } from '#core/file-store/file-store.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import { PNG } from '../../storage/pictures.ts'
import { newLead } from '../../support/start-app.ts'
import { createLogRows } from '../../webhooks/log-rows.ts'
import { readAudit } from '../../market/read-audit.ts'
import { startForTwo } from '../start-for-two.ts'

const { app, client } = await startForTwo()
const { db } = app.context

const act = async (action: string, body: unknown, token = app.admin.token) =>
  await app.call('POST', `/api/v1/admin/data-subjects/${action}`, { token, body })
const find = async (contact: string) => dataHeldSchema.parse((await act('find', { contact })).json)

/** Two leads of one person, one of them sent with an attempt, a message, and a row of an import. */
async function givenPerson() {
  const tag = randomUUID().slice(0, 8)
  const person = { name: `Rosa ${tag}`, email: `rosa.${tag}@example.com`, phone: '+12025550143' }
  const rows = createLogRows(app, client)
  const planned = await rows.planDelivery(client, undefined, {
    ...person,
    consent_given: true,
    consent_text: 'I agree to be called',
    consent_ip: '203.0.113.9',
  })
  const log = await rows.logAttempt(planned, 1, { delivered: true })
  await sql`
    update webhook_delivery_log_bodies set request_body = ${JSON.stringify(person)} where id = ${log}`.execute(
    db,
  )
  const second = await app.call('POST', '/api/v1/leads', {
    token: (await app.newSource()).key,
    body: { ...newLead(), ...person, phone: '+12025550144', alt_phone: '+12025550143' },
  })
  await db
    .insertInto('contact_messages')
    .values({ reference: tag, name: person.name, email: person.email, topic: 'question', message: 'Hello' })
    .execute()
  const source = await app.newSource()
  await sql`
    with made as (
      insert into lead_imports (source_id, created_by, file_name, size, state, head)
      values (${source.id}, ${app.admin.id}, 'leads.csv', 10, 'finished', '[]') returning id
    ) insert into lead_import_rows (import_id, row, cells, outcome, errors)
    select id, 1, ${JSON.stringify([person.name, person.email, '(202) 555-0143'])}::jsonb, 'refused', '[]' from made`.execute(
    db,
  )
  return { person, leads: [planned.leadId, second.json.lead_id] }
}

/** Every table that has this text in any column. */
async function findEverywhere(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'`.execute(db)
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql`
      select 1 from ${sql.raw(name)} t where t::text ilike ${`%${text}%`} limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('everything about a person is found by e-mail and by any of the phones, with the evidence of consent', async () => {
  const { person, leads } = await givenPerson()
  const byMail = await find(person.email.toUpperCase())
  expect(byMail).toMatchObject({
    kind: 'email',
    lead_count: 2,
    messages: 1,
    import_rows: 1,
    suppressions: [],
    accounts: [],
  })
  expect(byMail.leads.map(({ id }) => id)).toEqual(leads.toReversed())
  expect(byMail.leads[1]).toMatchObject({
    consent_given: true,
    consent_text: 'I agree to be called',
    consent_ip: '203.0.113.9',
    holder: { user_id: client.id },
  })
  expect((await find('(202) 555-0143')).leads.map(({ id }) => id)).toEqual(expect.arrayContaining(leads))
  expect((await find(client.email)).accounts).toMatchObject([{ user_id: client.id }])
  await act('erase', { contact: person.email, reason: 'Asked by letter' })
})

test('an export has the leads, who got them, the attempts and the messages, and the audit log has no address', async () => {
  const { person, leads } = await givenPerson()
  const answer = await act('export', { contact: person.email, reason: 'Asked by letter' })
  expect(answer.headers.get('content-disposition')).toContain('person.json')
  expect(JSON.parse(answer.text)).toMatchObject({
    contact: person.email,
    leads: [
      {
        lead: { id: leads[0], name: person.name, consent_text: 'I agree to be called' },
        given_to: [{ client: { user_id: client.id } }],
        attempts: [{ status: 'delivered', request_body: expect.stringContaining(person.email) as unknown }],
      },
      { lead: { id: leads[1] } },
    ],
    messages: [{ message: 'Hello' }],
    import_rows: [{ row: 1 }],
    suppressions: [],
  })
  expect(await readAudit(app, 'person_exported')).toMatchObject([
    { details: { kind: 'email', leads: 2, lead_ids: leads, note: 'Asked by letter' } },
  ])
  await act('erase', { contact: person.email, reason: 'Asked by letter' })
})

test('an erasure leaves the address in no table, keeps the hash on the suppression list, and may be repeated', async () => {
  const { person, leads } = await givenPerson()
  expect(await findEverywhere(person.email)).toEqual(
    expect.arrayContaining(['public.leads', 'public.contact_messages', 'public.lead_import_rows']),
  )
  const done = await act('erase', { contact: person.email, reason: 'Asked by letter' })
  expect(done.json).toMatchObject({
    leads: 2,
    erased_attempts: 1,
    messages: 1,
    import_rows: 1,
    erased_files: 0,
  })

  expect(await findEverywhere(person.email)).toEqual([])
  expect(await findEverywhere(person.name)).toEqual([])
  const left = await find(person.email)
  expect(left).toMatchObject({ lead_count: 0, messages: 0, import_rows: 0 })
  expect(left.suppressions).toMatchObject([{ reason: 'erased' }])
  expect((await act('erase', { contact: person.email, reason: 'Once more' })).json).toMatchObject({
    leads: 0,
  })
  const audit = await readAudit(app, 'person_erased')
  expect(audit[1]?.details).toMatchObject({ kind: 'email', leads: 2, note: 'Asked by letter' })
  expect(
    (await app.call('GET', `/api/v1/leads/${leads[0] ?? ''}`, { token: app.admin.token })).json,
  ).toMatchObject({
    status: 'redacted',
    name: null,
  })
})

test('an erasure removes the evidence about a lead with its bytes', async () => {
  const { person, leads } = await givenPerson()
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.concat([PNG, Buffer.from(person.name)]))
  }
  const { id, sha256, lead_id } = await storeFile(app.context, {
    bucket: 'evidence',
    account_id: client.id,
    name: `${client.id}/${leads[0]}/call.png`,
    content_type: 'image/png',
    bytes: bytes(),
    upsert: false,
  })
  expect(lead_id).toBe(leads[0])
  await act('erase', { contact: person.email, reason: 'Asked by letter' })

  expect(await db.selectFrom('stored_files').select('id').where('id', '=', id).execute()).toEqual([])
  await expect(app.context.files.read(sha256)).rejects.toThrow(FileMissing)
})

test('bad input is refused by name, and a client may do none of it', async () => {
  for (const contact of [undefined, '', 'nobody', '123', 'a@b', 'x'.repeat(300)])
    for (const [action, rest] of [
      ['find', {}],
      ['erase', { reason: 'Why' }],
      ['export', { reason: 'Why' }],
    ] as const)
      expect((await act(action, { contact, ...rest })).json.errors, `${action} ${contact}`).toMatchObject([
        { path: 'contact' },
      ])
  const contact = 'rosa@example.com'
  for (const action of ['erase', 'export'])
    for (const reason of [undefined, ' ', 'Wish of ROSA@example.com'])
      expect((await act(action, { contact, reason })).json.errors).toMatchObject([{ path: 'reason' }])
  for (const action of ['find', 'erase', 'export'])
    expect((await act(action, { contact, reason: 'Why' }, client.token)).status, action).toBe(403)
})
