import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** How an endpoint answers. `first-500` fails a delivery's first attempt alone; `close` keeps no connection, `retry-after <value>` throttles, `after <ms>` takes its time. */
export type Behaviour =
  | 'ok'
  | 'close'
  | 'hang'
  | 'reset'
  | 'first-500'
  | 'always-503'
  | 'early'
  | 'slow'
  | 'slow-headers'
  | 'slow-body'
  | 'huge-body'
  | 'gzip-bomb'
  | 'gzip-thrice'
  | 'huge-header'
  | 'invalid-text'
  | 'body-on-204'
  | 'wrong-length'
  | 'reset-after-headers'
  | `after ${number}`
  | `retry-after ${string}`

const DELAY_MS = 10
const SLOW_MS = 5000
const MEGABYTE = Buffer.alloc(1024 * 1024, 0x61)
const HUGE_BODY_MEGABYTES = 200

/** The status that the other side gets to see, null where it gets none that counts. */
export function statusOf(behaviour: Behaviour, attempt: number): number | null {
  if (behaviour.startsWith('retry-after')) return 429
  if (behaviour.startsWith('after')) return 200
  switch (behaviour) {
    case 'ok':
    case 'close':
    case 'early':
    case 'slow':
    case 'huge-body':
    case 'gzip-bomb':
    case 'gzip-thrice':
    case 'invalid-text':
      return 200
    case 'body-on-204':
      return 204
    case 'first-500':
      return attempt === 1 ? 500 : 200
    case 'always-503':
      return 503
    default:
      return null
  }
}

export function giveAnswer(behaviour: Behaviour, attempt: number, response: ServerResponse): void {
  const { socket } = response
  const status = statusOf(behaviour, attempt)
  if (behaviour.startsWith('retry-after ')) {
    response.writeHead(429, { 'retry-after': behaviour.slice('retry-after '.length) }).end()
    return
  }
  if (behaviour.startsWith('after ')) {
    setTimeout(() => response.writeHead(200).end(), Number(behaviour.slice('after '.length)))
    return
  }
  switch (behaviour) {
    case 'hang':
      return
    case 'close':
      response.writeHead(200, { connection: 'close' }).end()
      return
    case 'reset':
      socket?.resetAndDestroy()
      return
    case 'slow':
      setTimeout(() => response.writeHead(200).end(), SLOW_MS)
      return
    case 'slow-headers':
      drip(response, 'HTTP/1.1 200 OK\r\nX-Slow: ')
      return
    case 'slow-body':
      drip(response, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
      return
    case 'huge-body':
      void pour(response.writeHead(200, { 'content-type': 'text/plain' }), HUGE_BODY_MEGABYTES)
      return
    case 'gzip-bomb':
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB())
      return
    case 'gzip-thrice':
      response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end(gzipSync(gzipSync(BOMB())))
      return
    case 'huge-header':
      response.writeHead(200, { 'x-huge': 'h'.repeat(20 * 1024) }).end()
      return
    case 'invalid-text':
      response.writeHead(200).end(Buffer.from([0, 0xff, 0xfe, 0, 0xc3, 0x28, 0xed, 0xa0, 0x80]))
      return
    case 'body-on-204':
      socket?.end('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello')
      return
    case 'wrong-length':
      socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\nConnection: close\r\n\r\nshort')
      return
    case 'reset-after-headers':
      socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nsho', () => {
        setTimeout(() => socket.resetAndDestroy(), 20)
      })
      return
    default:
      setTimeout(() => response.writeHead(status ?? 200, OK_HEADERS).end('{"ok":true}'), DELAY_MS)
  }
}

const OK_HEADERS = { 'content-type': 'application/json' }

/** A hundred megabytes of one letter. */
let bomb: Buffer | undefined
function BOMB(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(100 * 1024 * 1024, 0x61))
  return bomb
}

function drip(response: ServerResponse, head: string): void {
  const { socket } = response
  if (socket === null) return
  socket.write(head)
  const timer = setInterval(() => socket.write('x'), 1000)
  socket.on('close', () => clearInterval(timer))
}

async function pour(response: ServerResponse, megabytes: number): Promise<void> {
  response.on('error', () => undefined)
  for (let sent = 0; sent < megabytes && !response.destroyed; sent += 1)
    if (!response.write(MEGABYTE)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  response.end()
}
