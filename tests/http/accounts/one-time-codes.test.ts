import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FunctionResult } from '#core/contract/accounts/account-functions.ts'
import { findMail, readMail } from './codes/read-mail.ts'
import { readAuditOf } from './read-audit-of.ts'
import { invokeAt, newAddress, newPersonAt } from '../support/invoke-function.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

const NONE = 'No OTP found. Please request a new one.'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp({ AUTH_RATE_GAP_SECONDS: '0', AUTH_EMAIL_AUTOCONFIRM: '0' })
  client = await newPerson()
})
afterAll(() => app.close())

const newPerson = () => newPersonAt(app)
const invoke = <Result = FunctionResult>(name: string, body: object) => invokeAt<Result>(app, name, body)
const send = (email: string, otp = '000000') => invoke('send-otp-email', { email, otp })
const verify = (email: string, otp: string) => invoke('verify-otp', { email, otp })
const readCode = async (email: string) => {
  const { code } = (await readMail(app, email)).data
  if (code === null) throw new Error('the mail holds no code')
  return code
}
const wrongFor = (code: string) => (code === '123456' ? '654321' : '123456')
const auditOf = (userId: string) => readAuditOf(app, userId)

describe('send-otp-email', () => {
  test('mails a code that the server chose, never the caller’s', async () => {
    expect(await send(client.email, '424242')).toMatchObject({ success: true, error: null })
    const mail = await readMail(app, client.email)

    expect(mail).toMatchObject({ template: 'account_code', data: { address: client.email, url: null } })
    expect(mail.data.code).toMatch(/^\d{6}$/)
    expect(JSON.stringify(mail)).not.toContain('424242')
    expect((await verify(client.email, '424242')).success).toBe(false)
  })

  test('gives an address without an account the same answer, and sends no mail', async () => {
    const stranger = newAddress()
    const known = await send(client.email)
    const unknown = await send(stranger)

    expect(unknown).toEqual(known)
    expect(await findMail(app, stranger)).toBeUndefined()
  })

  test.each([
    [{ email: 'no at sign' }],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }],
    [{ email: ['a@example.com'] }],
    [{}],
  ])('refuses %j', async (body) => {
    expect(await invoke('send-otp-email', body)).toMatchObject({
      success: false,
      error: 'Invalid email format',
    })
  })

  test('stores neither address nor code in readable form, and writes neither to the audit log', async () => {
    const person = await newPerson()
    await send(person.email)
    const code = await readCode(person.email)
    const rows = await app.context.db.selectFrom('auth.mailed_codes').selectAll().execute()
    const audit = await auditOf(person.id)

    expect(JSON.stringify(rows)).not.toContain(person.email)
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(audit.at(-1)).toEqual({ action: 'code_requested', details: {} })
  })
})

describe('verify-otp', () => {
  test('accepts the right code once', async () => {
    await send(client.email)
    const code = await readCode(client.email)

    expect(await verify(`  ${client.email.toUpperCase()}`, code)).toMatchObject({ success: true })
    expect(await verify(client.email, code)).toMatchObject({ success: false, error: NONE })
    expect((await auditOf(client.id)).at(-1)).toMatchObject({ action: 'code_verified' })
  })

  test('allows three wrong codes, with the messages of the sign-in form', async () => {
    await send(client.email)
    const code = await readCode(client.email)
    const wrong = wrongFor(code)
    const errors: (string | null)[] = []
    for (let tried = 0; tried < 3; tried += 1) errors.push((await verify(client.email, wrong)).error)
    errors.push((await verify(client.email, code)).error, (await verify(client.email, code)).error)

    expect(errors).toEqual([
      'Invalid OTP. 2 attempts remaining.',
      'Invalid OTP. 1 attempts remaining.',
      'Invalid OTP. 0 attempts remaining.',
      'Too many failed attempts. Please request a new OTP.',
      NONE,
    ])
  })

  test('gives the same answers for an unknown address as for an account’s', async () => {
    const stranger = newAddress()
    await send(stranger)
    const errors: (string | null)[] = []
    for (let tried = 0; tried < 5; tried += 1) errors.push((await verify(stranger, '123456')).error)

    expect(errors).toEqual([
      'Invalid OTP. 2 attempts remaining.',
      'Invalid OTP. 1 attempts remaining.',
      'Invalid OTP. 0 attempts remaining.',
      'Too many failed attempts. Please request a new OTP.',
      NONE,
    ])
    expect((await verify(newAddress(), '123456')).error).toBe(NONE)
  })

  test('counts simultaneous guesses one by one', async () => {
    await send(client.email)
    const wrong = wrongFor(await readCode(client.email))
    const answers = await Promise.all(Array.from({ length: 40 }, () => verify(client.email, wrong)))
    const wrongs = answers.filter(({ error }) => error?.startsWith('Invalid OTP') === true)

    expect(wrongs).toHaveLength(3)
    expect(answers.filter(({ error }) => error?.startsWith('Too many') === true)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === NONE)).toHaveLength(36)
  })

  test('accepts the right code once among forty simultaneous requests', async () => {
    await send(client.email)
    const code = await readCode(client.email)
    const answers = await Promise.all(Array.from({ length: 40 }, () => verify(client.email, code)))

    expect(answers.filter(({ success }) => success)).toHaveLength(1)
  })

  test('refuses a code after five minutes, and then forgets it', async () => {
    await send(client.email)
    const code = await readCode(client.email)
    const mail = await readMail(app, client.email)
    const life = Date.parse(mail.data.code_expires_at) - Date.now()
    expect(life).toBeGreaterThan(290_000)
    expect(life).toBeLessThanOrEqual(300_000)
    await app.context.db.updateTable('auth.mailed_codes').set({ expires_at: new Date() }).execute()

    expect((await verify(client.email, code)).error).toBe('OTP has expired. Please request a new one.')
    expect((await verify(client.email, code)).error).toBe(NONE)
  })

  test('refuses every code of an address after fifty wrong ones in a day', async () => {
    const person = await newPerson()
    await send(person.email)
    await verify(person.email, wrongFor(await readCode(person.email)))
    const { db } = app.context
    await db.updateTable('auth.wrong_codes').set({ failures: 50 }).execute()
    await send(person.email)
    const right = await readCode(person.email)

    expect((await verify(person.email, right)).error).toBe(
      'Too many failed attempts. Please request a new OTP.',
    )
    await db.deleteFrom('auth.wrong_codes').execute()
    await send(person.email)
    expect((await verify(person.email, await readCode(person.email))).success).toBe(true)
  })

  test('accepts only the newest code', async () => {
    await send(client.email)
    const first = await readCode(client.email)
    await send(client.email)
    const second = await readCode(client.email)

    if (first !== second) expect((await verify(client.email, first)).success).toBe(false)
    expect((await verify(client.email, second)).success).toBe(true)
  })

  test('refuses another address’s code', async () => {
    const other = await newPerson()
    await send(client.email)
    await send(other.email)
    const theirs = await readCode(other.email)
    const own = await readCode(client.email)

    if (theirs !== own) expect((await verify(client.email, theirs)).success).toBe(false)
  })
})
