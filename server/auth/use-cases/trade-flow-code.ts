import { z } from 'zod'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../auth-error.ts'
import type { Caller } from '../caller.ts'
import { isUserBlocked } from '../data/blocks.ts'
import { takeFlowOfCode } from '../data/flows.ts'
import type { LiveSession } from '../describe-session.ts'
import { hashFlowCode } from '../flow-code.ts'
import { fitsChallenge } from '../read-pkce.ts'
import { startSession } from './start-session.ts'

/** What a provider gave us for the user, sealed in the flow until the client fetches it. */
export const providerTokensSchema = z.object({
  provider_token: z.string().optional(),
  provider_refresh_token: z.string().optional(),
})
export type ProviderTokens = z.infer<typeof providerTokensSchema>

/**
 * Ends a PKCE flow (RFC 7636): the code that the redirect carried, and the verifier that only the client knows, for a session.
 * The code is spent by one try, so that who intercepts it cannot guess on.
 */
export async function tradeFlowCode(
  context: AuthContext,
  given: { auth_code: string; code_verifier: string },
  caller: Caller,
): Promise<LiveSession & { extra: ProviderTokens }> {
  const { db, secrets } = context
  const flow = await takeFlowOfCode(db, hashFlowCode(given.auth_code))
  if (flow === undefined || flow.user_id === null)
    throw new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found')
  if (flow.is_expired)
    throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired')
  if (!fitsChallenge(given.code_verifier, flow)) {
    const message = 'code challenge does not match previously saved code verifier'
    throw new AuthError(400, 'bad_code_verifier', message)
  }
  const { user_id, method, provider, provider_tokens_sealed: sealed } = flow
  if (await isUserBlocked(db, user_id)) throw new AuthError(403, 'user_banned', 'User is banned')
  // The claim names a provider only where it is a company's.
  const proof = method === 'sso/saml' && provider !== null ? { method, provider } : { method }
  const live = await db.transaction().execute((trx) => startSession(trx, user_id, proof, caller))
  const extra = sealed === null ? {} : providerTokensSchema.parse(JSON.parse(secrets.open(sealed)))
  return { ...live, extra }
}
