import { sql } from 'kysely'
import type { ClientPerson } from '#core/contract/market/client-page.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { listSessionsOf } from '../sessions/list-own-sessions.ts'

/**
 * The people who can sign in to a client's account, for administrators.
 * @throws AppError not_found for an id that is no client's
 */
export async function listClientPeople(
  context: ServerContext,
  reader: Pick<Principal, 'admin_role'>,
  client: string,
): Promise<ClientPerson[]> {
  const { rows } = await sql<
    Omit<ClientPerson, 'sessions' | 'email_confirmed_at' | 'last_sign_in_at'> & {
      email_confirmed_at: Date | null
      last_sign_in_at: Date | null
    }
  >`
    select p.user_id, p.name, p.email::text, m.role as member_role, u.email_confirmed_at, u.last_sign_in_at,
      exists (select from auth.factors f where f.user_id = u.id and f.status = 'verified') as has_factor
    from (
      select user_id, role, created_at from account_members where account_id = ${client}
      union all
      select a.user_id, 'owner', a.created_at from client_accounts a
      where a.user_id = ${client} and not exists (select from account_members own where own.user_id = a.user_id)
    ) m join profiles p on p.user_id = m.user_id join auth.users u on u.id = m.user_id
    order by m.created_at, m.user_id`.execute(context.db)
  if (rows.length === 0) throw new AppError('not_found', 'Client not found')
  return await Promise.all(
    rows.map(async (row) => ({
      ...row,
      email_confirmed_at: row.email_confirmed_at?.toISOString() ?? null,
      last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
      sessions: await listSessionsOf(context, reader, row.user_id),
    })),
  )
}
