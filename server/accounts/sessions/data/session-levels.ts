import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { Session } from './sessions.ts'

/** Methods of the claim `amr` that make a session aal2. */
export const SECOND_FACTOR_METHODS = { totp: 'totp', phone: 'mfa/phone' } as const

/** Raises a session to aal2 after a second factor, with the factor's method first. */
export async function raiseSession(
  db: Db,
  session: Session,
  factor: { id: string; factor_type: keyof typeof SECOND_FACTOR_METHODS },
): Promise<Session> {
  const method = SECOND_FACTOR_METHODS[factor.factor_type]
  const others = session.amr.filter((proof) => proof.method !== method)
  const amr = [{ method, timestamp: Math.floor(Date.now() / 1000) }, ...others]
  return await db
    .updateTable('auth.sessions')
    .set({ aal: 'aal2', amr: JSON.stringify(amr), factor_id: factor.id })
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lowers the sessions that a removed factor had raised to aal1. Their access tokens are lowered too. */
export async function lowerSessionsOfFactor(db: Db, factorId: string): Promise<void> {
  const methods = Object.values(SECOND_FACTOR_METHODS)
  await db
    .updateTable('auth.sessions')
    .set({
      aal: 'aal1',
      factor_id: null,
      amr: sql<string>`(
        select coalesce(jsonb_agg(proof order by place), '[]')
        from jsonb_array_elements(amr) with ordinality as proofs (proof, place)
        where proof ->> 'method' <> all (${methods}))`,
    })
    .where('factor_id', '=', factorId)
    .execute()
}

/** Ends the user's aal1 sessions, except one. */
export async function deleteLowSessions(db: Db, userId: string, keep: string): Promise<void> {
  await db
    .deleteFrom('auth.sessions')
    .where('user_id', '=', userId)
    .where('aal', '=', 'aal1')
    .where('id', '<>', keep)
    .execute()
}
