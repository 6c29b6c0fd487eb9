import type { Request } from 'express'
import type { Sender } from '../admission/sender.ts'
import type { Callers, Who } from './route.ts'
import { readCaller } from '../identity/caller.ts'

/** The name that a request's limits are counted by. */
export function nameSender(caller: Callers[Who], request: Request): Sender {
  if (caller === undefined) return { name: readCaller(request).network, isStranger: false }
  return { name: 'user_id' in caller ? caller.user_id : caller.source_id, isStranger: false }
}
