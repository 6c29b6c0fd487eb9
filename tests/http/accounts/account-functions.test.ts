import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FunctionResult, CreateSecureAccountResult } from '#core/contract/accounts/account-functions.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { readMail } from './codes/read-mail.ts'
import { invokeAt, newAddress, newPersonAt, PUBLIC_KEY } from '../support/invoke-function.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp({ AUTH_RATE_GAP_SECONDS: '0', AUTH_EMAIL_AUTOCONFIRM: '0' })
  client = await newPerson()
})
afterAll(() => app.close())

const newPerson = () => newPersonAt(app)
const invoke = <Result = FunctionResult>(name: string, body: object) => invokeAt<Result>(app, name, body)

describe('every function', () => {
  const NAMES = [
    'send-otp-email',
    'verify-otp',
    'create-secure-account',
    'account-exemption',
    'security-monitoring',
  ]

  test.each(NAMES)('%s answers a browser’s preflight from another origin', async (name) => {
    const { status, headers } = await app.call('OPTIONS', `/functions/v1/${name}`, {
      headers: {
        origin: 'https://elsewhere.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, x-client-info, apikey, content-type',
      },
    })

    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toContain('apikey')
  })

  test.each(NAMES)('%s refuses a body that is not JSON', async (name) => {
    const headers = { 'content-type': 'application/json' }
    const { status } = await app.call('POST', `/functions/v1/${name}`, { body: '{"email":', headers })

    expect(status).toBe(400)
  })

  test.each(NAMES)('%s answers only to POST', async (name) => {
    expect((await app.call('GET', `/functions/v1/${name}`)).status).toBe(405)
  })

  test('answers an invalid token with the gateway’s refusal, in the form of functions-js', async () => {
    const options = { global: { headers: { Authorization: 'Bearer not.a.token' } } }
    const { functions } = createClient(app.url, PUBLIC_KEY, options)
    const answer = await functions.invoke<unknown>('webhook-delivery', { body: {} })
    expect(answer.error).toMatchObject({ name: 'FunctionsRelayError' })
  })

  test('answers 401 without a signed-in user, if it needs one', async () => {
    for (const name of ['webhook-delivery', 'test-webhook-endpoint'])
      expect((await app.call('POST', `/functions/v1/${name}`, { body: {} })).status).toBe(401)
  })
})

describe('create-secure-account', () => {
  const create = (email: string, password = PASSWORD) =>
    invoke<CreateSecureAccountResult>('create-secure-account', { email, password })

  test('creates an unconfirmed account, and mails the confirmation link to the dashboard', async () => {
    const email = newAddress()
    expect(await create(email)).toEqual({
      success: true,
      message: 'Check your email to confirm the account.',
      error: null,
      code: null,
      confirmation_required: true,
      direct_sign_up: false,
    })
    const mail = await readMail(app, email)

    expect(mail.template).toBe('account_confirm')
    expect(new URL(mail.data.url ?? '').searchParams.get('redirect_to')).toBe(`${app.url}/dashboard`)
    const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email, password: PASSWORD },
    })
    expect(json.code).toBe(400)
  })

  test('creates no session and records no sign-in', async () => {
    const open = await startApp({ AUTH_EMAIL_AUTOCONFIRM: '1' })
    try {
      const email = newAddress()
      const made = await invokeAt<CreateSecureAccountResult>(open, 'create-secure-account', {
        email,
        password: PASSWORD,
      })
      expect(made).toMatchObject({
        success: true,
        message: 'The account is ready.',
        confirmation_required: false,
      })
      const { db } = open.context
      const user = await db
        .selectFrom('auth.users')
        .select(['id', 'last_sign_in_at', 'email_confirmed_at'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      expect(user).toMatchObject({ last_sign_in_at: null, email_confirmed_at: expect.any(Date) as Date })
      const audited = db.selectFrom('auth.audit_log').select('action').where('user_id', '=', user.id)
      expect(await audited.execute()).toEqual([{ action: 'signed_up' }])
      const sessions = db.selectFrom('auth.sessions').select('id').where('user_id', '=', user.id)
      expect(await sessions.execute()).toEqual([])
      const again = await invokeAt<CreateSecureAccountResult>(open, 'create-secure-account', {
        email,
        password: PASSWORD,
      })
      expect(again).toMatchObject({ success: false, code: 'user_already_exists' })
    } finally {
      await open.close()
    }
  })

  test('gives a taken address the same answer as a new one', async () => {
    expect(await create(client.email)).toEqual(await create(newAddress()))
  })

  test.each([
    ['short', 'Password must be at least 8 characters'],
    ['longenough', 'Password must contain at least one lowercase, uppercase, number, and special character'],
    ['Password-58!', 'Password contains weak patterns or insufficient complexity'],
    [`Quartz-58!${'xY'.repeat(60)}`, 'Password too long'],
  ])('explains the fault of the password %s', async (password, message) => {
    const { success, error, code } = await create(newAddress(), password)

    expect(success).toBe(false)
    expect(error).toContain(message)
    expect(code).toBe('weak_password')
  })

  test('explains the fault of the address', async () => {
    expect((await create('no at sign')).error).toContain('Invalid email format')
    expect((await create('аda@example.com')).error).toContain('Email contains invalid characters')
    expect((await create('')).error).toContain('Email is required')
    expect((await invoke('create-secure-account', { email: 7 })).success).toBe(false)
  })
})

