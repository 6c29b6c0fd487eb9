import type { Request } from 'express'
import type { Sender } from '../admission/sender.ts'
import { readCaller } from '../identity/caller.ts'
import { blockOf } from '../identity/network-of.ts'
import type { Callers, Who } from './route.ts'

/**
 * The name that a request's limits are counted by. Anybody may open accounts, so accounts without approval
 * are counted together, by the block of addresses that they come from.
 */
export function nameSender(caller: Callers[Who], request: Request): Sender {
  if (caller === undefined) return { name: readCaller(request).network, isStranger: true }
  if ('source_id' in caller) return { name: caller.source_id, isStranger: false }
  // An administrator who views a client's screens uses up no limit of the client.
  if (caller.is_approved) return { name: caller.viewed_by ?? caller.account_id, isStranger: false }
  return { name: blockOf(readCaller(request).network), isStranger: true }
}
