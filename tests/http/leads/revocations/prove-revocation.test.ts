import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '#core/errors.ts'
import { claimSend } from '#server/accounts/codes/claim-send.ts'
import { openAccountRates } from '#server/accounts/guards/account-rates.ts'
import { sendRevocationCode } from '#server/leads/revocations/prove-revocation.ts'
import { startCaptchaServer } from '#tests/support/peers/captcha-server.ts'
import { SITE_KEY, withCaptcha } from '../../support/with-captcha.ts'
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

// Anybody may have a code sent to any contact, so these codes have limits of their own.
test('with a captcha, each code needs a solution of its own', async () => {
  const captcha = await startCaptchaServer(SITE_KEY)
  onTestFinished(captcha.close)
  const guarded = withCaptcha(app.context, captcha)
  const from = { ip: '192.0.2.7', network: '192.0.2.7', user_agent: '' }
  const contact = `${randomUUID()}@example.com`
  const outcomes = []
  for (const captcha_token of [undefined, 'guessed', 'site-of-leadwire.once', 'site-of-leadwire.once']) {
    await sql`delete from auth.send_gaps`.execute(db)
    outcomes.push(
      await sendRevocationCode(guarded, { contact, captcha_token }, from).then(
        () => 'sent',
        (error: unknown) => (error instanceof AppError ? error.errors?.[0]?.path : error),
      ),
    )
  }
  expect(outcomes).toEqual(['captcha_token', 'captcha_token', 'sent', 'captcha_token'])
})

test('strangers who ask for codes from many networks leave the mails by which people sign in', async () => {
  const { config } = app.context
  const rates = openAccountRates({ ...config.auth.rates, mail: 16, otp: 100 }, undefined)
  const limited = { ...app.context, accounts: { ...app.context.accounts, rates } }
  const ask = async (network: number) =>
    await sendRevocationCode(
      limited,
      { contact: `${randomUUID()}@example.com` },
      { ip: `192.0.2.${network}`, network: `192.0.2.${network}`, user_agent: '' },
    ).then(
      () => 202,
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )
  expect([await ask(1), await ask(1)]).toEqual([202, 'rate_limited'])
  const others = []
  for (let network = 2; network < 20; network += 1) others.push(await ask(network))
  expect(others.filter((status) => status === 202)).toHaveLength(3)
  const sending = { kind: 'mail', purpose: 'sign_in' } as const
  for (let count = 0; count < 12; count += 1)
    await claimSend(
      limited,
      { ...sending, address: `${randomUUID()}@example.com` },
      { network: `198.51.100.${count}` },
    )
})
