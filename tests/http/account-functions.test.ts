import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FunctionResult, CreateSecureAccountResult } from '#core/contract/account-functions.ts'
import { findMail, readMail } from './auth/read-mail.ts'
import { startApp, type Person, type TestApp } from './start-app.ts'

const PASSWORD = 'Quartz-Lantern-58'
const NONE = 'No OTP found. Please request a new one.'
/** What browsers send where nobody is signed in: a key that is no person's. */
const PUBLIC_KEY = 'sb_publishable_example'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp({ AUTH_RATE_GAP_SECONDS: '0', AUTH_EMAIL_AUTOCONFIRM: '0' })
  client = await newPerson()
})
afterAll(() => app.close())

let people = 0
const newAddress = () => `function-${(people += 1)}@example.com`

/** Confirmed and signed in, where sign-up does neither. */
async function newPerson(of: TestApp = app): Promise<Person> {
  const email = newAddress()
  await of.call('POST', '/auth/v1/signup', { body: { email, password: PASSWORD } })
  await of.context.db
    .updateTable('auth.users')
    .set({ email_confirmed_at: new Date() })
    .where('email', '=', email)
    .execute()
  const { json } = await of.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email, password: PASSWORD },
  })
  return { token: json.access_token, id: json.user.id, email }
}

const invoke = async <Result = FunctionResult>(name: string, body: object, from: TestApp = app) => {
  const options = { auth: { persistSession: false, autoRefreshToken: false } }
  const answer = await createClient(from.url, PUBLIC_KEY, options).functions.invoke<Result>(name, {
    body: { ...body },
  })
  if (answer.error !== null) throw new Error(`${name} failed`, { cause: answer.error })
  return answer.data as Result
}
const send = (email: string, otp = '000000') => invoke('send-otp-email', { email, otp })
const verify = (email: string, otp: string) => invoke('verify-otp', { email, otp })
const readCode = async (email: string) => {
  const { code } = (await readMail(app, email)).data
  if (code === null) throw new Error('the mail holds no code')
  return code
}
const wrongFor = (code: string) => (code === '123456' ? '654321' : '123456')
const auditOf = async (userId: string) => {
  const rows = await app.context.db
    .selectFrom('auth.audit_log')
    .select(['action', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows
}

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

  test.each(NAMES)('%s refuses what is not JSON', async (name) => {
    const headers = { 'content-type': 'application/json' }
    const { status } = await app.call('POST', `/functions/v1/${name}`, { body: '{"email":', headers })

    expect(status).toBe(400)
  })

  test.each(NAMES)('%s answers to POST alone', async (name) => {
    expect((await app.call('GET', `/functions/v1/${name}`)).status).toBe(405)
  })

  test('a token that is no good is told as the gateway’s refusal, as functions-js knows it', async () => {
    const options = { global: { headers: { Authorization: 'Bearer not.a.token' } } }
    const { functions } = createClient(app.url, PUBLIC_KEY, options)
    const answer = await functions.invoke<unknown>('webhook-delivery', { body: {} })
    expect(answer.error).toMatchObject({ name: 'FunctionsRelayError' })
  })

  test('those that need a person answer 401 to nobody', async () => {
    for (const name of ['webhook-delivery', 'test-webhook-endpoint'])
      expect((await app.call('POST', `/functions/v1/${name}`, { body: {} })).status).toBe(401)
  })
})

