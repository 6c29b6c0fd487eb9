import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { askForBody } from '#core/http/ask-for-body.ts'

const MAX_BODY_BYTES = 1024 * 1024
const SAFE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

type Headers = Readonly<Record<string, string>>

/** The raw bytes, read up to the limit; the connection deals with the rest (core/http). */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer | 'too large'> {
  askForBody(request, response)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return 'too large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The fields of a JSON or form body; undefined for any other. */
export function readFields(request: IncomingMessage, body: Buffer): unknown {
  const text = body.toString('utf8')
  if (header(request, 'content-type')?.startsWith('application/json') !== true) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One header, or null if it is missing or repeated. */
export function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

export function respond(response: ServerResponse, status: number, headers: Headers = {}, body = ''): void {
  response.writeHead(status, { ...SAFE_HEADERS, ...headers }).end(body)
}

export function respondJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Headers = {},
): void {
  respond(response, status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
}

/** A script gets JSON; a form sent without one is redirected to the page. */
export function respondToForm(request: IncomingMessage, response: ServerResponse, state: unknown): void {
  if (header(request, 'accept')?.includes('text/html') === true) respond(response, 303, { location: '/' })
  else respondJson(response, 200, state)
}

/** Sends a file of this folder. */
export async function respondFile(
  response: ServerResponse,
  name: string,
  contentType: string,
): Promise<void> {
  const body = await readFile(new URL(name, import.meta.url), 'utf8')
  respond(response, 200, { 'content-type': contentType }, body)
}