describe('limits', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await startApp({
      AUTH_RATE_OTP: '3',
      AUTH_RATE_VERIFY: '3',
      AUTH_RATE_EVENTS: '3',
      AUTH_RATE_TOKEN: '9',
      BYPASS_ACCOUNTS: 'tester@example.com',
    })
  })
  afterAll(() => strict.close())

  test('refuse requests, checks and reports that come too often', async () => {
    const names = [
      ['send-otp-email', { email: 'gap@example.com', otp: '1' }],
      ['verify-otp', { email: 'gap@example.com', otp: '1' }],
      ['create-secure-account', { email: 'strict@example.com', password: 'aaa' }],
    ] as const
    for (const [name, body] of names) {
      const answers: FunctionResult[] = []
      for (let sent = 0; sent < 4; sent += 1) answers.push(await invokeAt(strict, name, body))
      expect(answers.at(-1)?.error, name).toContain('Too many requests')
    }
    const body = {
      event: {
        id: randomUUID(),
        type: 'logout',
        timestamp: new Date().toISOString(),
        userAgent: '',
        url: '',
        details: {},
        severity: 'low',
      },
    }
    const reports: CallResult[] = []
    for (let sent = 0; sent < 4; sent += 1)
      reports.push(await strict.call('POST', '/functions/v1/security-monitoring', { body }))
    expect(reports.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(Number(reports.at(-1)?.headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('keep a gap between the mails to one address, known or not', async () => {
    const spaced = await startApp()
    try {
      const person = await spaced.newClient()
      for (const email of [person.email, 'nobody@example.com']) {
        expect((await invokeAt(spaced, 'send-otp-email', { email })).success).toBe(true)
        expect((await invokeAt(spaced, 'send-otp-email', { email })).error).toMatch(
          /^For security purposes, you can only request this after \d+ seconds\.$/,
        )
      }
    } finally {
      await spaced.close()
    }
  })

  test('depend only on the requested address, known or not', async () => {
    const ask = (email?: string) => invokeAt(strict, 'account-exemption', { email })
    expect(await ask(' Tester@Example.com')).toEqual({
      success: true,
      message: '',
      error: null,
      exempt: true,
    })
    expect(await ask('other@example.com')).toMatchObject({ success: true, exempt: false })
    expect(await ask()).toMatchObject({ success: false, exempt: false })
  })

  test('block the passwords of a listed account, but not its sign-up', async () => {
    const email = 'tester@example.com'
    expect(await invokeAt(strict, 'create-secure-account', { email, password: PASSWORD })).toEqual({
      success: false,
      message: 'This account signs up directly.',
      error: null,
      code: null,
      confirmation_required: false,
      direct_sign_up: true,
    })
    const signUp = await strict.call('POST', '/auth/v1/signup', { body: { email, password: PASSWORD } })
    const other = await strict.call('POST', '/auth/v1/signup', {
      body: { email: 'other@example.com', password: PASSWORD },
    })
    expect([signUp.status, other.status]).toEqual([200, 429])
    const statuses: number[] = []
    for (let tried = 0; tried < 7; tried += 1) {
      const { status } = await strict.call('POST', '/auth/v1/token?grant_type=password', {
        body: { email, password: 'Wrong-Lantern-58' },
      })
      statuses.push(status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429])
  })
})