describe('send-otp-email', () => {
  test('mails a code of the server’s own, never the caller’s', async () => {
    expect(await send(client.email, '424242')).toMatchObject({ success: true, error: null })
    const mail = await readMail(app, client.email)

    expect(mail).toMatchObject({ template: 'account_code', data: { address: client.email, url: null } })
    expect(mail.data.code).toMatch(/^\d{6}$/)
    expect(JSON.stringify(mail)).not.toContain('424242')
    expect((await verify(client.email, '424242')).success).toBe(false)
  })

  test('answers an address without an account the same, and mails nothing', async () => {
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

  test('keeps neither address nor code readable, and tells the audit log of neither', async () => {
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
  test('takes the right code once', async () => {
    await send(client.email)
    const code = await readCode(client.email)

    expect(await verify(`  ${client.email.toUpperCase()}`, code)).toMatchObject({ success: true })
    expect(await verify(client.email, code)).toMatchObject({ success: false, error: NONE })
    expect((await auditOf(client.id)).at(-1)).toMatchObject({ action: 'code_verified' })
  })

  test('lets three be wrong, in the words of the sign-in form', async () => {
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

  test('answers guesses at a stranger’s address as at an account’s', async () => {
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

  test('counts guesses that come at once one by one', async () => {
    await send(client.email)
    const wrong = wrongFor(await readCode(client.email))
    const answers = await Promise.all(Array.from({ length: 40 }, () => verify(client.email, wrong)))
    const wrongs = answers.filter(({ error }) => error?.startsWith('Invalid OTP') === true)

    expect(wrongs).toHaveLength(3)
    expect(answers.filter(({ error }) => error?.startsWith('Too many') === true)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === NONE)).toHaveLength(36)
  })

  test('takes the right code of forty at once once', async () => {
    await send(client.email)
    const code = await readCode(client.email)
    const answers = await Promise.all(Array.from({ length: 40 }, () => verify(client.email, code)))

    expect(answers.filter(({ success }) => success)).toHaveLength(1)
  })

  test('refuses a code after five minutes, then knows of none', async () => {
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

  test('takes no code of an address any more after fifty wrong ones in a day', async () => {
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

  test('takes the newest code alone', async () => {
    await send(client.email)
    const first = await readCode(client.email)
    await send(client.email)
    const second = await readCode(client.email)

    if (first !== second) expect((await verify(client.email, first)).success).toBe(false)
    expect((await verify(client.email, second)).success).toBe(true)
  })

  test('refuses another’s code', async () => {
    const other = await newPerson()
    await send(client.email)
    await send(other.email)
    const theirs = await readCode(other.email)
    const own = await readCode(client.email)

    if (theirs !== own) expect((await verify(client.email, theirs)).success).toBe(false)
  })
})

describe('create-secure-account', () => {
  const create = (email: string, password = PASSWORD) =>
    invoke<CreateSecureAccountResult>('create-secure-account', { email, password })

  test('creates an account that waits for its confirmation, and mails the link to the dashboard', async () => {
    const email = newAddress()
    expect(await create(email)).toEqual({
      success: true,
      message: 'Check your email to confirm the account.',
      error: null,
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

  test('answers a taken address like a new one', async () => {
    expect(await create(client.email)).toEqual(await create(newAddress()))
  })

  test.each([
    ['short', 'Password must be at least 8 characters'],
    ['longenough', 'Password must contain at least one lowercase, uppercase, number, and special character'],
    ['Password-58!', 'Password contains weak patterns or insufficient complexity'],
    [`Quartz-58!${'xY'.repeat(60)}`, 'Password too long'],
  ])('says what is wrong with the password %s', async (password, message) => {
    const { success, error } = await create(newAddress(), password)

    expect(success).toBe(false)
    expect(error).toContain(message)
  })

  test('says what is wrong with the address', async () => {
    expect((await create('no at sign')).error).toContain('Invalid email format')
    expect((await create('аda@example.com')).error).toContain('Email contains invalid characters')
    expect((await create('')).error).toContain('Email is required')
    expect((await invoke('create-secure-account', { email: 7 })).success).toBe(false)
  })
})

describe('security-monitoring', () => {
  const event = (fields: object = {}) => ({
    id: randomUUID(),
    type: 'login_success',
    timestamp: new Date().toISOString(),
    userAgent: 'Mozilla/5.0',
    url: 'https://app.example.com/auth?code=secret#access_token=secret',
    details: {},
    severity: 'low',
    ...fields,
  })
  const report = (given: object, token?: string) =>
    app.call('POST', '/functions/v1/security-monitoring', { token, body: { event: given } })
  const kept = async (person: Person) => {
    const { json } = await app.call('GET', '/api/v1/me/security-events?limit=100', { token: person.token })
    return json.data as unknown as {
      id: string
      type: string
      details: object
      severity: string
      url: string
    }[]
  }

  test('keeps an event for its owner, as grave as its type is', async () => {
    const one = event({
      type: 'suspicious_request',
      severity: 'low',
      details: { path: '/x', by: 'a@example.com', password: 'x' },
    })
    const { status, json } = await report(one, client.token)

    expect({ status, json }).toMatchObject({ status: 200, json: { success: true, error: null } })
    expect(await kept(client)).toEqual([
      expect.objectContaining({
        id: one.id,
        severity: 'high',
        url: 'https://app.example.com/auth',
        details: { path: '/x', by: '…' },
      }),
    ])
  })

  test('shows nobody another’s events', async () => {
    await report(event(), client.token)

    expect(await kept(await newPerson())).toEqual([])
  })

  test('takes events of nobody, with the public key, an ended session and no token', async () => {
    const person = await newPerson()
    await app.call('POST', '/auth/v1/logout', { token: person.token })
    for (const token of [undefined, PUBLIC_KEY, person.token]) {
      const one = event({ type: 'session_timeout' })
      expect((await report(one, token)).status).toBe(200)
      const row = await app.context.db
        .selectFrom('auth.security_events')
        .select('user_id')
        .where('id', '=', one.id)
        .executeTakeFirst()
      expect(row).toEqual({ user_id: null })
    }
  })

  test('keeps an event that is reported twice once', async () => {
    const person = await newPerson()
    const one = event()
    await Promise.all(Array.from({ length: 5 }, () => report(one, person.token)))

    expect(await kept(person)).toHaveLength(1)
  })

  test('keeps the newest thousand of a person', async () => {
    const person = await newPerson()
    await app.context.db
      .insertInto('auth.security_events')
      .values(
        Array.from({ length: 1000 }, (_none, index) => ({
          id: randomUUID(),
          user_id: person.id,
          type: 'logout',
          severity: 'low' as const,
          occurred_at: new Date(),
          received_at: new Date(Date.now() - 3_600_000 - index * 1000),
        })),
      )
      .execute()
    const one = event()
    await report(one, person.token)
    const { rows, newest } = await app.context.db
      .selectFrom('auth.security_events')
      .select('id')
      .where('user_id', '=', person.id)
      .orderBy('received_at', 'desc')
      .execute()
      .then((found) => ({ rows: found.length, newest: found[0]?.id }))

    expect({ rows, newest }).toEqual({ rows: 1000, newest: one.id })
  })

  test.each([
    ['no id', { id: 'x' }],
    ['a type that is no word', { type: 'DROP TABLE' }],
    ['a long text', { details: { a: 'x'.repeat(501) } }],
    [
      'many members',
      { details: Object.fromEntries(Array.from({ length: 21 }, (_none, at) => [`a${at}`, 1])) },
    ],
    ['nested details', { details: { a: { b: 1 } } }],
    ['a time that is none', { timestamp: 'yesterday' }],
  ])('refuses an event with %s', async (_what, fields) => {
    expect((await report(event(fields), client.token)).status).toBe(422)
  })

  test.each([
    ['failed_login', 5],
    ['password_change', 2],
    ['suspicious_request', 10],
  ])('raises one alert for %s × %i in five minutes', async (type, threshold) => {
    const person = await newPerson()
    for (let sent = 1; sent < threshold; sent += 1) await report(event({ type }), person.token)
    expect((await kept(person)).some((one) => one.type === 'security_alert')).toBe(false)
    await Promise.all(Array.from({ length: 4 }, () => report(event({ type }), person.token)))
    const alerts = (await kept(person)).filter((one) => one.type === 'security_alert')

    expect(alerts).toEqual([
      expect.objectContaining({ severity: 'critical', details: { cause: type, threshold } }),
    ])
    const audited = (await auditOf(person.id)).filter(({ action }) => action === 'security_alert')
    expect(audited).toEqual([{ action: 'security_alert', details: { cause: type, threshold } }])
  })

  test('does not keep a browser’s alert beside the server’s own', async () => {
    const person = await newPerson()
    for (let sent = 0; sent < 2; sent += 1) await report(event({ type: 'password_change' }), person.token)
    await report(event({ type: 'security_alert', details: { cause: 'password_change' } }), person.token)

    expect((await kept(person)).filter((one) => one.type === 'security_alert')).toHaveLength(1)
  })

  test('forgets what is older than five minutes', async () => {
    const person = await newPerson()
    for (let sent = 0; sent < 4; sent += 1) await report(event({ type: 'failed_login' }), person.token)
    await app.context.db
      .updateTable('auth.security_events')
      .set({ received_at: new Date(Date.now() - 301_000) })
      .where('user_id', '=', person.id)
      .execute()
    await report(event({ type: 'failed_login' }), person.token)

    expect((await kept(person)).some((one) => one.type === 'security_alert')).toBe(false)
  })

  test('is not silenced by an alert that a browser made up', async () => {
    const person = await newPerson()
    const made = event({ type: 'security_alert', details: { cause: 'password_change' } })
    await report(made, person.token)
    for (let sent = 0; sent < 2; sent += 1) await report(event({ type: 'password_change' }), person.token)

    expect((await auditOf(person.id)).map(({ action }) => action)).toContain('security_alert')
  })

  test('raises an alert for wrong passwords that no browser reported', async () => {
    const person = await newPerson()
    await Promise.all(
      Array.from({ length: 8 }, () =>
        app.call('POST', '/auth/v1/token?grant_type=password', {
          body: { email: person.email, password: 'Wrong-Lantern-58' },
        }),
      ),
    )
    const alerts = (await kept(person)).filter((one) => one.type === 'security_alert')

    expect(alerts).toEqual([expect.objectContaining({ details: { cause: 'failed_login', threshold: 5 } })])
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

  test('hold back who asks, checks and reports too often', async () => {
    const names = [
      ['send-otp-email', { email: 'gap@example.com', otp: '1' }],
      ['verify-otp', { email: 'gap@example.com', otp: '1' }],
      ['create-secure-account', { email: 'strict@example.com', password: 'aaa' }],
    ] as const
    for (const [name, body] of names) {
      const answers: FunctionResult[] = []
      for (let sent = 0; sent < 4; sent += 1) answers.push(await invoke(name, body, strict))
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
    const statuses: number[] = []
    for (let sent = 0; sent < 4; sent += 1)
      statuses.push((await strict.call('POST', '/functions/v1/security-monitoring', { body })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('space the mails to one address, known or not', async () => {
    const spaced = await startApp()
    try {
      const person = await spaced.newClient()
      for (const email of [person.email, 'nobody@example.com']) {
        expect((await invoke('send-otp-email', { email }, spaced)).success).toBe(true)
        expect((await invoke('send-otp-email', { email }, spaced)).error).toMatch(
          /^For security purposes, you can only request this after \d+ seconds\.$/,
        )
      }
    } finally {
      await spaced.close()
    }
  })

  test('are no secret of the address that is asked for, and of no other', async () => {
    const ask = (email?: string) => invoke('account-exemption', { email }, strict)
    expect(await ask(' Tester@Example.com')).toEqual({
      success: true,
      message: '',
      error: null,
      exempt: true,
    })
    expect(await ask('other@example.com')).toMatchObject({ success: true, exempt: false })
    expect(await ask()).toMatchObject({ success: false, exempt: false })
  })

  test('do not hold up the sign-up of a listed account, but its passwords', async () => {
    const email = 'tester@example.com'
    expect(await invoke('create-secure-account', { email, password: PASSWORD }, strict)).toEqual({
      success: false,
      message: 'This account signs up directly.',
      error: null,
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
