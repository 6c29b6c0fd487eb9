import type { RequestHandler, Response } from 'express'
import { sendAuthError } from './answer-auth-error.ts'
import { AuthError } from './auth-error.ts'

/** What the wire gives a request; the database's own limit is longer, for a moment of its absence to pass. */
const LIMIT_MS = 10_000

const timers = new WeakMap<Response, NodeJS.Timeout>()

/**
 * Tells a client that has waited for ten seconds to come back. What it asked for may still be done: a repeat meets that as it
 * meets any earlier request, and what the handler says to it then goes nowhere (`answerAuthErrors`).
 */
export const answerInTime: RequestHandler = (request, response, next) => {
  const timer = setTimeout(() => {
    if (response.headersSent) return
    const message = 'Processing this request timed out, please retry after a moment.'
    sendAuthError(request, response, new AuthError(504, 'request_timeout', message))
  }, LIMIT_MS)
  timers.set(response, timer)
  response.once('close', () => clearTimeout(timer))
  next()
}

/** For what the authentication service does not know and leaves to others, whose times are their own. */
export const leaveTime: RequestHandler = (_request, response, next) => {
  clearTimeout(timers.get(response))
  next()
}
