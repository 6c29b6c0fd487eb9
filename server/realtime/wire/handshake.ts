import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WIRE_VERSIONS, type WireVersion } from './frames.ts'

export const SOCKET_PATH = '/realtime/v1/websocket'

/** The wishes of a client that opens a socket. */
export interface Handshake {
  version: WireVersion
  /** the app's public key or a token; a join without a token of its own uses it */
  key: string
}

/** An answer that opens no socket. */
export interface HandshakeRefusal {
  status: 400 | 401 | 429 | 503
  error: string
}

const REASONS: Readonly<Record<HandshakeRefusal['status'], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

/** Whether the request wants a socket here; any other request with `Upgrade` is answered like one without. */
export function wantsSocket({ method, url = '', headers }: IncomingMessage): boolean {
  const [path] = url.split('?', 1)
  return method === 'GET' && path === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket'
}

export function readHandshake(url: string): Handshake | HandshakeRefusal {
  const query = new URL(url, 'http://localhost').searchParams
  const vsn = query.get('vsn') ?? '1.0.0'
  const version = WIRE_VERSIONS.find((known) => known === vsn)
  if (version === undefined) return { status: 400, error: `The vsn must be ${WIRE_VERSIONS.join(' or ')}` }
  const key = query.get('apikey') ?? ''
  return key === '' ? { status: 401, error: 'API key is missing' } : { version, key }
}

/** Answers in JSON, as the client library's realtime service does, and closes the connection. */
export function refuseHandshake(socket: Duplex, { status, error }: HandshakeRefusal): void {
  const body = JSON.stringify({ error })
  // A client that keeps its side open holds no connection.
  socket.once('finish', () => socket.destroy())
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      'Cache-Control: no-store',
      'Access-Control-Allow-Origin: *',
      ...(status === 429 || status === 503 ? ['Retry-After: 10'] : []),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}
