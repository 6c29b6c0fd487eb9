import type { Request } from 'express'
import type { ServerContext } from '../context.ts'
import type { Sender } from '../admission/sender.ts'
import { nameSender } from '../http/name-sender.ts'
import { authenticate } from '../identity/authenticate.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { judgeServiceKey } from '../identity/judge-service-key.ts'
import { StorageFailure } from './storage-failure.ts'

/** The service itself, or a signed-in person. `sender` is the name that limits count by. */
export type StorageCaller = { sender: Sender } & (
  | { kind: 'service' }
  | { kind: 'person'; principal: Principal }
)

/**
 * Who asks for files. There is nothing for anybody else, so a request without a person is refused here.
 * @throws AppError unauthenticated, invalid_token or forbidden; StorageFailure
 */
export async function identifyCaller(context: ServerContext, request: Request): Promise<StorageCaller> {
  const authorization = request.get('Authorization')
  const verdict = await judgeServiceKey(context, authorization)
  if (verdict === 'session_ended') throw new StorageFailure('bad_token', 'The session of this key has ended.')
  if (verdict === 'service') return { kind: 'service', sender: { name: 'service', isStranger: false } }
  const principal = await authenticate(context, authorization)
  if (principal.owes_factor)
    throw new StorageFailure(
      'not_allowed',
      'This account has a second factor. Enter its code, then try again.',
    )
  return { kind: 'person', principal, sender: nameSender(principal, request) }
}
