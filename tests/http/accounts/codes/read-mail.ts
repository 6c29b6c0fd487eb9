import type { AccountMail } from '#core/contract/mail.ts'
import { openMail } from '#core/mail/open-mail.ts'
import type { AuthContext } from '#server/accounts/auth-context.ts'

/** Returns the newest mail to this address, decrypted; undefined if there is none. */
export async function findMail(
  { context }: { context: Pick<AuthContext, 'db' | 'secrets'> },
  email: string,
): Promise<AccountMail | undefined> {
  const row = await context.db
    .selectFrom('mails')
    .selectAll()
    .where('recipient_address', '=', email)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : (openMail(row, context.secrets) as AccountMail)
}

/** Like findMail, but fails without a mail. */
export async function readMail(
  server: { context: Pick<AuthContext, 'db' | 'secrets'> },
  email: string,
): Promise<AccountMail> {
  const mail = await findMail(server, email)
  if (mail === undefined) throw new Error('no mail to this address')
  return mail
}
