import { sql, type Insertable, type Selectable } from 'kysely'
import type { FlowsTable } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import { FLOW_SECONDS } from '#server/accounts/auth-policy.ts'

export type Flow = Selectable<FlowsTable>

/** Begins a flow that another request ends. */
export async function insertFlow(db: Db, flow: Insertable<FlowsTable>): Promise<string> {
  const { id } = await db.insertInto('auth.flows').values(flow).returning('id').executeTakeFirstOrThrow()
  await forgetOldFlows(db)
  return id
}

export async function findFlow(db: Db, id: string): Promise<Flow | undefined> {
  return await db.selectFrom('auth.flows').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Takes the flow that a provider's answer names; its `state` never works again.
 * @param method oauth or sso/saml
 */
export async function takeFlowOfState(
  db: Db,
  stateHash: Buffer,
  method: string,
): Promise<(Flow & { is_expired: boolean }) | undefined> {
  return await db
    .updateTable('auth.flows')
    .set({ state_hash: null })
    .where('state_hash', '=', stateHash)
    .where('method', '=', method)
    .returningAll()
    .returning(sql<boolean>`created_at < now() - make_interval(secs => ${FLOW_SECONDS})`.as('is_expired'))
    .executeTakeFirst()
}

/** Stores the user that the flow has found: the client may now trade the code for a session. */
export async function issueFlowCode(
  db: Db,
  id: string,
  given: {
    user_id: string
    code_hash: Buffer
    provider_tokens_sealed?: string | null
    linking_person_sealed?: string
  },
): Promise<void> {
  await db
    .updateTable('auth.flows')
    .set({ ...given, code_issued_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** The flow of the shown code; not locked. */
export async function findFlowOfCode(db: Db, codeHash: Buffer): Promise<Flow | undefined> {
  return await db.selectFrom('auth.flows').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()
}

/** Takes the flow of the shown code, whether the verifier is right or wrong: a code is good for one try. */
export async function takeFlowOfCode(
  db: Db,
  codeHash: Buffer,
): Promise<(Flow & { is_expired: boolean }) | undefined> {
  // Locks the user's row first: ending all sessions also ends the codes that would open more, and happens
  // either before or after.
  await sql`
    select u.id from auth.users u join auth.flows f on f.user_id = u.id
    where f.code_hash = ${codeHash} for update of u`.execute(db)
  return await db
    .deleteFrom('auth.flows')
    .where('code_hash', '=', codeHash)
    .returningAll()
    .returning(sql<boolean>`code_issued_at < now() - make_interval(secs => ${FLOW_SECONDS})`.as('is_expired'))
    .executeTakeFirst()
}

/** Deletes codes that could still open sessions, when all sessions of the user end. */
export async function deleteFlowCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('auth.flows').where('user_id', '=', userId).where('code_hash', 'is not', null).execute()
}

/** A mail under PKCE may be opened a day later; no flow is needed longer. */
async function forgetOldFlows(db: Db): Promise<void> {
  await sql`
    delete from auth.flows where id in (
      select id from auth.flows where created_at < now() - interval '2 days' limit 20 for update skip locked)`.execute(
    db,
  )
}
