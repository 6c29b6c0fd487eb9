import type { Request } from 'express'
import type { z } from 'zod'
import { anyObject } from '#core/contract/named-values.ts'
import { decodeText, parseJson } from '#server/http/body/decode-body.ts'
import { receiveBytes } from '#server/http/body/receive-bytes.ts'
import { AuthError } from './auth-error.ts'
import { JSON_LIMITS, LARGEST_BODY_BYTES } from '../auth-policy.ts'

/** Metadata that a sign-up stores with the account. */
export const metadataSchema = anyObject('must be an object')

/** Takes the bytes of any declared type; {@link readBody} parses them. */
export const receiveBody = receiveBytes(LARGEST_BODY_BYTES)

/**
 * Parses a JSON body. An empty body is an empty object, a null member an absent one, and unknown members are
 * dropped.
 * @throws AuthError bad_json if the body is no JSON of that shape
 */
export function readBody<Shape extends z.ZodType>(request: Request, schema: Shape): z.output<Shape> {
  const parsed = schema.safeParse(withoutNulls(readJson(request)))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw badJson(issue === undefined ? 'wrong shape' : `${issue.path.join('.') || 'body'}: ${issue.message}`)
}

/** The fields of a posted form, as OAuth providers and SAML send it. */
export function readForm(request: Request): URLSearchParams {
  return new URLSearchParams(decodeText(request) ?? '')
}

function readJson(request: Request): unknown {
  const text = decodeText(request)
  if (text === '') return {}
  const parsed = text === undefined ? undefined : parseJson(text, JSON_LIMITS)
  if (parsed?.ok !== true) throw badJson('invalid JSON')
  return parsed.value
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const given = value as Record<string, unknown>
  const nulls = new Set(Object.keys(given).filter((name) => given[name] === null))
  if (nulls.size === 0) return given
  return Object.fromEntries(Object.entries(given).filter(([name]) => !nulls.has(name)))
}

function badJson(reason: string): AuthError {
  return new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`)
}
