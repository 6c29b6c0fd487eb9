import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { oauthError, sessionNotFound } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { lockSession } from '../sessions/data/sessions.ts'
import { useProof } from './data/used-proofs.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { linkIdentity } from './link-identity.ts'
import { findIssuer, readIdToken, type IdTokenGiven } from './read-id-token.ts'
import { personOfClaims } from './read-oidc-person.ts'
import { resolveAccount, type Resolution } from './resolve-account.ts'
import { openSession } from './open-session.ts'
import type { ProviderPerson } from './provider-person.ts'
import type { Principal } from '#server/identity/find-live-session.ts'

/**
 * Signs in by an id token that an app got from the provider's own library. Each token opens one session, so a
 * used one from a log or a cache is worthless.
 * @param given.linking the bearer, if the identity is to be added to its account
 */
export async function signInWithIdToken(
  context: AuthContext,
  given: IdTokenGiven & { redirectTo: string; linking: Principal | undefined },
  caller: Caller,
): Promise<LiveSession> {
  if (given.id_token === '') throw oauthError('invalid request', 'id_token required')
  const provider = findIssuer(context, given)
  const claims = await readIdToken(context, provider, given)
  const person = personOfClaims(provider, claims)
  const { linking, redirectTo } = given
  const end = { method: 'oauth', provider: provider.name, redirectTo, caller }
  return await openSession(context, end, async (trx) => {
    // The token without its signature: some algorithms allow a second valid form of it.
    const signed = given.id_token.replace(/\.[^.]*$/, '')
    if (!(await useProof(trx, ['id_token', signed], new Date(claims.exp * 1000))))
      return { refused: oauthError('invalid request', 'id_token has already been used') }
    if (linking !== undefined) return await linkToBearer(trx, person, linking, caller)
    return await resolveAccount(context, trx, { person, caller })
  })
}

async function linkToBearer(
  db: Db,
  person: ProviderPerson,
  { user_id, session_id }: Principal,
  caller: Caller,
): Promise<Resolution> {
  const linked = await linkIdentity(db, person, user_id, caller)
  // Checked after the account's row is locked: the session may have ended since the bearer was checked.
  if ('user_id' in linked && (await lockSession(db, session_id)) === undefined) throw sessionNotFound()
  return linked
}
