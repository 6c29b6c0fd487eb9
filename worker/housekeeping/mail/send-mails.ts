import {
  claimMail,
  giveUpMail,
  markMailFailed,
  markMailSent,
  type ClaimedMail,
} from '#core/data/outbox/mails.ts'
import { openMail } from '#core/mail/open-mail.ts'
import { renderMail, type RenderedMail } from '#core/mail/render-mail.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Sends what is due in the outbox of mails, one after the other, until nothing is or until one fails: the mail server may be
 * away, and a failed mail comes again at its own time. Several workers may do this at once.
 */
export async function sendMails(
  context: Pick<WorkerContext, 'config' | 'db' | 'logger' | 'mailer' | 'secrets'>,
): Promise<void> {
  const { db, logger, mailer } = context
  for (;;) {
    const mail = await claimMail(db)
    if (mail === undefined) return
    const rendered = await render(context, mail)
    if (rendered === undefined) continue
    try {
      await mailer.send({
        ...rendered,
        id: mail.id,
        created_at: mail.created_at,
        to: { name: mail.name, address: mail.email },
      })
    } catch (error) {
      // In codes only: a mail server's own words quote the address.
      const failure = describeFailure(error)
      await markMailFailed(db, mail.id, failure)
      logger.warn(
        { mail_id: mail.id, template: mail.template, failure, given_up: mail.retry_at === null },
        'a mail could not be sent',
      )
      return
    }
    await markMailSent(db, mail.id)
    logger.info({ mail_id: mail.id, template: mail.template }, 'mail sent')
  }
}

async function render(
  { config, db, logger, secrets }: Pick<WorkerContext, 'config' | 'db' | 'logger' | 'secrets'>,
  mail: ClaimedMail,
): Promise<RenderedMail | undefined> {
  try {
    return renderMail(openMail(mail, secrets), {
      user_id: mail.recipient_user_id,
      publicUrl: config.http.publicUrl,
    })
  } catch {
    await giveUpMail(db, mail.id, 'invalid_data')
    logger.error(
      { mail_id: mail.id, template: mail.template },
      'a mail could not be written and was given up',
    )
    return undefined
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return 'responseCode' in error && typeof error.responseCode === 'number'
    ? `${code} ${error.responseCode}`
    : code
}
