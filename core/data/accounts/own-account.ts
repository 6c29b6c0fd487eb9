import { sql } from 'kysely'

/** SQL on an account `a`: its founder acts for it, and not for the account of others, which they have joined. */
export const hasOwnAccount = sql<boolean>`not exists (
  select from account_members m where m.user_id = a.user_id and m.account_id <> a.user_id)`

/**
 * SQL on an account `a` with its profile `p`: whether it is a client's. The account of a person who is invited as an
 * administrator is not, unless it was approved as a client's before.
 */
export const isOfClient = sql<boolean>`(p.role = 'client' and (p.admin_role is null or a.status <> 'onboarding'))`
