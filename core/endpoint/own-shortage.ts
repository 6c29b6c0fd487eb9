import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Exchange } from '../domain/webhooks/answer/read-answer.ts'

/** Nothing was sent, for want of something of our own: the endpoint was not asked, and no attempt is used up (docs/contract.md §4). */
export function isOurs(exchange: Exchange): boolean {
  return exchange.kind === 'failure' && exchange.errorClass === 'internal_error'
}

/**
 * Why nothing more can be opened, where that is so. The system's resolver needs files and sockets, and without them says that there is
 * no such name.
 */
export function findShortage(): NodeJS.ErrnoException | undefined {
  try {
    closeSync(openSync(devNull, 'r'))
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
