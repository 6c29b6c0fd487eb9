import type { ClientNotice } from '#core/contract/market/client-notice.ts'
import type { AccountNotices } from '#core/contract/market/client-account.ts'
import type { Db } from '../database.ts'
import { queueMails } from '../outbox/mails.ts'

/** The notices that a client may turn off; all others are always sent. */
const CHOICES: Partial<Record<ClientNotice['template'], keyof AccountNotices>> = {
  low_balance: 'low_balance',
  out_of_funds: 'out_of_funds',
  payment_received: 'payments',
  payment_failed: 'payments',
  payment_reversed: 'payments',
  return_decided: 'returns',
}

/**
 * Puts a mail to a client in the outbox, in the transaction of its cause, unless the client has turned this kind off.
 * @param key names the cause, so that it is told once
 */
export async function tellClient(trx: Db, userId: string, notice: ClientNotice, key: string): Promise<void> {
  const account = await trx
    .selectFrom('client_accounts')
    .select('notices')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const choice = CHOICES[notice.template]
  if (account === undefined || (choice !== undefined && account.notices[choice] === false)) return
  await queueMails(trx, [{ ...notice, recipient_user_id: userId, notice_key: key }])
}
