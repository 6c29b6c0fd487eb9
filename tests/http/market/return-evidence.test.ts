import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { givenMember } from '../accounts/members/given-members.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import type { Person } from '../support/start-app.ts'
import { givePricedLead } from './give-priced-lead.ts'
import { readAudit } from './read-audit.ts'

const { app, get: getAs } = await startForTwo()
const { db } = app.context
// Only approved accounts store files.
const [client, other] = [await app.newApprovedClient(), await app.newApprovedClient()]
const get = (path: string, who: Person = client) => getAs(path, who)

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const MOMENT: unknown = expect.any(Date)
const GONE: unknown = expect.stringMatching(/^A file is no longer there/)

/** Uploads a picture for a lead as the web app does; returns its id. */
async function storePicture(lead: string, name: string, owner: Person = client): Promise<string> {
  const { status, id } = await upload(`${owner.id}/${lead}/${crypto.randomUUID()}.png`, name, owner)
  expect(status).toBe(200)
  return id
}
async function upload(
  path: string,
  name: string,
  { token }: Person,
): Promise<{ status: number; id: string }> {
  const response = await fetch(`${app.url}/storage/v1/object/evidence/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'image/png',
      'x-upsert': 'true',
      'x-metadata': Buffer.from(JSON.stringify({ file_name: name })).toString('base64'),
    },
    body: PNG,
  })
  const { Id: id } = (await response.json()) as { Id: string }
  return { status: response.status, id }
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

test('a file of a return is opened by its client, its agent and administrators, whom the audit log names', async () => {
  const lead = await givePricedLead(app, client)
  const id = await storePicture(lead, 'call.png')
  const open = (who: Person, admin = '') =>
    app.call('POST', `/api/v1${admin}/evidence/${id}/open`, { token: who.token })
  for (const call of [await open(client), await open(app.admin, '/admin')]) expect(call.status).toBe(404)
  const { json: asked } = await ask(lead, [id])
  const agent = await givenMember(app, client, 'agent')
  for (const stranger of [other, agent]) expect((await open(stranger)).status).toBe(404)
  expect((await open(client, '/admin')).status).toBe(403)
  await sql`update leads set member_user_id = ${agent.id} where id = ${lead}`.execute(db)

  const calls = [await open(client), await open(agent), await open(app.admin, '/admin')]
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const call of calls) {
    const link = fileLinkSchema.parse(call.json)
    const file = await fetch(`${app.url}${link.url}&download=call.png`)
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename=call.png',
    ])
    expect(Buffer.from(await file.arrayBuffer()).equals(PNG)).toBe(true)
  }
  const audits = await readAudit(app, 'return_evidence_opened', client.id)
  expect(audits.map(({ details }) => details)).toEqual([{ file_id: id, return_id: asked.id, lead_id: lead }])
})

test('a file that was sent with a return stays as it is', async () => {
  const lead = await givePricedLead(app, client)
  const id = await storePicture(lead, 'call.png')
  await ask(lead, [id])
  const { rows } = await sql<{ name: string }>`select name from stored_files where id = ${id}`.execute(db)
  const name = rows[0]?.name ?? ''
  expect((await upload(name, 'other.png', client)).status).toBe(400)
  await fetch(`${app.url}/storage/v1/object/evidence`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prefixes: [name] }),
  })
  const refused = {
    message: expect.stringContaining('was sent with a return') as string,
    code: 'AccessDenied',
  }
  const move = { bucketId: 'evidence', sourceKey: name, destinationKey: `${name}2` }
  const said = [
    await app.call('POST', '/storage/v1/object/move', { token: client.token, body: move }),
    await app.call('DELETE', `/storage/v1/object/evidence/${name}`, { token: client.token }),
  ]
  for (const { json } of said) expect(json).toMatchObject(refused)
  expect((await get(`/api/v1/leads/${lead}`)).json).toMatchObject({
    return: { evidence: [{ id, file_name: 'call.png' }] },
  })
})

test('a file keeps its day when it is moved or copied, and gives its name free when the day is over', async () => {
  const lead = await givePricedLead(app, client)
  const place = (name: string): string => `${client.id}/${lead}/${name}`
  const [first, second] = [await storePicture(lead, 'first.png'), await storePicture(lead, 'second.png')]
  const nameOf = async (id: string): Promise<string> =>
    (await db.selectFrom('stored_files').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
  await sql`update stored_files set expires_at = now() + interval '1 hour' where id = ${first}`.execute(db)
  await sql`update stored_files set name = ${place('over.png')}, expires_at = now() where id = ${second}`.execute(
    db,
  )
  const send = async (act: 'copy' | 'move', destinationKey: string) =>
    await app.call('POST', `/storage/v1/object/${act}`, {
      token: client.token,
      body: { bucketId: 'evidence', sourceKey: await nameOf(first), destinationKey },
    })
  expect((await send('copy', place('copy.png'))).status).toBe(200)
  expect((await send('move', place('over.png'))).json).toMatchObject({ message: 'Successfully moved' })
  const { rows } = await sql`
    select name, expires_at < now() + interval '61 minutes' as is_old from stored_files
    where lead_id = ${lead} order by name`.execute(db)
  expect(rows).toEqual([
    { name: place('copy.png'), is_old: true },
    { name: place('over.png'), is_old: true },
  ])
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
