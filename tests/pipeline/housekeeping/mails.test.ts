import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepContactMessage, removeContactMessages } from '#core/data/operations/contact-messages.ts'
import { queueMails, type QueuedMail } from '#core/data/outbox/mails.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { noticeTo, sendDueMails } from '#tests/support/given/due-mails.ts'
import { startMailServer, type MailServer } from '#tests/support/peers/mail-server.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

/** The refusal quotes the address, as mail servers do. */
const PUT_OFF = { at: 'RCPT', says: '450 <client@example.com> is busy' } as const

let pipeline: TestPipeline
let server: MailServer
let client: string

async function begin(variables: Record<string, string> = { SMTP_URL: server.url }): Promise<void> {
  pipeline = await startPipeline({ LOG_LEVEL: 'fatal', ...variables }, { worker: false })
  client = await givenClient(pipeline.db)
}

beforeEach(async () => {
  server = await startMailServer()
})
afterEach(async () => {
  await pipeline.close()
  await server.close()
})

const mail = (fields: { order_name?: string; notice_key?: string } = {}): QueuedMail =>
  noticeTo(client, { notice_key: 'order-1', ...fields })

const rows = () =>
  pipeline.db
    .selectFrom('mails')
    .select(['id', 'tries', 'sent_at', 'next_try_at', 'last_failure'])
    .orderBy('created_at')
    .execute()

test('a queued mail is sent once to its recipient’s address, and the same notice is never sent again', async () => {
  await begin()
  expect(await queueMails(pipeline.db, [mail(), mail()])).toBe(1)
  expect(await queueMails(pipeline.db, [mail()])).toBe(0)
  await Promise.all([sendDueMails(pipeline.context), sendDueMails(pipeline.context)])
  await sendDueMails(pipeline.context)

  expect(server.mails).toHaveLength(1)
  const [row] = await rows()
  expect(server.mails[0]).toMatchObject({ to: [`${client}@example.com`], from: 'no-reply@localhost' })
  expect(server.mails[0]?.content).toContain(`Message-ID: <${row?.id}@localhost>`)
  expect(row).toMatchObject({ tries: 1, next_try_at: null, last_failure: null })
  expect(row?.sent_at).toBeInstanceOf(Date)
})

test('a client’s input adds neither a header nor a recipient', async () => {
  await begin()
  await sql`update profiles set name = ${'A, <b@example.com>\r\nBcc: c@example.com'}`.execute(pipeline.db)
  await queueMails(pipeline.db, [mail({ order_name: 'CRM\r\nBcc: d@example.com\r\n\r\nbody' })])
  await sendDueMails(pipeline.context)

  const [received] = await server.waitForCount(1)
  const header = received?.content.slice(0, received.content.indexOf('\r\n\r\n')) ?? ''
  expect(received?.to).toEqual([`${client}@example.com`])
  expect(header).toContain('Subject:')
  expect(header).not.toMatch(/^bcc:/im)
})

test('a sender of the contact form without an account gets at most three confirmations a day; removing a message removes its mails', async () => {
  await begin()
  const message = {
    name: 'Rosa',
    email: 'rosa@example.com',
    topic: 'support' as const,
    message: 'One came twice.',
  }
  const keep = (at: number) =>
    keepContactMessage(pipeline.db, message, `LW-00000${at}`, { operator: 'desk@example.com', keptDays: 30 })
  for (let at = 1; at <= 4; at += 1) await keep(at)
  await sendDueMails(pipeline.context)

  const to = server.mails.map((one) => one.to[0] ?? '').toSorted((a, b) => a.localeCompare(b))
  expect(to).toEqual([
    ...Array<string>(4).fill('desk@example.com'),
    ...Array<string>(3).fill('rosa@example.com'),
  ])
  for (const { content } of server.mails) {
    expect(content).toContain('LW-00000')
    expect(content).not.toMatch(/Rosa|twice/)
  }
  const stored = await pipeline.db.selectFrom('mails').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('rosa')
  expect(await removeContactMessages(pipeline.db, new Date(Date.now() + 1000))).toBe(4)
  expect(await rows()).toEqual([])
})

test('a mail is delayed if its server defers it or is away, and only the codes of the answer are kept', async () => {
  await begin()
  server.answer(PUT_OFF)
  await queueMails(pipeline.db, [mail()])
  await sendDueMails(pipeline.context)
  const [refused] = await rows()
  expect(refused).toMatchObject({ tries: 1, sent_at: null })
  expect(refused?.last_failure).toMatch(/^E[A-Z]+ 450$/)
  expect(refused?.next_try_at?.getTime()).toBeGreaterThan(Date.now())

  server.answer()
  await sendDueMails(pipeline.context)
  expect(server.mails).toHaveLength(0)
  await sql`update mails set next_try_at = now()`.execute(pipeline.db)
  await sendDueMails(pipeline.context)
  expect(server.mails).toHaveLength(1)
})

test('a mail that was being sent when the process died is sent later', async () => {
  await begin()
  await queueMails(pipeline.db, [mail()])
  server.answer({ at: 'connection', says: 'nothing' })
  const doomed = startPipelineSend()
  await doomed.connected
  const [claimed] = await rows()
  expect(claimed).toMatchObject({ tries: 1, sent_at: null })
  expect(claimed?.next_try_at).not.toBeNull()

  server.answer()
  await sql`update mails set next_try_at = now()`.execute(pipeline.db)
  await sendDueMails(pipeline.context)
  expect(server.mails).toHaveLength(1)
  server.hangUp()
  await doomed.ended
}, 60_000)

test('a mail is given up after its last try, or if it cannot be written', async () => {
  await begin()
  server.answer(PUT_OFF)
  await queueMails(pipeline.db, [mail()])
  await sql`update mails set tries = 7`.execute(pipeline.db)
  await sendDueMails(pipeline.context)
  expect(await rows()).toMatchObject([{ tries: 8, next_try_at: null, sent_at: null }])

  await sql`delete from mails`.execute(pipeline.db)
  server.answer()
  await queueMails(pipeline.db, [mail(), mail({ notice_key: 'order-2' })])
  await sql`update mails set data = '{}' where notice_key = 'order-1'`.execute(pipeline.db)
  await sendDueMails(pipeline.context)
  expect(server.mails).toHaveLength(1)
  expect(new Set((await rows()).map((row) => row.last_failure))).toEqual(new Set(['invalid_data', null]))
})

test('without a mail server each mail is a file, which people can read as a mail and programs as JSON', async () => {
  await begin({})
  await queueMails(pipeline.db, [mail()])
  await sendDueMails(pipeline.context)

  const folder = pipeline.context.config.mail.folder
  const [row] = await rows()
  expect((await readdir(folder)).toSorted()).toEqual([`${row?.id}.eml`, `${row?.id}.json`])
  const kept = JSON.parse(await readFile(path.join(folder, `${row?.id}.json`), 'utf8')) as { subject: string }
  expect(kept).toMatchObject({
    to: `${client}@example.com`,
    subject: 'Your order “Texas, weekdays” was paused',
  })
  expect(await readFile(path.join(folder, `${row?.id}.eml`), 'utf8')).toContain(`To: Example Client`)
})

/** A sender whose mail server does not answer looks dead to PostgreSQL. */
function startPipelineSend(): { connected: Promise<unknown>; ended: Promise<void> } {
  const before = server.connections()
  const ended = sendDueMails(pipeline.context)
  return {
    ended,
    connected: waitUntil(() => server.connections() > before, { what: 'a connection to the mail server' }),
  }
}
