import { mailSchema } from '#core/contract/mail.ts'
import type { Db } from '#core/data/database.ts'
import { readNotices } from '#core/data/market/client-accounts.ts'
import { readMailedLeads } from '#core/data/market/notices/new-leads.ts'
import type { ClaimedMail } from '#core/data/outbox/due-mails.ts'
import { choiceOf } from '#core/contract/market/notice-choices.ts'
import type { MailedLead } from '#core/contract/market/client-notice.ts'

/**
 * The leads that a mail names, read just before it is sent; none for mails about anything else. 'unwanted': the client
 * has turned this kind off meanwhile, or has none of the leads any more. Such a mail is removed.
 */
export async function readLeadsOfMail(
  db: Db,
  claimed: ClaimedMail,
): Promise<readonly MailedLead[] | 'unwanted'> {
  const choice = choiceOf(claimed.template)
  if (choice === undefined) return []
  const account = await db
    .selectFrom('client_accounts')
    .select('notices')
    .where('user_id', '=', claimed.recipient_id)
    .executeTakeFirst()
  const chosen = account === undefined ? undefined : readNotices(account.notices)
  if (chosen?.[choice] === false) return await remove(db, claimed)
  const mail = mailSchema.safeParse(claimed).data
  if (mail?.template !== 'new_leads') return []
  const leads = await readMailedLeads(db, claimed.recipient_id, mail.data.lead_ids)
  if (leads.length === 0) return await remove(db, claimed)
  // The client may have turned this off while the mail waited.
  const names = mail.data.with_contacts && chosen?.lead_contacts === true
  return names ? leads : leads.map((lead) => ({ ...lead, name: null, phone: null, email: null }))
}

async function remove(db: Db, { id }: ClaimedMail): Promise<'unwanted'> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
  return 'unwanted'
}
