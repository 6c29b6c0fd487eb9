import type { Request } from 'express'
import type { ServerContext } from '../context.ts'
import type { Sender } from '../admission/sender.ts'
import { ADMITTED_MS } from '../http/mount-routes.ts'
import { nameSender } from '../http/name-sender.ts'
import { authenticate } from '../identity/authenticate.ts'
import { authoriseAgain } from '../identity/authorise.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { judgeAdmin } from '../identity/judge-admin.ts'
import { judgeServiceKey } from '../identity/judge-service-key.ts'
import { StorageFailure } from './storage-failure.ts'

/**
 * The service itself, or a signed-in person. `sender` is the name that limits count by; `known_since` is when the caller
 * was identified, in milliseconds of this process.
 */
export type StorageCaller = { sender: Sender; known_since: number } & (
  | { kind: 'service' }
  | { kind: 'person'; principal: Principal }
)

/**
 * Identifies the person who asks for files. Nobody else may have any, so a request without a person is refused here.
 * @throws AppError unauthenticated, invalid_token or forbidden; StorageFailure
 */
export async function identifyCaller(context: ServerContext, request: Request): Promise<StorageCaller> {
  const authorization = request.get('Authorization')
  const verdict = await judgeServiceKey(context, authorization)
  if (verdict === 'session_ended') throw new StorageFailure('bad_token', 'The session of this key has ended.')
  const known_since = performance.now()
  if (verdict === 'service')
    return { kind: 'service', sender: { name: 'service', isStranger: false }, known_since }
  const principal = await authenticate(context, authorization)
  if (principal.owes_factor)
    throw new StorageFailure(
      'not_allowed',
      'This account has a second factor. Enter its code, then try again.',
    )
  const sender = nameSender(principal, request)
  // Without its second factor an administrator's session has only a client's rights.
  if (principal.role === 'admin' && judgeAdmin(context, principal) !== 'allowed')
    return { kind: 'person', principal: { ...principal, role: 'client' }, sender, known_since }
  return { kind: 'person', principal, sender, known_since }
}

/**
 * Looks at a person again who has waited for others: the session may have ended meanwhile, or the role changed.
 * @throws AppError invalid_token, forbidden or mfa_required
 */
export async function admitAgain(context: ServerContext, caller: StorageCaller): Promise<void> {
  if (caller.kind === 'person' && performance.now() - caller.known_since > ADMITTED_MS)
    await authoriseAgain(context, caller.principal)
}
