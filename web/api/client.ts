import type { z } from 'zod'
import { authClient } from '../session/auth-client.ts'
import { noteServerTime } from '../session/server-clock.ts'
import { ApiError } from './errors.ts'
import { keepDigits } from './keep-digits.ts'
import { readProblem } from './read-problem.ts'

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  body?: unknown
  /**
   * JSON text that is sent byte for byte instead of `body`, because parsing would lose key order or digits.
   */
  jsonText?: string
  /** Bytes that are sent as they are instead of `body`. */
  bytes?: Blob
  /** Makes a write safe to repeat (docs/contract.md §4); give the same key to every try of one action. */
  idempotencyKey?: string
  /** Keeps numbers of the answer as they are written if the schema takes text for them (keep-digits.ts). */
  keepsDigits?: true
  /** The mark after which a stream continues. */
  lastEventId?: string
  signal?: AbortSignal
}

/**
 * Calls the server as the signed-in user and validates the answer.
 * @param path from the root, with the query: `/api/v1/leads?limit=5`, `/functions/v1/webhook-delivery`
 * @throws {ApiError} if no answer came, it is not a 2xx, or it does not match the schema
 */
export async function request<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options: RequestOptions = {},
): Promise<z.output<Schema>> {
  const { status, text } = await exchange(path, options)
  const parsed = schema.safeParse(parseBody(text, options.keepsDigits === true ? keepDigits : undefined))
  if (parsed.success) return parsed.data
  throw new ApiError(
    'unexpected_answer',
    status,
    'The server gave an answer this page does not understand. Reload the page.',
    [],
    parsed.error,
  )
}

/** Like {@link request}, but returns the exact text of the answer. */
export async function requestText(path: string, options: RequestOptions = {}): Promise<string> {
  return (await exchange(path, options)).text
}

/** Like {@link request}, but returns the answer as soon as it begins, to read it as a stream. */
export async function open(path: string, options: RequestOptions = {}): Promise<Response> {
  const response = await ask(path, options)
  if (!response.ok) throw readProblem(response.status, parseBody(await response.text()))
  return response
}

async function exchange(path: string, options: RequestOptions) {
  const response = await open(path, options)
  return { status: response.status, text: await response.text() }
}

async function ask(path: string, options: RequestOptions) {
  let response = await send(path, options)
  // The token may have expired or been revoked meanwhile. We ask for a fresh one once; without one the
  // session is over.
  if (response.status === 401) {
    const { error } = await authClient.refreshSession()
    if (error === null) response = await send(path, options)
    else if (error.status !== undefined && error.status < 500) await authClient.signOut({ scope: 'local' })
  }
  return response
}

async function send(path: string, options: RequestOptions) {
  const { method = 'GET', body, jsonText, bytes, idempotencyKey, lastEventId, signal } = options
  const content = bytes ?? jsonText ?? (body === undefined ? undefined : JSON.stringify(body))
  const { data } = await authClient.getSession()
  const headers = new Headers({ accept: 'application/json' })
  if (data.session !== null) headers.set('authorization', `Bearer ${data.session.access_token}`)
  if (content !== undefined)
    headers.set('content-type', bytes === undefined ? 'application/json' : 'application/octet-stream')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
  try {
    const response = await fetch(path, {
      method,
      headers,
      ...(content === undefined ? {} : { body: content }),
      ...(signal === undefined ? {} : { signal }),
    })
    noteServerTime(response)
    return response
  } catch (cause) {
    if (signal?.aborted === true) throw cause
    throw new ApiError('network', 0, 'The server did not answer.', [], cause)
  }
}

function parseBody(text: string, revive?: typeof keepDigits): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text, revive)
  } catch {
    // For instance a proxy's HTML page; the schema then refuses it.
    return undefined
  }
}
