import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Exchange } from '../domain/webhooks/answer/read-answer.ts'

/**
 * Nothing was sent, because this machine lacked something: the endpoint was not asked, and no attempt is used up
 * (docs/contract.md §4).
 */
export function isOurs(exchange: Exchange): boolean {
  return exchange.kind === 'failure' && exchange.errorClass === 'internal_error'
}

/**
 * Finds out whether this process can open no further file or socket, and why. The system's resolver needs them, and
 * without them reports that the name does not exist.
 */
export function findShortage(): NodeJS.ErrnoException | undefined {
  try {
    closeSync(openSync(devNull, 'r'))
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
