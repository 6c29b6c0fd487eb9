import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SITE_FOLDER } from '#core/contract/site.ts'
import { startCaptchaServer, type CaptchaServer } from '#tests/support/peers/captcha-server.ts'
import { receiveContactMessage } from '#server/operations/contact/receive-contact-message.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { SITE_KEY, withCaptcha } from '../support/with-captcha.ts'

const PATH = '/api/v1/admin/contact-messages'
const MESSAGE = {
  name: 'Rosa Example',
  email: 'Rosa@Example.com',
  topic: 'support',
  message: 'Lead 018f… came twice. <b>Why?</b>',
}
let app: TestApp
let captcha: CaptchaServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-contact-'))
  await mkdir(path.join(folder, SITE_FOLDER))
  await writeFile(
    path.join(folder, SITE_FOLDER, 'contact.html'),
    '<title>Contact</title><form><div id="contact-problems"></div><input id="contact-name" name="name"/></form>',
  )
  const index = { pages: { '/contact': 'contact.html' }, missing: {} }
  await writeFile(path.join(folder, SITE_FOLDER, 'index.json'), JSON.stringify(index))
  captcha = await startCaptchaServer(SITE_KEY)
  app = await startApp({ TRUST_PROXY: '1' }, folder)
})
afterAll(async () => {
  await app.close()
  await captcha.close()
  await rm(folder, { recursive: true, force: true })
})

/** Sends the form as a browser without JavaScript does. */
const send = (fields: Record<string, string>, to = '/contact', network = '198.51.100.1') =>
  fetch(app.url + to, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { 'X-Forwarded-For': network },
  })
const list = async () => (await app.call('GET', PATH, { token: app.admin.token })).json.data

test('a message is stored as text, announced to the administrators without its text, and answered', async () => {
  const answer = await send(MESSAGE)
  const reference = /^\/contact\/sent\?reference=(LW-[0-9A-Z]{6})$/.exec(
    answer.headers.get('location') ?? '',
  )?.[1]
  expect([answer.status, reference]).toEqual([303, expect.any(String)])
  const [message] = await list()
  expect(message).toMatchObject({
    reference,
    topic: 'support',
    name: 'Rosa Example',
    email: 'rosa@example.com',
    message: 'Lead 018f… came twice. bWhy?/b',
    answered_at: null,
  })
  const mails = await app.context.db
    .selectFrom('mails')
    .selectAll()
    .where('template', '=', 'contact_message')
    .execute()
  expect(mails.map(({ recipient_user_id }) => recipient_user_id)).toContain(app.admin.id)
  expect(mails[0]?.data).toEqual({ reference, topic: 'support' })
  const receipts = await app.context.db
    .selectFrom('mails')
    .select(['data', 'recipient_address'])
    .where('template', '=', 'contact_receipt')
    .execute()
  expect(receipts).toEqual([
    { data: { reference, topic: 'support', kept_days: 365 }, recipient_address: null },
  ])

  const mark = (id: string, answered: boolean) =>
    app.call('PATCH', `${PATH}/${id}`, { token: app.admin.token, body: { answered } })
  expect((await mark(String(message?.id), true)).status).toBe(204)
  expect((await list())[0]).not.toMatchObject({ answered_at: null })
  expect((await mark('018f0000-0000-7000-8000-000000000009', true)).status).toBe(404)
})

test('an address from the webinars page is stored and confirmed, and an invalid one is returned for correction', async () => {
  const told = await send({ email: 'Ann@example.com' }, '/webinars', '198.51.100.2')
  expect([told.status, told.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/webinars\/noted\?reference=LW-/),
  ])
  expect((await list())[0]).toMatchObject({ topic: 'webinars', email: 'ann@example.com', name: '' })
  const faulty = await send({ email: 'ann' }, '/webinars', '198.51.100.2')
  expect([faulty.status, await faulty.text()]).toEqual([422, expect.stringContaining('Invalid email format')])
})

test('a hostile body is refused with an explanation, and what a browser may send is accepted', async () => {
  const from = '198.51.100.3'
  const faultsOf = async (change: Record<string, string>) => {
    const answer = await send({ ...MESSAGE, ...change }, '/contact', from)
    return [
      answer.status,
      [...(await answer.text()).matchAll(/<li>(?:<a[^>]*>)?([^<]*)/g)].map(([, one]) => one),
    ]
  }
  const name = 'Name must be one line that can be read, without control characters'
  for (const trick of ['Rosa\r\nBcc: all@example.com', 'Rosa\u202Eelpmaxe', 'Ro\u0007sa'])
    expect(await faultsOf({ name: trick })).toEqual([422, [name]])
  expect(await faultsOf({ name: '\u200B\u200B' })).toEqual([422, ['Name is required']])
  expect(await faultsOf({ message: '\u200B'.repeat(20) })).toEqual([422, ['Write at least 10 characters']])
  expect(await faultsOf({ message: 'A question\u0007 about prices' })).toEqual([
    422,
    ['Message must be text that can be read, without control characters'],
  ])
  expect(await faultsOf({ name: 'Rosa\0' })).toEqual([422, ['Must not contain a NUL character']])
  expect(await faultsOf({ email: 'rosа@example.com' })).toEqual([422, ['Email contains invalid characters']])
  expect(await faultsOf({ message: 'x'.repeat(1024 * 1024) })).toEqual([
    413,
    ['Message is too long (at most 5000 characters)'],
  ])
  // Removing nested markers one after the other would take seconds.
  expect(await faultsOf({ message: 'data'.repeat(9000) + ':'.repeat(9000) })).toEqual([
    422,
    ['Message is too long (at most 5000 characters)'],
  ])
  const json = await fetch(`${app.url}/contact`, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  })
  expect(json.status).toBe(415)

  const lines = `${'1234\r\n'.repeat(999)}12345`
  expect((await send({ ...MESSAGE, name: 'رزا نمونه 👩‍👧', message: lines }, '/contact', from)).status).toBe(
    303,
  )
  expect((await list())[0]).toMatchObject({ message: lines.replaceAll('\r\n', '\n') })
})

test('faults are shown on the page, bots get a fake success, and the number of messages is limited', async () => {
  const faulty = await send({ ...MESSAGE, name: '"><script>', email: 'nobody', message: 'short', topic: 'x' })
  const page = await faulty.text()
  expect(faulty.status).toBe(422)
  for (const words of ['Invalid email format', 'Write at least 10 characters', 'Choose a topic'])
    expect(page).toContain(words)
  expect(page).toContain('value="&quot;&gt;&lt;script&gt;"')

  const before = (await list()).length
  expect((await send({ ...MESSAGE, website: 'https://example.com' })).status).toBe(303)
  expect(await list()).toHaveLength(before)
  const statuses = []
  for (let more = 0; more < 6; more += 1) statuses.push((await send(MESSAGE)).status)
  expect(statuses.at(0)).toBe(303)
  expect(statuses.at(-1)).toBe(429)
  const refused = await send(MESSAGE)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain('Too many messages')
})

test('with a captcha configured, each message needs its own proof', async () => {
  const guarded = withCaptcha(app.context, captcha)
  const from = { ip: '192.0.2.7', network: '192.0.2.7', user_agent: '' }
  const outcomes = []
  for (const captcha_token of ['', 'guessed', 'site-of-leadwire.once', 'site-of-leadwire.once'])
    outcomes.push((await receiveContactMessage(guarded, { ...MESSAGE, captcha_token }, from)).outcome)
  expect(outcomes).toEqual(['faulty', 'faulty', 'kept', 'faulty'])
})
