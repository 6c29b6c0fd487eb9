import { sql } from 'kysely'

/**
 * Banned until later, or suspended by an administrator: all activity of the account stops at once. SQL on `u`
 * and its profile `p`.
 */
export const isBlocked = sql<boolean>`coalesce(u.banned_until > now(), false) or p.status <> 'active'`
