import type { RequestHandler, Response } from 'express'
import { sendAuthError } from './answer-auth-error.ts'
import { AuthError } from './auth-error.ts'

/**
 * The wire's time limit for a request; the database's own limit is longer, so that a short outage can pass.
 */
const LIMIT_MS = 10_000

const timers = new WeakMap<Response, NodeJS.Timeout>()

/**
 * Tells a client that has waited for ten seconds to try again. The request may still be carried out: a repeat
 * is handled like any repeated request, and the handler's late answer is dropped (`answerAuthErrors`).
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

/**
 * Lifts the limit for requests that the authentication service passes on to others, who have their own
 * limits.
 */
export const leaveTime: RequestHandler = (_request, response, next) => {
  clearTimeout(timers.get(response))
  next()
}
