import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'

const ID = '01900000-0000-7000-8000-000000000001'
let app: TestApp

beforeAll(async () => {
  app = await startApp({ DEV_MAILBOX: '1' })
  const { folder } = app.context.config.mail
  await mkdir(folder, { recursive: true })
  const mail = {
    id: ID,
    at: '2026-11-01T08:30:00.000Z',
    to: 'client@example.com',
    subject: 'Hello <script>alert(1)</script>',
    text: 'In text & more',
    html: '<p style="color:red">In HTML</p>',
  }
  await writeFile(path.join(folder, `${ID}.json`), JSON.stringify(mail))
  await writeFile(path.join(folder, `${ID}.eml`), 'To: client@example.com\r\n\r\nsource')
  await writeFile(path.join(folder, '..', 'secrets.json'), '{}')
})
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  app.call('GET', url, { headers })

test('the mailbox lists the mails, as a page and as JSON', async () => {
  const page = await get('/dev/mailbox')
  expect(page.status).toBe(200)
  expect(page.text).toContain('Hello &lt;script&gt;')
  expect(page.text).not.toContain('<script>')

  const { json } = await get('/dev/mailbox', { accept: 'application/json' })
  expect(json.data).toMatchObject([{ id: ID, subject: 'Hello <script>alert(1)</script>' }])
})

test('a mail is shown as text, as HTML without scripts, and as its source', async () => {
  expect((await get(`/dev/mailbox/${ID}`)).text).toContain('In text &amp; more')
  const html = await get(`/dev/mailbox/${ID}/html`)
  expect(html.text).toContain('In HTML')
  expect(html.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(html.headers.get('content-security-policy')).toContain('sandbox')
  expect((await get(`/dev/mailbox/${ID}.eml`)).text).toContain('source')
})

test.each(['..%2Fsecrets', '..%2f..%2fetc%2fpasswd', 'nothing', '01900000-0000-7000-8000-00000000000f'])(
  'the id %s is not found',
  async (id) => {
    for (const url of [`/dev/mailbox/${id}`, `/dev/mailbox/${id}/html`, `/dev/mailbox/${id}.eml`])
      expect((await get(url)).status).toBe(404)
  },
)

test('a request through a proxy is refused', async () => {
  expect((await get('/dev/mailbox', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(403)
})

test.each([
  ['the variable', {}],
  ['a folder, because mails go to a mail server', { DEV_MAILBOX: '1', SMTP_URL: 'smtp://127.0.0.1:1' }],
])('without %s there is no mailbox', async (_what, variables) => {
  const other = await startApp(variables)
  try {
    expect(
      (await other.call('GET', '/dev/mailbox', { headers: { accept: 'application/json' } })).text,
    ).not.toContain('"data"')
    expect((await other.call('GET', '/dev/mailbox')).status).not.toBe(200)
  } finally {
    await other.close()
  }
})
