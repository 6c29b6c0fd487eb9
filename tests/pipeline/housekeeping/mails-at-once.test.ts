// Mails to one recipient wait for each other, and one worker sends each of them.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimMail } from '#core/data/outbox/due-mails.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { createSendMails } from '#worker/housekeeping/mail/send-mails.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenAccountMail, noticeTo, sendDueMails } from '#tests/support/given/due-mails.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { startMailServer, type MailServer } from '#tests/support/peers/mail-server.ts'

let pipeline: TestPipeline
let server: MailServer
let clients: string[]
let settles: Array<() => Promise<void>>

const addressOf = (client: string | undefined) => `${client}@example.com`
const receivers = () => server.mails.map(({ to }) => to[0])
const heldCount = (count: number) =>
  waitUntil(() => server.held().length === count, { what: `${count} mails without an answer` })

const settleAll = () => Promise.all(settles.map((settle) => settle()))

/** A worker's chore. Each call is one run; mails that are being sent continue after it. */
function startSender(): () => Promise<void> {
  const { sendMails, settle } = createSendMails(pipeline.context)
  settles.push(settle)
  return sendMails
}

beforeEach(async () => {
  settles = []
  server = await startMailServer()
  pipeline = await startPipeline({ LOG_LEVEL: 'fatal', SMTP_URL: server.url }, { worker: false })
  clients = await Promise.all(Array.from({ length: 12 }, () => givenClient(pipeline.db)))
})
afterEach(async () => {
  server.answer()
  server.release()
  await settleAll()
  await pipeline.close()
  await server.close()
})

test('five mails are in flight at once, on as many connections, and each is sent once', async () => {
  for (const client of clients) await givenAccountMail(pipeline.context, client)
  server.answer({ at: 'content', says: 'nothing' })
  const run = startSender()
  await run()
  await heldCount(5)
  server.answer()
  server.release()
  await server.waitForCount(12)

  expect(new Set(receivers())).toEqual(new Set(clients.map(addressOf)))
  expect(server.connections()).toBe(5)
})

test('a recipient whose mailbox hangs delays only his own mails', async () => {
  const [slow, ...others] = clients
  const all = [slow, slow, slow, slow, slow, slow, ...others].filter((one) => one !== undefined)
  await queueMails(
    pipeline.db,
    all.map((client) => noticeTo(client)),
  )
  server.answer({ at: 'RCPT', says: 'nothing', to: addressOf(slow) })
  const run = startSender()
  await run()
  await server.waitForCount(others.length)

  expect(server.held()).toEqual([addressOf(slow)])
  expect(new Set(receivers())).toEqual(new Set(others.map(addressOf)))
})

test('a new mail does not wait for one that hangs', async () => {
  const [slow, other] = clients
  await queueMails(pipeline.db, [noticeTo(slow ?? '')])
  server.answer({ at: 'RCPT', says: 'nothing', to: addressOf(slow) })
  const run = startSender()
  await run()
  await heldCount(1)
  await queueMails(pipeline.db, [noticeTo(other ?? '')])
  await run()
  await server.waitForCount(1)

  expect(receivers()).toEqual([addressOf(other)])
})

test('a mail with a code is sent before notices that have waited longer, and beside notices that hang', async () => {
  const [first, second, ...others] = clients
  await queueMails(
    pipeline.db,
    others.map((client) => noticeTo(client)),
  )
  await sql`update mails set next_try_at = now() - interval '1 hour'`.execute(pipeline.db)
  await givenAccountMail(pipeline.context, first ?? '')
  server.answer({ at: 'content', says: 'nothing' })
  const run = startSender()
  await run()
  await heldCount(4)
  expect(server.held()).toContain(addressOf(first))

  await givenAccountMail(pipeline.context, second ?? '')
  await run()
  await heldCount(5)
  expect(server.held()).toContain(addressOf(second))
})

test('a mail with a code is sent before a notice that was queued earlier', async () => {
  const [first, second] = clients
  await queueMails(pipeline.db, [noticeTo(second ?? '')])
  await givenAccountMail(pipeline.context, first ?? '')
  const claimed = await claimMail(pipeline.db, { leaseSeconds: 60, busy: [], withNotices: true })

  expect(claimed).toMatchObject({ recipient_id: first, tries: 1 })
})

test('two workers send no mail twice', async () => {
  await queueMails(
    pipeline.db,
    [...clients, ...clients, ...clients].map((client) => noticeTo(client)),
  )
  for (const client of clients) await givenAccountMail(pipeline.context, client)
  const send = () => sendDueMails(pipeline.context)
  await Promise.all([send(), send()])
  // Each worker leaves a recipient alone only during its run while the other's mail is in flight.
  await send()

  const ids = server.mails.map(({ content }) => /^Message-ID: (.*)$/im.exec(content)?.[1])
  expect(ids).toHaveLength(48)
  expect(new Set(ids).size).toBe(48)
})

test('a worker that has lost its lease neither ends nor postpones the mail of the new holder', async () => {
  const [client] = clients
  await queueMails(pipeline.db, [noticeTo(client ?? '')])
  server.answer({ at: 'RCPT', says: 'nothing' })
  const run = startSender()
  await run()
  await heldCount(1)
  await sql`update mails set next_try_at = now()`.execute(pipeline.db)
  const claim = { leaseSeconds: 3600, busy: [], withNotices: true }
  const claimed = await claimMail(pipeline.db, claim)
  expect(claimed).toMatchObject({ tries: 2 })
  server.hangUp()
  await settleAll()

  const row = await pipeline.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ tries: 2, last_failure: null })
  expect(row.next_try_at?.getTime()).toBeGreaterThan(Date.now() + 1_800_000)
})
