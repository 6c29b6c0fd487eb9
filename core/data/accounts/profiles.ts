import { sql } from 'kysely'
import type { Me } from '#core/contract/accounts/account.ts'
import type { Db } from '../database.ts'

/** Reads the answer of `GET /api/v1/me`, with the unread count counted now. */
export async function readMe(db: Db, userId: string): Promise<Me | undefined> {
  const { rows } = await sql<Me>`
    select p.user_id, p.email, p.name, p.role, p.balance, p.status, (
      select count(*)::int from lead_assignments a
      where a.client_user_id = p.user_id and a.state = 'active' and a.first_viewed_at is null
    ) as unread_lead_count
    from profiles p where p.user_id = ${userId}
  `.execute(db)
  return rows[0]
}

export async function changeName(db: Db, userId: string, name: string): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ name, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}
