import { useServiceKey } from '#core/data/accounts/service-keys.ts'
import { readBearer, verifyAccessToken } from './access-token.ts'
import { hasSession } from './data/principals.ts'
import type { IdentityContext } from './identity-context.ts'
import { isUuid } from './is-uuid.ts'

/**
 * `none`: the bearer is no service key, but may be anything else; `session_ended`: it belonged to a session
 * that has ended.
 */
export type ServiceVerdict = 'service' | 'session_ended' | 'none'

/**
 * THE answer to "does the service itself ask?" (`leadwire service-keys make` makes its key). A revoked key is none.
 */
export async function judgeServiceKey(
  context: IdentityContext,
  authorization: string | undefined,
): Promise<ServiceVerdict> {
  const token = readBearer(authorization)
  const verified = token === undefined ? undefined : await verifyAccessToken(context, token)
  if (verified?.ok !== true || !verified.claims.isService) return 'none'
  const { session_id, service_key_id: keyId } = verified.claims
  if (keyId !== undefined && !isUuid(keyId)) return 'none'
  if (!(await useServiceKey(context.db, keyId))) return 'none'
  if (session_id === undefined) return 'service'
  return isUuid(session_id) && (await hasSession(context.db, session_id)) ? 'service' : 'session_ended'
}
