import type { Response } from 'express'
import { AppError } from '#core/errors.ts'
import { memoryOfProcess } from '#server/admission/memory.ts'

/** @throws AppError rate_limited while its sender has too many unread answers, so that no more are made */
export function refuseUnlessRead(sender: string): void {
  if (memoryOfProcess.hasRoom(sender, 0)) return
  const detail = 'You have not read the answers of earlier requests. Read them, then ask again.'
  throw new AppError('rate_limited', detail, { retryAfterSeconds: 5 })
}

/** An answer stays in memory until its connection has taken it or closed. */
export function holdUntilTaken(sender: string, length: number, response: Response): void {
  if (response.closed) return
  const { hold, end } = memoryOfProcess.open(sender)
  hold(length)
  response.once('close', end)
}
