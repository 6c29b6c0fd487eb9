import { setTimeout as sleep } from 'node:timers/promises'
import { mailSchema } from '#core/contract/mail.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { dropOutdatedNotices } from '#core/data/webhooks/health/drop-outdated-notices.ts'
import { endMail, markMailSent, postponeMail, type ClaimedMail } from '#core/data/outbox/due-mails.ts'
import { judgeMailFailure } from '#core/domain/mail/judge-mail-failure.ts'
import { judgeMailTry, secondsToNextTry, type MailTry } from '#core/domain/mail/try-schedule.ts'
import { failpoint } from '#core/failpoints.ts'
import type { MailedLead } from '#core/contract/market/client-notice.ts'
import { openMail } from '#core/mail/open-mail.ts'
import { renderMail, type RenderedMail } from '#core/mail/render-mail.ts'
import { signUnsubscription } from '#core/secrets/unsubscribe-token.ts'
import type { WorkerContext } from '#worker/context.ts'
import { readLeadsOfMail } from './read-leads-of-mail.ts'
import { describeMailFailure, readMailFailure } from '#core/domain/mail/read-mail-failure.ts'

export type MailContext = Pick<
  WorkerContext,
  'config' | 'db' | 'logger' | 'mailer' | 'metrics' | 'secrets' | 'unsubscribeKeys'
>

/** The mail server's answer to one try; undefined if it was not asked. `failure` holds only codes. */
export type ToldOfServer = { served: true } | { served: false; failure: string } | undefined

/**
 * Sends one mail and records the result. If the process is killed between the mail server's yes and PostgreSQL's
 * commit, the mail is sent again after its lease, under the same Message-ID. The reverse order would lose mails
 * instead.
 */
export async function sendMail(context: MailContext, claimed: ClaimedMail): Promise<ToldOfServer> {
  const data = await dropOutdatedNotices(context.db, claimed)
  if (data === undefined) return undefined
  const leads = await readLeadsOfMail(context.db, claimed)
  if (leads === 'unwanted') return undefined
  const mail = read(context, { ...claimed, data }, leads)
  if (mail === undefined) return await end(context, claimed, 'invalid_data')
  const made = { tries: claimed.tries, expiresAt: mail.expiresAt }
  const judged = judgeMailTry({ ...made, address: claimed.email, now: claimed.claimed_at })
  if (judged !== 'send') return await end(context, claimed, judged)
  try {
    await context.mailer.send({
      ...mail.rendered,
      id: claimed.id,
      created_at: claimed.created_at,
      to: { name: claimed.name, address: claimed.email },
    })
  } catch (error) {
    return await recordFailure(context, claimed, made, error)
  }
  await failpoint('after-mail')
  await write(context, claimed, () => markMailSent(context.db, claimed))
  context.metrics.countMail(kindOf(claimed), 'sent')
  context.logger.info({ mail_id: claimed.id, template: claimed.template }, 'mail sent')
  return { served: true }
}

/** Undefined if another try cannot help: another key sealed the mail, or its values do not fit its template. */
function read(
  { config, secrets, unsubscribeKeys }: MailContext,
  claimed: ClaimedMail,
  leads: readonly MailedLead[],
): { rendered: RenderedMail; expiresAt: Date | undefined } | undefined {
  try {
    const mail = mailSchema.parse(openMail(claimed, secrets))
    const rendered = renderMail(mail, {
      user_id: claimed.recipient_id,
      publicUrl: config.http.publicUrl,
      now: claimed.claimed_at,
      leads,
      unsubscribe: (notice) => signUnsubscription(unsubscribeKeys, { user_id: claimed.recipient_id, notice }),
    })
    return { rendered, expiresAt: 'expires_at' in mail.data ? new Date(mail.data.expires_at) : undefined }
  } catch {
    return undefined
  }
}

async function recordFailure(
  context: MailContext,
  claimed: ClaimedMail,
  made: Pick<MailTry, 'tries' | 'expiresAt'>,
  error: unknown,
): Promise<ToldOfServer> {
  const found = readMailFailure(error)
  const failure = describeMailFailure(found)
  const verdict = judgeMailFailure(found)
  const seconds = verdict === 'refused' ? undefined : secondsToNextTry(made)
  if (seconds === undefined) await end(context, claimed, failure)
  else {
    await write(context, claimed, () => postponeMail(context.db, claimed, { failure, seconds }))
    const fields = { mail_id: claimed.id, template: claimed.template, failure, again_in_seconds: seconds }
    if (verdict === 'deferred') context.logger.warn(fields, 'the mail server put a mail off')
    else context.logger.debug(fields, 'a mail waits for the mail server')
  }
  return verdict === 'unserved' ? { served: false, failure } : { served: true }
}

/** Gives the mail up. It is logged here once, because no step follows. */
async function end(context: MailContext, claimed: ClaimedMail, failure: string): Promise<undefined> {
  await write(context, claimed, () => endMail(context.db, claimed, failure))
  context.metrics.countMail(kindOf(claimed), failure === 'expired' ? 'expired' : 'failed')
  context.logger.warn(
    { mail_id: claimed.id, template: claimed.template, tries: claimed.tries, failure },
    failure === 'expired' ? 'a mail expired before it could be sent' : 'a mail was given up',
  )
  return undefined
}

/** Writes the result, however long PostgreSQL is away, like the record of a delivery's attempt. */
async function write(
  { logger }: MailContext,
  { id }: ClaimedMail,
  record: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await record()
    } catch (error) {
      if (isRefused(error)) throw error
      if (tries === 1 || tries % 30 === 0)
        logger.warn({ err: error, mail_id: id, tries }, 'what became of a mail is not recorded yet')
      await sleep(Math.min(100 * 2 ** tries, 2000) * (0.5 + Math.random()))
    }
  }
}

const kindOf = ({ sealed_data }: ClaimedMail) => (sealed_data === null ? 'notice' : 'account')
