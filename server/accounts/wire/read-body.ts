import express, { type Request, type RequestHandler } from 'express'
import type { z } from 'zod'
import { AuthError } from './auth-error.ts'
import { LARGEST_BODY_BYTES } from '../auth-policy.ts'

/** Takes the bytes whatever type they claim to be; {@link readBody} makes sense of them. */
export const receiveBody: RequestHandler = express.raw({ type: () => true, limit: LARGEST_BODY_BYTES })

/**
 * Parses a JSON body. An empty body is an empty object, a null member an absent one, and unknown members are dropped.
 * @throws AuthError bad_json for what is not JSON of that shape
 */
export function readBody<Shape extends z.ZodType>(request: Request, schema: Shape): z.output<Shape> {
  const parsed = schema.safeParse(withoutNulls(parseJson(request.body)))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw badJson(issue === undefined ? 'wrong shape' : `${issue.path.join('.') || 'body'}: ${issue.message}`)
}

function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // The parser's own message quotes the text around the fault, which may be a password.
    throw badJson('invalid JSON')
  }
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

function badJson(reason: string): AuthError {
  return new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`)
}
