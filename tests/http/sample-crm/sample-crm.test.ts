import { rm, writeFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startProcess } from '#scripts/lab/start-process.ts'
import { askByHost } from '#tests/support/ask-by-host.ts'
import type { SampleCrm } from '#scripts/sample-crm/create-sample-crm.ts'
import {
  deliverTo,
  openSampleCrm,
  LEAD,
  NOW,
  OLD_SECRET,
  readStateOf,
  SECRET,
  switchAt,
  type Delivery,
} from './sample-crm-requests.ts'

let secretFile: string
let crm: SampleCrm
let close: () => Promise<void>
beforeEach(async () => {
  ;({ crm, secretFile, close } = await openSampleCrm())
})
afterEach(() => close())

const deliver = (delivery: Delivery = {}) => deliverTo(crm, delivery)
const readState = () => readStateOf(crm)
const switchTo = (mode: string | number, settings: Record<string, unknown> = {}) =>
  switchAt(crm, mode, settings)

async function readOnly() {
  const { requests } = await readState()
  expect(requests).toHaveLength(1)
  return requests[0]
}

describe('the signature', () => {
  test('of the npm package standardwebhooks is accepted', async () => {
    expect((await deliver()).status).toBe(200)
    expect(await readOnly()).toMatchObject({
      signature: 'verified',
      lead: LEAD,
      event: 'lead.assigned',
      seen: 1,
    })
  })

  test('is checked over the exact bytes, with spaces and long numbers', async () => {
    const body = '{ "name" : "Pat Example",\n"n": 12345678901234567890.10 }'
    await deliver({ body })
    expect(await readOnly()).toMatchObject({ signature: 'verified', body })
  })

  test('with another secret is wrong', async () => {
    await deliver({ secret: OLD_SECRET })
    expect(await readOnly()).toMatchObject({ signature: 'wrong' })
  })

  test('over another body is wrong', async () => {
    const signature = new Webhook(SECRET).sign('event-1', NOW, JSON.stringify(LEAD))
    await deliver({ body: '{"name":"Mallory Example"}', headers: { 'webhook-signature': signature } })
    expect(await readOnly()).toMatchObject({ signature: 'wrong' })
  })

  test.each([
    ['five minutes old', -300, 'verified'],
    ['a second older than five minutes', -301, 'too old'],
    ['a second more than five minutes ahead', 301, 'too old'],
  ])('%s is judged by the tolerance', async (_name, seconds, expected) => {
    await deliver({ sentAt: new Date(NOW.getTime() + seconds * 1000) })
    expect(await readOnly()).toMatchObject({ signature: expected })
  })

  test('may be one of several, as while a secret is replaced', async () => {
    const wrong = new Webhook(OLD_SECRET).sign('event-1', NOW, JSON.stringify(LEAD))
    const right = new Webhook(SECRET).sign('event-1', NOW, JSON.stringify(LEAD))
    await deliver({ headers: { 'webhook-signature': `v1a,ignored ${wrong} ${right}` } })
    expect(await readOnly()).toMatchObject({ signature: 'verified' })
  })

  test('is missing if one of its headers is missing', async () => {
    await fetch(crm.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await readOnly()).toMatchObject({ signature: 'missing', webhook_id: null })
  })

  test('is checked with the present secret file, which may be created later', async () => {
    await writeFile(secretFile, OLD_SECRET)
    await deliver({ secret: OLD_SECRET, id: 'after the change' })
    await rm(secretFile)
    await deliver({ id: 'without the file' })
    await writeFile(secretFile, '')
    expect((await readState()).requests.map((request) => request.signature)).toEqual([
      'no secret',
      'verified',
    ])
  })

  test('that is wrong gets 401 if the receiver is set to refuse', async () => {
    await switchTo('200', { refuse_unverified: true })
    expect((await deliver({ secret: OLD_SECRET })).status).toBe(401)
    expect((await deliver()).status).toBe(200)
  })
})

