// A mail server's refusal may end one mail, or say nothing about it.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queueMails } from '#core/data/outbox/mails.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createSendMails } from '#worker/housekeeping/mail/send-mails.ts'
import { noticeTo, sendDueMails } from '#tests/support/given/due-mails.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { startMailServer, type MailAnswer, type MailServer } from '#tests/support/peers/mail-server.ts'
import { readSample } from '#tests/support/read-sample.ts'

let pipeline: TestPipeline
let server: MailServer
let client: string
let lines: Array<{ fields: Record<string, unknown>; message: string }>

/** Keeps log lines of the level warning and above. */
const context = () => {
  const say = (fields: Record<string, unknown>, message: string) => lines.push({ fields, message })
  return {
    ...pipeline.context,
    logger: Object.assign(createLogger('test', 'silent'), { warn: say, error: say }),
  }
}
const row = () =>
  pipeline.db
    .selectFrom('mails')
    .select(['id', 'tries', 'sent_at', 'next_try_at', 'last_failure'])
    .executeTakeFirstOrThrow()
const sample = async (name: string) =>
  readSample(await pipeline.context.metrics.registry.metrics(), name) ?? 0

beforeAll(async () => {
  server = await startMailServer()
  const url = server.url.replace('//', '//leadwire:example-password@')
  pipeline = await startPipeline({ LOG_LEVEL: 'fatal', SMTP_URL: url }, { worker: false })
  client = await givenClient(pipeline.db)
})
afterAll(async () => {
  await pipeline.close()
  await server.close()
})
beforeEach(async () => {
  lines = []
  server.answer()
  server.mails.length = 0
  // A kept connection gets no new greeting and does not log in again.
  server.hangUp()
  await sql`delete from mails`.execute(pipeline.db)
  await queueMails(pipeline.db, [noticeTo(client)])
})

describe('a refusal of the recipient or of the mail', () => {
  test.each<MailAnswer>([
    { at: 'RCPT', says: '550 no mailbox <client@example.com>' },
    { at: 'RCPT', says: '550-5.1.1 <client@example.com> is nobody\r\n550 5.1.1 here' },
    { at: 'RCPT', says: '551 client@example.com is elsewhere' },
    { at: 'RCPT', says: '553 no such name (#5.1.3)' },
    { at: 'RCPT', says: '501 5.1.3 bad address' },
    { at: 'RCPT', says: '552 5.2.2 client@example.com is over quota' },
    { at: 'RCPT', says: '556 5.1.10 example.com takes no mail' },
    { at: 'DATA', says: '554 no valid recipients' },
    { at: 'content', says: '554 client@example.com does not want this' },
    { at: 'content', says: '554 5.6.0 this cannot be read' },
  ])(
    'ends the mail at once, and one log line names its id and the codes alone: $at, $says',
    async (answer) => {
      const failed = await sample('leadwire_mails_finished_total{kind="notice",outcome="failed"}')
      server.answer(answer)
      await sendDueMails(context())
      await sendDueMails(context())

      const { id, ...ended } = await row()
      expect(ended).toMatchObject({ tries: 1, sent_at: null, next_try_at: null })
      expect(ended.last_failure).toMatch(
        new RegExp(`^E[A-Z]+ ${answer.says.slice(0, 3)}( 5[.]\\d+[.]\\d+)?$`),
      )
      expect(lines).toHaveLength(1)
      expect(lines[0]?.fields).toMatchObject({ mail_id: id, failure: ended.last_failure })
      expect(JSON.stringify(lines)).not.toContain('example.com')
      expect(await sample('leadwire_mails_finished_total{kind="notice",outcome="failed"}')).toBe(failed + 1)
    },
  )
})

describe('a refusal of the installation, or a temporary one', () => {
  test.each<MailAnswer>([
    { at: 'connection', says: '554 your network is not welcome' },
    { at: 'connection', says: '421 too many connections' },
    { at: 'AUTH', says: '535 5.7.8 wrong password' },
    { at: 'AUTH', says: '550 5.1.1 this is no answer to a login' },
    { at: 'MAIL', says: '530 5.7.0 log in first' },
    { at: 'MAIL', says: '550 5.1.8 no such sender' },
    { at: 'RCPT', says: '503 5.5.1 not now' },
    { at: 'RCPT', says: '530 5.7.0 encrypt first' },
    { at: 'RCPT', says: '554 5.7.1 <client@example.com>: relay access denied' },
    { at: 'RCPT', says: '553 not one of ours (#5.7.1)' },
    { at: 'RCPT', says: '550 5.1.8 no such sender' },
    { at: 'RCPT', says: '552 too many recipients' },
    { at: 'RCPT', says: '450 4.2.1 busy' },
    { at: 'RCPT', says: '550 4.2.1 busy' },
    { at: 'DATA', says: '421 4.3.2 going down' },
    { at: 'content', says: '451 4.3.0 out of memory' },
    { at: 'content', says: '550 5.7.26 your domain signs nothing' },
  ])('loses no mail: $at, $says', async (answer) => {
    server.answer(answer)
    await sendDueMails(context())
    const waiting = await row()
    expect(waiting).toMatchObject({ tries: 1, sent_at: null })
    expect(waiting.next_try_at?.getTime()).toBeGreaterThan(Date.now())
    expect(JSON.stringify(lines)).not.toContain('client@')

    server.answer()
    await sql`update mails set next_try_at = now()`.execute(pipeline.db)
    await sendDueMails(context())
    expect(server.mails).toHaveLength(1)
    expect((await row()).sent_at).toBeInstanceOf(Date)
  })
})

test('an unreachable mail server is reported once, each run tries one mail, and no mail is lost', async () => {
  const others = await Promise.all(Array.from({ length: 9 }, () => givenClient(pipeline.db)))
  await queueMails(
    pipeline.db,
    others.map((other) => noticeTo(other)),
  )
  const { sendMails, settle } = createSendMails(context())
  const run = async (): Promise<number> => {
    await sendMails()
    await settle()
    const { rows } = await sql<{ n: number }>`select sum(tries)::int as n from mails`.execute(pipeline.db)
    return rows[0]?.n ?? 0
  }
  server.answer({ at: 'AUTH', says: '535 wrong password' })
  let tries = 0
  while (tries < 5) tries = await run()
  expect(await run()).toBe(tries + 1)
  expect(await run()).toBe(tries + 2)
  expect(lines.map(({ message }) => message)).toEqual([
    'the mail server did not take a mail; it is tried again',
    'the mail server takes no mail; one at a time is tried until it does',
  ])

  server.answer()
  await sql`update mails set next_try_at = now()`.execute(pipeline.db)
  await run()
  await run()
  expect(server.mails).toHaveLength(10)
})

test('a mail to an account without an address ends at once, and is reported once', async () => {
  await sql`update profiles set email = '' where user_id = ${client}`.execute(pipeline.db)
  await sendDueMails(context())
  await sql`update profiles set email = ${`${client}@example.com`} where user_id = ${client}`.execute(
    pipeline.db,
  )

  expect(await row()).toMatchObject({ next_try_at: null, last_failure: 'no_address' })
  expect(lines).toHaveLength(1)
})
