import { z } from 'zod'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, userBanned } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { isUserBlocked } from '#server/identity/data/blocks.ts'
import { findFlowOfCode, takeFlowOfCode, type Flow } from './data/flows.ts'
import { lockIdentity } from '../people/data/identities.ts'
import type { LiveSession } from './describe-session.ts'
import { hashFlowCode } from './flow-code.ts'
import { linkIdentity } from '../providers/link-identity.ts'
import { providerPersonSchema, type ProviderPerson } from '../providers/provider-person.ts'
import { fitsChallenge } from './read-pkce.ts'
import { startSession } from './start-session.ts'

/** The provider's tokens for the user, sealed in the flow until the client fetches them. */
export const providerTokensSchema = z.object({
  provider_token: z.string().optional(),
  provider_refresh_token: z.string().optional(),
})
export type ProviderTokens = z.infer<typeof providerTokensSchema>

/**
 * Ends a PKCE flow (RFC 7636): trades the code that the redirect carried, and the verifier that only the
 * client knows, for a session.
 * One try uses the code up, so that somebody who intercepts it cannot guess on.
 */
export async function tradeFlowCode(
  context: AuthContext,
  given: { auth_code: string; code_verifier: string },
  caller: Caller,
): Promise<LiveSession & { extra: ProviderTokens }> {
  const code_hash = hashFlowCode(given.auth_code)
  // A refusal is a value, so that the used-up code is committed.
  const traded = await context.db.transaction().execute(async (trx) => {
    const person = readLinking(context, await findFlowOfCode(trx, code_hash))
    // Locked before the account's row, as everywhere that identities change; another order could deadlock.
    if (person !== undefined) await lockIdentity(trx, person.provider, person.provider_id)
    const flow = await takeFlowOfCode(trx, code_hash)
    return await openByFlow(context, trx, { flow, person, code_verifier: given.code_verifier }, caller)
  })
  if (traded instanceof AuthError) throw traded
  return traded
}

interface Shown {
  flow: Awaited<ReturnType<typeof takeFlowOfCode>>
  person: ProviderPerson | undefined
  code_verifier: string
}

async function openByFlow(
  { secrets }: AuthContext,
  db: Db,
  { flow, person, code_verifier }: Shown,
  caller: Caller,
): Promise<(LiveSession & { extra: ProviderTokens }) | AuthError> {
  if (flow === undefined || flow.user_id === null)
    return new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found')
  if (flow.is_expired)
    return new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired')
  if (!fitsChallenge(code_verifier, flow)) {
    const message = 'code challenge does not match previously saved code verifier'
    return new AuthError(400, 'bad_code_verifier', message)
  }
  const { user_id, method, provider, provider_tokens_sealed: sealed } = flow
  if (await isUserBlocked(db, user_id)) return userBanned()
  if (person !== undefined) {
    const linked = await linkIdentity(db, person, user_id, caller)
    if ('refused' in linked) return linked.refused
  }
  // The claim names a provider only if it is a company's.
  const proof = method === 'sso/saml' && provider !== null ? { method, provider } : { method }
  const live = await startSession(db, user_id, proof, caller)
  const extra = sealed === null ? {} : providerTokensSchema.parse(JSON.parse(secrets.open(sealed)))
  return { ...live, extra }
}

/** The person that this trade links to the account, if any. */
function readLinking({ secrets }: AuthContext, flow: Flow | undefined): ProviderPerson | undefined {
  const sealed = flow?.linking_person_sealed ?? null
  return sealed === null ? undefined : providerPersonSchema.parse(JSON.parse(secrets.open(sealed)))
}
