import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isBlocked } from './is-blocked.ts'

/**
 * The confirmed email addresses of the people of an account, in lower case and in alphabetical order. A person who is
 * suspended or banned alone, not with the whole account, has none.
 * @param member only this person's
 */
export async function listProvenAddresses(db: Db, account: string, member?: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select lower(u.email) as email from (
      select user_id from account_members where account_id = ${account} and role <> 'none'
      union
      select ${account}::uuid where not exists (select from account_members where user_id = ${account})
    ) m join auth.users u on u.id = m.user_id join profiles p on p.user_id = u.id
    where (u.id = ${account} or not (${isBlocked})) and u.email <> '' and u.email_confirmed_at is not null and u.deleted_at is null
      and (${member ?? null}::uuid is null or u.id = ${member ?? null}::uuid)
    order by 1`.execute(db)
  return rows.map(({ email }) => email)
}