describe('a received lead', () => {
  test.each(['POST', 'PUT', 'PATCH'])('is accepted by %s', async (method) => {
    expect((await deliver({ method })).status).toBe(200)
  })

  test('as a form is read like JSON', async () => {
    const body = new URLSearchParams({
      'contact.first_name': 'Pat',
      'contact.last_name': 'Example',
      email: LEAD.email,
    }).toString()
    await deliver({ body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    expect(await readOnly()).toMatchObject({ lead: { name: 'Pat Example', email: LEAD.email, phone: null } })
  })

  test('with one webhook-id twice is one event, and its newest arrival is first', async () => {
    await deliver({ attempt: 1 })
    await deliver({ attempt: 2 })
    expect(await readOnly()).toMatchObject({ seen: 2, arrivals: [{ attempt: 2 }, { attempt: 1 }] })
  })

  test('without a valid signature never counts as a repeat of a signed one', async () => {
    await deliver()
    await deliver({ secret: OLD_SECRET, body: '{"name":"Mallory Example"}' })
    expect((await readState()).requests).toMatchObject([
      { signature: 'wrong', seen: 1 },
      { signature: 'verified', seen: 1, lead: LEAD },
    ])
  })

  test('is kept until 200 newer events have arrived', async () => {
    for (let number = 1; number <= 201; number += 1) await deliver({ id: `event-${number}` })
    const { requests } = await readState()
    expect(requests).toHaveLength(200)
    expect(requests[0]).toMatchObject({ webhook_id: 'event-201' })
    expect(requests.at(-1)).toMatchObject({ webhook_id: 'event-2' })
  })

  test.each([
    ['malformed JSON', '{"name":', 'application/json', 400],
    ['another content type', 'name: Pat', 'text/yaml', 415],
  ])('as %s is refused and shown', async (_name, body, contentType, status) => {
    expect((await deliver({ body, headers: { 'content-type': contentType } })).status).toBe(status)
    expect(await readOnly()).toMatchObject({ body, lead: { name: null } })
  })

  test('above 1 MiB is refused and not kept', async () => {
    expect((await deliver({ body: JSON.stringify('x'.repeat(1024 * 1024)) })).status).toBe(413)
    expect((await readState()).requests).toEqual([])
  })

  test('nested 100,000 deep does not stop the receiver', async () => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect([200, 400]).toContain((await deliver({ body })).status)
    expect(await readOnly()).toMatchObject({ body_truncated: true })
  })

  test('with GET is refused', async () => {
    expect((await fetch(crm.webhookUrl)).status).toBe(405)
  })

  test('is deleted by Clear', async () => {
    await deliver()
    await fetch(`${crm.url}/clear`, { method: 'POST' })
    expect((await readState()).requests).toEqual([])
  })
})

describe('the page', () => {
  test('shows unsigned input as text, and runs only its own script', async () => {
    await deliver({
      body: JSON.stringify({ name: '<script>alert(1)</script>"\'&', email: '<b>@example.com' }),
      id: '"><img src=x>',
    })
    const answer = await fetch(crm.url)
    const html = await answer.text()
    expect(answer.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    )
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('<img')
  })

  test('is only for this machine: a page under a foreign name neither reads nor changes it', async () => {
    const crossing = (path: string) => askByHost(crm.url + path, 'rebound.example.com')

    expect(await crossing('/')).toBe(403)
    expect(await crossing('/requests.json')).toBe(403)
    expect(await askByHost(`${crm.url}/requests.json`, 'localhost:3001')).toBe(200)
    expect(await crossing('/webhooks/leads')).toBe(405)
  })

  test('does not send an unchanged list again', async () => {
    const first = await fetch(`${crm.url}/requests.json`)
    const again = () =>
      fetch(`${crm.url}/requests.json`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect((await again()).status).toBe(304)
    await deliver()
    expect((await again()).status).toBe(200)
  })
})

describe('the process', () => {
  const start = (port: string) =>
    startProcess({
      script: 'scripts/sample-crm.ts',
      env: { SAMPLE_CRM_PORT: port, HOST: '127.0.0.1' },
      isReady: 'Sample CRM at http',
    })

  test('prints its address, and exits with 0 on SIGTERM', async () => {
    const child = await start('0')
    const url = /http:\/\/127\.0\.0\.1:\d+\/webhooks\/leads/.exec(child.output())?.[0] ?? ''
    expect((await fetch(url, { method: 'POST' })).status).toBe(415)
    expect(await child.stop()).toBe(0)
  })

  test('exits with 1 and names the variable if its port is taken', async () => {
    await expect(start(new URL(crm.url).port)).rejects.toThrow(
      /It ended with 1\n.*set SAMPLE_CRM_PORT to another/s,
    )
  })
})
