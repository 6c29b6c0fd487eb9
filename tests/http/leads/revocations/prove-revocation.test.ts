import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newPhone, openRevocations } from './open-revocations.ts'

const { app, post, givenSold, isSuppressed } = await openRevocations()
const { db } = app.context

/** The code that was mailed to an address. */
async function readCode(address: string): Promise<string> {
  const { rows } = await sql<{ sealed_data: string }>`
    select sealed_data from mails where recipient_address = ${address} and template = 'revocation_code'`.execute(
    db,
  )
  return (JSON.parse(app.context.secrets.open(rows[0]?.sealed_data ?? '')) as { code: string }).code
}

test('one contact gets ten codes a day, whoever asks for them', async () => {
  const contact = `${randomUUID()}@example.com`
  const statuses = []
  for (let count = 0; count < 11; count += 1) {
    await sql`delete from auth.send_gaps`.execute(db)
    statuses.push((await post('revocations/code', undefined, { contact })).status)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(202), 429])
})

test('a person proves an address by the code that was sent there, known or not, and is suppressed at once', async () => {
  const { email, phone } = await givenSold()
  const answers = []
  for (const contact of [email, `${randomUUID()}@example.com`]) {
    const sent = await post('revocations/code', undefined, { contact })
    const wrong = await post('revocations/proof', undefined, { contact, code: '000000' })
    const code = await readCode(contact)
    const right = await post('revocations/proof', undefined, { contact: contact.toUpperCase(), code })
    const again = await post('revocations/proof', undefined, { contact, code })
    answers.push([
      sent.status,
      sent.json,
      wrong.status,
      wrong.json.errors,
      right.status,
      Object.keys(right.json),
      again.status,
    ])
    expect(await isSuppressed(contact)).toEqual([null])
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]).toMatchObject([
    202,
    { kind: 'email' },
    422,
    [{ path: 'code' }],
    200,
    ['revoked_at'],
    422,
  ])
  // Only the proven contact is suppressed, because somebody else could have posted the phone with it.
  expect(await isSuppressed(phone)).toEqual([])
  const { rows } = await sql`select from mails where recipient_address = ${email}`.execute(db)
  expect(rows).toEqual([])
})

test('three wrong codes end a code, and phones are refused while no messages can be sent', async () => {
  const contact = `${randomUUID()}@example.com`
  await post('revocations/code', undefined, { contact })
  const code = await readCode(contact)
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  for (let count = 0; count < 3; count += 1)
    expect((await post('revocations/proof', undefined, { contact, code: wrong })).status).toBe(422)
  expect((await post('revocations/proof', undefined, { contact, code })).status).toBe(422)
  expect(await isSuppressed(contact)).toEqual([])
  expect((await post('revocations/code', undefined, { contact: newPhone() })).json.errors).toMatchObject([
    { path: 'contact' },
  ])
})

test('a code is good again if the revocation could not be stored', async () => {
  const { email } = await givenSold()
  await post('revocations/code', undefined, { contact: email })
  const proof = { contact: email, code: await readCode(email) }
  await sql`alter table revocations add constraint none_today check (false) not valid`.execute(db)
  const failed = await post('revocations/proof', undefined, proof)
  await sql`alter table revocations drop constraint none_today`.execute(db)
  expect([failed.status, await isSuppressed(email)]).toEqual([500, []])
  expect((await post('revocations/proof', undefined, proof)).status).toBe(200)
  expect(await isSuppressed(email)).toEqual([null])
})
