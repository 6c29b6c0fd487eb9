// Crashes between a mail server's acceptance and PostgreSQL's commit.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { queueMails } from '#core/data/outbox/mails.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { noticeTo } from '#tests/support/given/due-mails.ts'
import { startMailServer } from '#tests/support/peers/mail-server.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

test('a worker dies after the mail server took a mail; after the lease the mail is sent once more, under the same Message-ID', async (context) => {
  const server = await startMailServer()
  context.onTestFinished(() => server.close())
  const { pipeline, client, worker } = await setUpCrashPoint(context, { env: { SMTP_URL: server.url } })
  await queueMails(pipeline.db, [noticeTo(client)])
  const row = () => pipeline.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  const doomed = await worker({ FAILPOINTS: 'after-mail=exit' })
  await doomed.ended()
  const left = await row()
  expect(left).toMatchObject({ tries: 1, sent_at: null })
  expect(left.next_try_at?.getTime()).toBeGreaterThan(Date.now())

  await worker()
  await sql`update mails set next_try_at = now()`.execute(pipeline.db)
  await waitUntil(async () => (await row()).sent_at !== null, { what: 'The mail being recorded as sent' })
  const ids = server.mails.map(({ content }) => /^Message-ID: (.*)$/im.exec(content)?.[1])
  expect(ids).toEqual([`<${left.id}@localhost>`, `<${left.id}@localhost>`])
})
