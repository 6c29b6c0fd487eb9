import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNTS } from '#server/admission/limits.ts'
import { headOf, openLineOfTest } from '../support/speak-http.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { PNG } from './pictures.ts'

let app: TestApp
let owner: Person
let victim: Person
let secret: string
beforeAll(async () => {
  app = await startApp()
  owner = await app.newApprovedClient()
  victim = await app.newApprovedClient()
  secret = `${victim.id}/secret-${randomUUID()}.png`
  const where = `/storage/v1/object/evidence/${secret}`
  expect((await app.call('POST', where, { token: victim.token, body: PNG })).status).toBe(200)
})
afterAll(() => app.close())

/** Texts in every place where a name, a prefix or a column may stand. */
const hostile = (): string[] => [
  secret,
  `../${secret}`,
  `${owner.id}/../${secret}`,
  victim.id,
  `${victim.id}/`,
  '%',
  '_%',
  `${victim.id.slice(0, 8)}%`,
  "' or '1'='1",
  "'; drop table stored_files; --",
  '"); select pg_sleep(5); --',
  '$1',
  ':name',
  '\\',
  '\0',
  '\ud800',
  '\u202e',
  '..',
  '/',
  '//',
  '.',
  '{}',
  '[]',
  'null',
  '__proto__',
  'constructor',
  'a'.repeat(1024),
  'a/'.repeat(500),
  '(((((',
  '*',
  '𝕏'.repeat(200),
]

test('hostile texts in every call get nothing of another, and no fault of the server', async () => {
  const outcomes: unknown[] = []
  const say = async (method: string, where: string, body?: unknown): Promise<void> => {
    const { status, text } = await app.call(method, `/storage/v1${where}`, { token: owner.token, body })
    if (![200, 400].includes(status) || (text.includes('secret-') && !text.includes('"error":"')))
      outcomes.push({ method, where, body, status, text: text.slice(0, 200) })
  }
  for (const text of hostile()) {
    const encoded = text.split('/').map(encodeSafely).join('/')
    await say('POST', '/object/list/evidence', { prefix: text })
    await say('POST', '/object/list/evidence', { prefix: owner.id, search: text })
    await say('POST', '/object/list/evidence', { sortBy: { column: text, order: text } })
    await say('DELETE', '/object/evidence', { prefixes: [text, { name: text }] })
    await say('POST', '/object/move', { bucketId: 'evidence', sourceKey: text, destinationKey: text })
    await say('POST', '/object/copy', { bucketId: text, sourceKey: secret, destinationKey: `${owner.id}/a` })
    await say('POST', '/object/copy', {
      bucketId: 'evidence',
      sourceKey: text,
      destinationKey: `${owner.id}/a`,
    })
    await say('POST', '/object/sign/evidence', { expiresIn: 60, paths: [text] })
    await say('GET', `/object/evidence/${encoded}`)
    await say('GET', `/object/info/evidence/${encoded}`)
    await say('GET', `/object/sign/evidence/${secret}?token=${encodeSafely(text)}`)
    await say('GET', `/bucket/${encodeSafely(text)}`)
    await say('DELETE', `/object/evidence/${encoded}`)
  }
  expect(outcomes).toEqual([])
  const { status } = await app.call('GET', `/storage/v1/object/evidence/${secret}`, { token: victim.token })
  expect(status).toBe(200)
})

/** A lone surrogate has no escape. */
function encodeSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

test('slow uploads of an account delay neither its screens nor its downloads', async () => {
  const head = {
    Authorization: `Bearer ${owner.token}`,
    'Content-Type': 'image/png',
    'Content-Length': 1_000_000,
  }
  for (let at = 0; at < ACCOUNTS.uploadsTogether + 1; at += 1) {
    const line = await openLineOfTest(app.url)
    line.say(headOf(`POST /storage/v1/object/evidence/${owner.id}/slow-${at}.png`, head))
  }
  const ask = (where: string): ReturnType<TestApp['call']> => app.call('GET', where, { token: owner.token })
  expect((await ask('/api/v1/me')).status).toBe(200)
  expect((await ask('/storage/v1/bucket')).status).toBe(200)
  expect((await ask(`/storage/v1/object/evidence/${owner.id}/none.png`)).status).toBe(400)
})
