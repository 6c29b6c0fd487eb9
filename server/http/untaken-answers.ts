import { AppError } from '#core/errors.ts'
import { ACCOUNTS } from '#server/admission/limits.ts'
import type { Response } from 'express'

/** Answers of accounts that were made and not taken yet: they are in memory until they are. */
export interface UntakenAnswers {
  /** @throws AppError rate_limited while so much waits to be taken by this account that no more is made for it */
  admit: (account: string) => void
  /** So long an answer was written; it is counted until its connection has taken it, or is gone. */
  note: (account: string, length: number, response: Response) => void
}

export function createUntakenAnswers(): UntakenAnswers {
  const untaken = new Map<string, number>()
  const count = (account: string, length: number): void => {
    const left = (untaken.get(account) ?? 0) + length
    if (left === 0) untaken.delete(account)
    else untaken.set(account, left)
  }
  return {
    admit: (account) => {
      if ((untaken.get(account) ?? 0) <= ACCOUNTS.mostUntaken) return
      const detail = 'You have not read the answers of earlier requests. Read them, then ask again.'
      throw new AppError('rate_limited', detail, { retryAfterSeconds: 5 })
    },
    note: (account, length, response) => {
      if (length === 0 || response.closed) return
      count(account, length)
      response.once('close', () => count(account, -length))
    },
  }
}
