import { sql } from 'kysely'
import type { RevocationReach, RevocationReporter } from '#core/contract/leads/revocation.ts'
import type { RevocationDeadline } from '#core/domain/leads/revocation-deadline.ts'
import type { Db } from '../../database.ts'

/** The caller of a revocation, and what it reaches. */
export interface RevocationOrigin {
  reported_by: RevocationReporter
  reach: RevocationReach
  proof?: 'sms' | 'email'
  source_id?: string | null
  /** the client that reports it, or that its source names */
  client_user_id?: string | null
  /** the person who reports it */
  created_by?: string | null
  reason?: string | null
}

/** Writes a revocation that waits for an administrator. @returns its id */
export async function insertWaiting(
  trx: Db,
  origin: RevocationOrigin,
  leadIds: readonly string[],
): Promise<string> {
  const { id } = await trx
    .insertInto('revocations')
    .values({ ...origin, status: 'waiting', lead_ids: sql<string[]>`${[...leadIds]}::uuid[]` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes a revocation that takes effect now. @returns its id */
export async function insertInForce(
  trx: Db,
  origin: RevocationOrigin,
  at: Date,
  { due_on, due_at }: RevocationDeadline,
): Promise<string> {
  const { id } = await trx
    .insertInto('revocations')
    .values({ ...origin, status: 'in_force', revoked_at: at, due_on, due_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes a revocation back that added nothing. */
export async function removeRevocation(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('revocations').where('id', '=', id).execute()
}

/**
 * Decides a waiting revocation; an approved one takes effect now.
 * @returns whether it was waiting
 */
export async function decideRevocation(
  trx: Db,
  id: string,
  {
    by,
    note,
    inForce,
  }: { by: string; note: string | null; inForce: (RevocationDeadline & { at: Date }) | null },
): Promise<boolean> {
  const result = await trx
    .updateTable('revocations')
    .set({
      status: inForce === null ? 'declined' : 'in_force',
      decided_by: by,
      decided_at: sql<Date>`now()`,
      decision_note: note,
      ...(inForce !== null && { revoked_at: inForce.at, due_on: inForce.due_on, due_at: inForce.due_at }),
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Notes on the leads that consent was taken back; a lead that says so is never sold. @returns how many are new */
export async function markRevoked(
  trx: Db,
  leadIds: readonly string[],
  /** only leads of which the source names this client */
  owner: string | undefined,
): Promise<number> {
  const result = await sql`
    update leads set consent_revoked_at = now()
    where id = any(${[...leadIds]}::uuid[]) and consent_revoked_at is null
      and ${owner === undefined ? sql`true` : sql`user_id = ${owner}`}`.execute(trx)
  return Number(result.numAffectedRows ?? 0n)
}

/** A client that is told of a lead. */
export interface ToldHolder {
  lead_id: string
  client_user_id: string
}

/**
 * Notes everybody who holds or held these leads, or whom their source names, and was not told of the lead before. Erased
 * accounts are left out.
 * @param client only this one
 * @returns the new ones
 */
export async function insertHolders(
  trx: Db,
  revocationId: string,
  leadIds: readonly string[],
  { due_at, client }: { due_at: Date; client: string | undefined },
): Promise<ToldHolder[]> {
  const { rows } = await sql<ToldHolder>`
    with held as (
      select a.lead_id, a.client_user_id, case when a.state = 'active' then l.member_user_id else a.member_user_id end as member_user_id,
        a.state = 'active' as is_active
      from lead_assignments a join leads l on l.id = a.lead_id
      where a.lead_id = any(${[...leadIds]}::uuid[]) and a.state = 'active'
      union all
      select a.lead_id, a.client_user_id, a.member_user_id, false
      from lead_assignments a where a.lead_id = any(${[...leadIds]}::uuid[]) and a.state <> 'active'
      union all
      select l.id, l.user_id, l.member_user_id, false from leads l where l.id = any(${[...leadIds]}::uuid[]) and l.user_id is not null
    )
    insert into revocation_holders (revocation_id, lead_id, client_user_id, member_user_id, due_at)
    select distinct on (h.lead_id, h.client_user_id) ${revocationId}, h.lead_id, h.client_user_id, h.member_user_id, ${due_at}
    from held h join auth.users u on u.id = h.client_user_id and u.deleted_at is null
    where ${client === undefined ? sql`true` : sql`h.client_user_id = ${client}`}
    order by h.lead_id, h.client_user_id, h.is_active desc
    on conflict (lead_id, client_user_id) do nothing
    returning lead_id, client_user_id`.execute(trx)
  return rows
}

/** Notes with each holder of a revocation the event by which it is told. */
export async function noteRevokedEvents(trx: Db, revocationId: string): Promise<void> {
  await sql`
    update revocation_holders h set event_id = e.id from events e
    where h.revocation_id = ${revocationId} and e.lead_id = h.lead_id and e.client_user_id = h.client_user_id
      and e.type = 'lead.consent_revoked' and e.data ->> 'revocation_id' = ${revocationId}`.execute(trx)
}
