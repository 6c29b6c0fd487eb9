import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import { givenMember } from '../accounts/members/given-members.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import type { Person } from '../support/start-app.ts'
import { givePricedLead } from './give-priced-lead.ts'

const { app, client, other, get } = await startForTwo()
const { db } = app.context

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const MOMENT: unknown = expect.any(Date)
const GONE: unknown = expect.stringMatching(/^A file is no longer there/)

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Stores a picture for a lead in the bucket of evidence; returns its id. */
async function storePicture(lead: string, name: string, owner: Person = client): Promise<string> {
  const { id } = await storeFile(app.context, {
    bucket: 'evidence',
    account_id: owner.id,
    name: `${owner.id}/${lead}/${crypto.randomUUID()}.png`,
    content_type: 'image/png',
    bytes: bytesOf(PNG),
    metadata: { file_name: name },
    created_by: owner.id,
    upsert: false,
  })
  return id
}
const ask = (lead: string, evidence: string[], who: Person = client) =>
  app.call('POST', `/api/v1/leads/${lead}/return`, {
    token: who.token,
    body: { reason: 'disconnected_number', evidence },
  })
const readFile = async (id: string) =>
  (
    await sql<{ lead_id: string | null; return_id: string | null; expires_at: Date | null }>`
    select lead_id, return_id, expires_at from stored_files where id = ${id}`.execute(db)
  ).rows[0]

test('files are sent with a return, and its client and administrators see them before and after the decision', async () => {
  const lead = await givePricedLead(app, client)
  const [first, second] = [
    await storePicture(lead, 'Anruf — Größe.png'),
    await storePicture(lead, ' \u202Egnp.\n '),
  ]
  expect(await readFile(first)).toMatchObject({
    lead_id: lead,
    return_id: null,
    expires_at: MOMENT,
  })

  const asked = await ask(lead, [first, second, first])
  const evidence = [
    { id: first, file_name: 'Anruf — Größe.png', content_type: 'image/png', size: PNG.length },
    { id: second, file_name: 'gnp.', content_type: 'image/png', size: PNG.length },
  ]
  expect(asked).toMatchObject({ status: 201, json: { evidence } })
  expect(await readFile(first)).toEqual({ lead_id: lead, return_id: asked.json.id, expires_at: null })
  const seen = async () => [
    (await get(`/api/v1/leads/${lead}`)).json,
    (await get(`/api/v1/admin/leads/${lead}`, app.admin)).json,
    (await get('/api/v1/admin/returns', app.admin)).json,
  ]
  const shows = [{ return: { evidence } }, { returns: [{ evidence }] }, { data: [{ evidence }] }]
  expect(await seen()).toMatchObject(shows)
  await app.call('POST', `/api/v1/admin/returns/${asked.json.id}/approve`, {
    token: app.admin.token,
    body: {},
  })
  expect(await seen()).toMatchObject(shows)

  const late = await storePicture(lead, 'late.png')
  expect(await ask(lead, [late])).toMatchObject({ status: 409 })
  expect(await readFile(late)).toMatchObject({ return_id: null, expires_at: MOMENT })
})

test('a file of another client, of another lead, of no lead, or that has expired is as if it did not exist', async () => {
  const lead = await givePricedLead(app, client)
  const own = await storePicture(lead, 'own.png')
  const expired = await storePicture(lead, 'expired.png')
  await sql`update stored_files set expires_at = now() where id = ${expired}`.execute(db)
  const theirs = await givePricedLead(app, other)
  const strange = [
    await storePicture(theirs, 'theirs.png', other),
    // A lead that somebody else has: the file is about none.
    await storePicture(theirs, 'misplaced.png'),
    await storePicture(await givePricedLead(app, client), 'of another lead.png'),
    await storePicture('screenshots', 'of no lead.png'),
    expired,
    crypto.randomUUID(),
  ]
  for (const id of strange) {
    const { status, json } = await ask(lead, [own, id])
    expect([status, json.errors[0]]).toEqual([422, { path: 'evidence', message: GONE }])
  }
  expect((await get(`/api/v1/leads/${lead}`)).json).toMatchObject({ return: null })
  expect(await readFile(own)).toMatchObject({ return_id: null })
})

test('at most five files are sent with a return', async () => {
  const lead = await givePricedLead(app, client)
  const files: string[] = []
  for (let count = 0; count < 6; count += 1) files.push(await storePicture(lead, `${count}.png`))
  const refused = await ask(lead, files)
  expect([refused.status, refused.json.errors[0]?.message]).toEqual([
    422,
    'At most 5 files can be sent with a return',
  ])
  expect(await ask(lead, files.slice(1))).toMatchObject({ status: 201, json: { evidence: { length: 5 } } })
})

test('an agent sends files with returns of own leads alone', async () => {
  const agent = await givenMember(app, client, 'agent')
  const [own, others] = [await givePricedLead(app, client), await givePricedLead(app, client)]
  await sql`update leads set member_user_id = ${agent.id} where id = ${own}`.execute(db)
  const of = async (lead: string) => [await storePicture(lead, 'call.png')]

  expect(await ask(others, await of(others), agent)).toMatchObject({ status: 404 })
  expect(await ask(own, await of(others), agent)).toMatchObject({ status: 422 })
  expect(await ask(own, await of(own), agent)).toMatchObject({
    status: 201,
    json: { evidence: { length: 1 } },
  })
})
