import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A mail that this caller may send until its lease ends; no other worker tries it before. */
export interface ClaimedMail {
  id: string
  template: string
  data: unknown
  /** if not null, it holds the data: a code or a link that somebody waits for */
  sealed_data: string | null
  created_at: Date
  /** by PostgreSQL's clock */
  claimed_at: Date
  /**
   * mails with the same id are sent one after the other: the account's id, the id of the message that the mail
   * answers, or its own
   */
  recipient_id: string
  /** empty if the account has none */
  email: string
  name: string
  /** tries including this one; the fence against earlier claims */
  tries: number
}

/** Selects the mail that may be claimed. */
export interface MailClaim {
  /** after this another worker may try it, because the sender has died */
  leaseSeconds: number
  /** recipients, by `recipient_id`, whose mails are left alone */
  busy: readonly string[]
  /** false: only mails that somebody waits for */
  withNotices: boolean
}

/** Mails about the person, and not about the account that has their id. */
const OF_PERSONS = [
  'administrator_role',
  'second_factor_reset',
  'adjustment_waits',
  'member_invited',
  'member_joined',
  'member_role',
  'member_removed',
  'member_gone',
  'account_handed_over',
  'export_ready',
]

/**
 * SQL on a mail `own`: its reader. What is about an account whose founder owns it no more goes to the owner who has been
 * there longest.
 */
const reader = sql`coalesce(
  case when own.recipient_address is null and own.template <> all(${OF_PERSONS}::text[]) then (
    select o.user_id from account_members f join account_members o on o.account_id = f.account_id and o.role = 'owner'
    where f.user_id = own.recipient_user_id and f.account_id = f.user_id and f.role <> 'owner'
    order by o.created_at, o.user_id limit 1) end,
  own.recipient_user_id)`

/**
 * Claims the mail that has been due longest, and counts this try: a mail with a try and without a failure is under way.
 * Mails that somebody waits for go first; those are the sealed ones.
 */
export async function claimMail(db: Db, claim: MailClaim): Promise<ClaimedMail | undefined> {
  const busy = [...claim.busy]
  const { rows } = await sql<ClaimedMail>`
    update mails m
    set tries = m.tries + 1, last_failure = null, next_try_at = now() + make_interval(secs => ${claim.leaseSeconds})
    from mails own
      left join profiles p on p.user_id = ${reader}
      left join contact_messages c on c.id = own.contact_message_id
    where own.id = m.id and m.id = coalesce(
      (select id from mails
        where next_try_at <= now() and sealed_data is not null
          and coalesce(recipient_user_id, contact_message_id, id) <> all(${busy}::uuid[])
        order by next_try_at limit 1 for update skip locked),
      (select id from mails
        where next_try_at <= now() and sealed_data is null
          and coalesce(recipient_user_id, contact_message_id, id) <> all(${busy}::uuid[]) and ${claim.withNotices}::boolean
        order by next_try_at limit 1 for update skip locked))
    returning m.id, m.template, m.data, m.sealed_data, m.created_at, now() as claimed_at,
      coalesce(m.recipient_user_id, m.contact_message_id, m.id) as recipient_id,
      coalesce(m.recipient_address, p.email, c.email) as email, case when m.template = 'member_invited' then '' else coalesce(p.name, '') end as name, m.tries
  `.execute(db)
  return rows[0]
}

/** Marks a mail that the server accepted as sent, also if another worker holds its lease by now. */
export async function markMailSent(db: Db, { id }: Pick<ClaimedMail, 'id'>): Promise<void> {
  await db
    .updateTable('mails')
    .set({ sent_at: sql<Date>`now()`, next_try_at: null, last_failure: null, sealed_data: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Has a mail tried again, unless another worker claimed it meanwhile.
 * @param failure the fault in codes: a mail server's own words may quote the address
 */
export async function postponeMail(
  db: Db,
  { id, tries }: Pick<ClaimedMail, 'id' | 'tries'>,
  { failure, seconds }: { failure: string; seconds: number },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ last_failure: failure, next_try_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('next_try_at', 'is not', null)
    .execute()
}

/**
 * Ends a mail that is not to be sent, and removes its data; `failure` gives the reason. It does nothing if another
 * worker claimed it meanwhile.
 */
export async function endMail(
  db: Db,
  { id, tries }: Pick<ClaimedMail, 'id' | 'tries'>,
  failure: string,
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ last_failure: failure, next_try_at: null, sealed_data: null })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('next_try_at', 'is not', null)
    .execute()
}

/**
 * Mails that are neither sent nor given up: their number, and how long the oldest has waited; a row for each kind that
 * has any.
 */
export async function readWaitingMails(
  db: Db,
): Promise<Array<{ is_awaited: boolean; count: number; oldest_seconds: number }>> {
  const { rows } = await sql<{ is_awaited: boolean; count: number; oldest_seconds: number }>`
    select sealed_data is not null as is_awaited, count(*)::int as count,
      extract(epoch from now() - min(created_at))::float8 as oldest_seconds
    from mails where next_try_at is not null group by 1
  `.execute(db)
  return rows
}
