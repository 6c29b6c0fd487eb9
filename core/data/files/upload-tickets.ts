import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Uses up the ticket of a signed or resumable upload, in the transaction that stores the file; forgets tickets that have expired.
 * @returns false if it was used before
 */
export async function useTicket(trx: Db, ticket: { id: string; expires_at: Date }): Promise<boolean> {
  await sql`delete from used_upload_tickets where expires_at < now() - interval '1 hour'`.execute(trx)
  const result = await sql`
    insert into used_upload_tickets (id, expires_at) values (${ticket.id}, ${ticket.expires_at})
    on conflict (id) do nothing`.execute(trx)
  return (result.numAffectedRows ?? 0n) > 0n
}

/** Whether the file of this ticket is stored. */
export async function isTicketUsed(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from used_upload_tickets where id = ${id}::uuid`.execute(db)
  return rows.length > 0
}
