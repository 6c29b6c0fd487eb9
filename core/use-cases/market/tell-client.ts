import type { ClientNotice } from '#core/contract/market/client-notice.ts'
import { quietHoursSchema } from '#core/contract/market/client-account.ts'
import { choiceOf } from '#core/contract/market/notice-choices.ts'
import { endOfQuiet } from '#core/domain/market/notices/quiet-hours.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '#core/data/database.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { readNotices } from '#core/data/market/client-accounts.ts'

/**
 * Puts a mail to a client in the outbox, in the transaction of its cause, unless the client has turned this kind off. A
 * mail of a kind that clients choose waits for the end of the client's quiet hours.
 * @param key names the cause, so that it is told once
 * @param recipient the person of the account who gets it, if that is not the owner
 * @param now PostgreSQL's or the machine's time, by which the quiet hours are judged
 */
export async function tellClient(
  trx: Db,
  userId: string,
  notice: ClientNotice,
  key: string,
  now: Date = new Date(),
  recipient: string = userId,
): Promise<void> {
  const account = await trx
    .selectFrom('client_accounts')
    .select(['notices', 'quiet_hours', 'timezone'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (account === undefined) return
  const choice = choiceOf(notice.template)
  if (choice === undefined) {
    await queueMails(trx, [{ ...notice, recipient_user_id: recipient, notice_key: key }])
    return
  }
  if (!readNotices(account.notices)[choice]) return
  const { quiet_hours: stored, timezone } = account
  const hours = stored === null ? null : readStored(quietHoursSchema, stored, 'quiet hours')
  const at = endOfQuiet(hours, timezone, now)
  await queueMails(trx, [
    { ...notice, recipient_user_id: recipient, notice_key: key, ...(at > now && { not_before: at }) },
  ])
}
