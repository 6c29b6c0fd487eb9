import { sql } from 'kysely'
import type { AccountMail, Notice } from '#core/contract/mail.ts'
import type { Db } from '../database.ts'

/** A mail that is to be sent. `notice_key` names what it tells: the same notice goes to the same person once. */
export type QueuedMail = Notice & { recipient_user_id: string; notice_key: string }

/** A mail that this caller may send now; nobody else tries it before `retry_at`. */
export interface ClaimedMail {
  id: string
  template: string
  data: unknown
  /** where it is not null, the data are in here */
  sealed_data: string | null
  created_at: Date
  recipient_user_id: string
  email: string
  name: string
  /** null: this was the last try */
  retry_at: Date | null
}

/**
 * Minutes from a try to the next, so that a mail server that is away for a day loses nothing. After the last it is given up.
 * They also stand for the case that the process dies while it sends.
 */
const WAITS_MINUTES = [1, 5, 15, 60, 180, 360, 720]

/** Puts mails in the outbox. Call it in the transaction of what they tell. @returns how many are new */
export async function queueMails(db: Db, mails: readonly QueuedMail[]): Promise<number> {
  if (mails.length === 0) return 0
  const result = await db
    .insertInto('mails')
    .values(
      mails.map(({ recipient_user_id, template, data, notice_key }) => ({
        recipient_user_id,
        template,
        data: JSON.stringify(data),
        notice_key,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0n)
}

/**
 * Puts a mail that lets somebody in into the outbox, in the transaction that made what it carries.
 * @param mail.address where it goes, whatever the account's own address is
 * @param mail.sealed its data, sealed by SECRETS_KEY
 */
export async function queueAccountMail(
  db: Db,
  mail: { recipient_user_id: string; address: string; template: AccountMail['template']; sealed: string },
): Promise<void> {
  await db
    .insertInto('mails')
    .values({
      recipient_user_id: mail.recipient_user_id,
      recipient_address: mail.address,
      template: mail.template,
      data: '{}',
      sealed_data: mail.sealed,
      // Each is another: a second request for a link is a second mail.
      notice_key: sql<string>`uuid_v7()::text`,
    })
    .execute()
}

/** The mail that has been due longest, with this try counted. */
export async function claimMail(db: Db): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    update mails m
    set tries = m.tries + 1, next_try_at = now() + make_interval(mins => (${WAITS_MINUTES}::int[])[m.tries + 1])
    from profiles p
    where p.user_id = m.recipient_user_id and m.id = (
      select id from mails where next_try_at <= now() order by next_try_at limit 1 for update skip locked)
    returning m.id, m.template, m.data, m.sealed_data, m.created_at, m.recipient_user_id,
      coalesce(m.recipient_address, p.email) as email, p.name,
      m.next_try_at as retry_at
  `.execute(db)
  return rows[0]
}

export async function markMailSent(db: Db, id: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ sent_at: sql<Date>`now()`, next_try_at: null, last_failure: null, sealed_data: null })
    .where('id', '=', id)
    .execute()
}

/** @param failure what went wrong, in codes: a mail server's own words may quote the address */
export async function markMailFailed(db: Db, id: string, failure: string): Promise<void> {
  await db.updateTable('mails').set({ last_failure: failure }).where('id', '=', id).execute()
}

/** A mail that can never be sent: nothing is gained by trying again. */
export async function giveUpMail(db: Db, id: string, failure: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ last_failure: failure, next_try_at: null, sealed_data: null })
    .where('id', '=', id)
    .execute()
}
