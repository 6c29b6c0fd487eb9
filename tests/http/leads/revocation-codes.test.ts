// Anybody may have a code sent to any contact, so these codes have limits of their own.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#core/errors.ts'
import { claimSend } from '#server/accounts/codes/claim-send.ts'
import { openAccountRates } from '#server/accounts/guards/account-rates.ts'
import { sendRevocationCode } from '#server/leads/revocations/prove-revocation.ts'
import { startCaptchaServer } from '#tests/support/peers/captcha-server.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { SITE_KEY, withCaptcha } from '../support/with-captcha.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('with a captcha, each code needs a solution of its own', async () => {
  const captcha = await startCaptchaServer(SITE_KEY)
  const guarded = withCaptcha(app.context, captcha)
  const from = { ip: '192.0.2.7', network: '192.0.2.7', user_agent: '' }
  const contact = `${randomUUID()}@example.com`
  const outcomes = []
  for (const captcha_token of [undefined, 'guessed', 'site-of-leadwire.once', 'site-of-leadwire.once']) {
    await sql`delete from auth.send_gaps`.execute(app.context.db)
    outcomes.push(
      await sendRevocationCode(guarded, { contact, captcha_token }, from).then(
        () => 'sent',
        (error: unknown) => (error instanceof AppError ? error.errors?.[0]?.path : error),
      ),
    )
  }
  expect(outcomes).toEqual(['captcha_token', 'captcha_token', 'sent', 'captcha_token'])
  await captcha.close()
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
