import type { QueuedMail } from '#core/data/outbox/mails.ts'
import { queueAccountMail } from '#core/data/outbox/mails.ts'
import type { AccountMail } from '#core/contract/mail.ts'
import { createSendMails } from '#worker/housekeeping/mail/send-mails.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Runs the chore once and waits for all that it has started. */
export async function sendDueMails(context: WorkerContext): Promise<void> {
  const { sendMails, settle } = createSendMails(context)
  await sendMails()
  await settle()
}

let notices = 0

/** Queues a notice; each is a different one unless `notice_key` is given. */
export function noticeTo(
  recipient: string,
  fields: { order_name?: string; notice_key?: string } = {},
): QueuedMail {
  notices += 1
  return {
    recipient_user_id: recipient,
    notice_key: fields.notice_key ?? `order-${notices}`,
    template: 'order_paused',
    data: { order_name: fields.order_name ?? 'Texas, weekdays', reason: null },
  }
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

/** Queues a mail with a code, and with a link if that lives longer, as the server does. */
export async function givenAccountMail(
  { db, secrets }: Pick<WorkerContext, 'db' | 'secrets'>,
  recipient: string,
  lives: { codeSeconds: number; linkSeconds?: number } = { codeSeconds: 300 },
): Promise<void> {
  const { codeSeconds, linkSeconds } = lives
  const address = `${recipient}@example.com`
  const data: AccountMail['data'] = {
    address,
    code: '246810',
    code_expires_at: inSeconds(codeSeconds),
    url: linkSeconds === undefined ? null : 'https://leads.example.com/auth/v1/verify?token=example',
    expires_at: inSeconds(linkSeconds ?? codeSeconds),
  }
  await queueAccountMail(db, {
    recipient_user_id: recipient,
    address,
    template: linkSeconds === undefined ? 'account_code' : 'account_magic_link',
    sealed: secrets.seal('mails.sealed_data', JSON.stringify(data)),
  })
}
