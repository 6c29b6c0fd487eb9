import { sql } from 'kysely'

/** SQL on an account `a`: its founder acts for it, and not for the account of others, which they have joined. */
export const hasOwnAccount = sql<boolean>`not exists (
  select from account_members m where m.user_id = a.user_id and m.account_id <> a.user_id)`
