// A mail is useless once the code or link in it has expired.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queueMails } from '#core/data/outbox/mails.ts'
import { givenAccountMail, noticeTo, sendDueMails } from '#tests/support/given/due-mails.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { startMailServer, type MailServer } from '#tests/support/peers/mail-server.ts'
import { readSample } from '#tests/support/read-sample.ts'

let pipeline: TestPipeline
let server: MailServer
let client: string

const row = () => pipeline.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
const sample = async (name: string) =>
  readSample(await pipeline.context.metrics.registry.metrics(), name) ?? 0
const secondsAhead = (moment: Date | null): number => ((moment?.getTime() ?? 0) - Date.now()) / 1000

beforeAll(async () => {
  server = await startMailServer()
  pipeline = await startPipeline({ LOG_LEVEL: 'fatal', SMTP_URL: server.url }, { worker: false })
  client = await givenClient(pipeline.db)
})
afterAll(async () => {
  await pipeline.close()
  await server.close()
})
beforeEach(async () => {
  server.answer()
  server.mails.length = 0
  await sql`delete from mails`.execute(pipeline.db)
})

test('a mail with an expired code is not sent: it ends as expired, and its content is removed', async () => {
  await givenAccountMail(pipeline.context, client, { codeSeconds: -1 })
  await sendDueMails(pipeline.context)

  expect(server.mails).toHaveLength(0)
  expect(await row()).toMatchObject({
    sent_at: null,
    next_try_at: null,
    last_failure: 'expired',
    sealed_data: null,
  })
  expect(await sample('leadwire_mails_finished_total{kind="account",outcome="expired"}')).toBe(1)
})

test('a mail with a valid link and an expired code is sent without the code', async () => {
  await givenAccountMail(pipeline.context, client, { codeSeconds: -1, linkSeconds: 3600 })
  await sendDueMails(pipeline.context)

  const [mail] = await server.waitForCount(1)
  expect(mail?.content).toContain('/auth/v1/verify')
  expect(mail?.content).not.toContain('246810')
})

test('a postponed code is tried again until it expires, as often as needed', async () => {
  server.answer({ at: 'RCPT', says: '451 try later' })
  await givenAccountMail(pipeline.context, client, { codeSeconds: 300 })
  await sendDueMails(pipeline.context)
  expect(secondsAhead((await row()).next_try_at)).toBeLessThan(30)

  await sql`update mails set tries = 20, next_try_at = now()`.execute(pipeline.db)
  await sendDueMails(pipeline.context)
  const again = await row()
  expect(again).toMatchObject({ tries: 21, last_failure: 'EENVELOPE 451' })
  expect(secondsAhead(again.next_try_at)).toBeGreaterThan(0)
})

test('a mail that is given up keeps none of its content', async () => {
  server.answer({ at: 'RCPT', says: '550 5.1.1 nobody' })
  await givenAccountMail(pipeline.context, client)
  await sendDueMails(pipeline.context)

  expect(await row()).toMatchObject({
    next_try_at: null,
    sealed_data: null,
    last_failure: 'EENVELOPE 550 5.1.1',
  })
})

test('a notice whose process died during its last try is given up', async () => {
  await queueMails(pipeline.db, [noticeTo(client)])
  await sql`update mails set tries = 8`.execute(pipeline.db)
  await sendDueMails(pipeline.context)

  expect(await row()).toMatchObject({ next_try_at: null, last_failure: 'interrupted' })
})

test('the metrics tell how many mails wait, and the age of the oldest of each kind', async () => {
  await queueMails(pipeline.db, [noticeTo(client), noticeTo(client)])
  await sql`update mails set created_at = now() - interval '1 hour'`.execute(pipeline.db)
  await givenAccountMail(pipeline.context, client)
  await waitUntil(async () => (await sample('leadwire_waiting_mails{kind="notice"}')) === 2, {
    what: 'The database being asked anew',
  })

  expect(await sample('leadwire_waiting_mails{kind="account"}')).toBe(1)
  expect(await sample('leadwire_oldest_waiting_mail_age_seconds{kind="notice"}')).toBeGreaterThanOrEqual(3600)
  expect(await sample('leadwire_oldest_waiting_mail_age_seconds{kind="account"}')).toBeLessThan(3600)
})
