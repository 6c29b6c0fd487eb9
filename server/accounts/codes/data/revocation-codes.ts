import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { removeOldRevocationCodes } from '#core/data/leads/revocations/remove-old-codes.ts'
import { countWrongCode, readSpentSeconds } from './wrong-codes.ts'

/** A code for a contact; `mail` names the address to which it is mailed, and seals the mail's data. */
export interface NewRevocationCode {
  contact_mac: Buffer
  /** also those under older keys, whose codes end */
  contact_macs: readonly Buffer[]
  code_mac: Buffer
  seconds: number
  mail: { address: string; seal: (expiresAt: Date) => string } | undefined
}

/** Old codes that a new one removes at the most; a chore removes the others. */
const FEW = 20

/** Replaces the code of a contact, and removes codes that are over, with their mails. */
export async function replaceRevocationCode(trx: Db, given: NewRevocationCode): Promise<void> {
  await removeCodes(trx, given.contact_macs)
  await removeOldRevocationCodes(trx, FEW)
  const { id, expires_at } = await trx
    .insertInto('revocation_codes')
    .values({
      contact_mac: given.contact_mac,
      code_mac: given.code_mac,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${given.seconds})`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  if (given.mail === undefined) return
  const { id: mail_id } = await trx
    .insertInto('mails')
    .values({
      recipient_address: given.mail.address,
      template: 'revocation_code',
      data: '{}',
      sealed_data: given.mail.seal(expires_at),
      notice_key: id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.updateTable('revocation_codes').set({ mail_id }).where('id', '=', id).execute()
}

/** Judges a code in the caller's transaction, which must commit also if it is wrong. `over`: none is good any more. */
export async function judgeRevocationCode(
  trx: Db,
  given: { contact_macs: readonly Buffer[]; code_macs: readonly Buffer[]; mostWrong: number },
): Promise<'right' | 'wrong' | 'over'> {
  const kept = await trx
    .selectFrom('revocation_codes')
    .select(['id', 'contact_mac', 'code_mac', 'wrong_attempts'])
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('is_expired'))
    .where('contact_mac', 'in', given.contact_macs)
    .orderBy('created_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (kept === undefined) return 'over'
  const holder = { holder: kept.contact_mac, purpose: 'revocation' }
  if (
    kept.is_expired ||
    kept.wrong_attempts >= given.mostWrong ||
    (await readSpentSeconds(trx, holder)) > 0
  ) {
    await removeCodes(trx, given.contact_macs)
    return 'over'
  }
  if (given.code_macs.some((mac) => mac.equals(kept.code_mac))) {
    await removeCodes(trx, given.contact_macs)
    return 'right'
  }
  await trx
    .updateTable('revocation_codes')
    .set({ wrong_attempts: kept.wrong_attempts + 1 })
    .where('id', '=', kept.id)
    .execute()
  await countWrongCode(trx, holder)
  return 'wrong'
}

/** The mail has the address of a person without an account, so it goes with its code. */
async function removeCodes(trx: Db, macs: readonly Buffer[]): Promise<void> {
  await sql`
    with gone as (delete from revocation_codes where contact_mac = any(${[...macs]}::bytea[]) returning mail_id)
    delete from mails where id in (select mail_id from gone where mail_id is not null)`.execute(trx)
}
