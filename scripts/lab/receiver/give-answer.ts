import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** A complete answer. */
export interface WholeAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
  delayMs?: number
  /** the answer waits for this */
  after?: Promise<unknown>
}

/**
 * `ok` is a good endpoint's; `hang` never answers, `reset` breaks the connection, `first-500` fails only a
 * delivery's first attempt.
 */
export type NamedAnswer =
  | 'ok'
  | 'hang'
  | 'reset'
  | 'first-500'
  | 'early'
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

/** An endpoint's answer: only a status, a complete answer, or a named kind. */
export type Answer = number | WholeAnswer | NamedAnswer

const OK: WholeAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"ok":true}',
  delayMs: 10,
}
const MEGABYTE = Buffer.alloc(1024 * 1024, 0x61)
const HUGE_BODY_MEGABYTES = 200

/** The status that the sender receives; null if it receives none that counts. */
export function statusOf(answer: Answer, attempt: number): number | null {
  if (typeof answer === 'number') return answer
  if (typeof answer === 'object') return answer.status
  switch (answer) {
    case 'ok':
    case 'early':
    case 'huge-body':
    case 'gzip-bomb':
    case 'gzip-thrice':
    case 'invalid-text':
      return 200
    case 'body-on-204':
      return 204
    case 'first-500':
      return attempt === 1 ? 500 : 200
    default:
      return null
  }
}

/** @param attempt of the delivery, from 1 */
export function giveAnswer(answer: Answer, attempt: number, response: ServerResponse): void {
  if (typeof answer === 'number') giveWhole({ status: answer }, response)
  else if (typeof answer === 'object') giveWhole(answer, response)
  else giveNamed(answer, attempt, response)
}

function giveWhole(
  { status, headers = {}, body = '', delayMs = 0, after }: WholeAnswer,
  response: ServerResponse,
) {
  const send = () => response.writeHead(status, headers).end(body)
  if (after !== undefined) void after.then(send)
  else if (delayMs === 0) send()
  else setTimeout(send, delayMs)
}

function giveNamed(answer: NamedAnswer, attempt: number, response: ServerResponse): void {
  const { socket } = response
  switch (answer) {
    case 'ok':
    case 'early':
      giveWhole(OK, response)
      break
    case 'first-500':
      giveWhole({ ...OK, status: attempt === 1 ? 500 : 200 }, response)
      break
    case 'hang':
      break
    case 'reset':
      socket?.resetAndDestroy()
      break
    case 'slow-headers':
      drip(response, 'HTTP/1.1 200 OK\r\nX-Slow: ')
      break
    case 'slow-body':
      drip(response, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
      break
    case 'huge-body':
      void pour(response.writeHead(200, { 'content-type': 'text/plain' }), HUGE_BODY_MEGABYTES)
      break
    case 'gzip-bomb':
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB())
      break
    case 'gzip-thrice':
      response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end(gzipSync(gzipSync(BOMB())))
      break
    case 'huge-header':
      response.writeHead(200, { 'x-huge': 'h'.repeat(20 * 1024) }).end()
      break
    case 'invalid-text':
      response.writeHead(200).end(Buffer.from([0, 0xff, 0xfe, 0, 0xc3, 0x28, 0xed, 0xa0, 0x80]))
      break
    case 'body-on-204':
      socket?.end('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello')
      break
    case 'wrong-length':
      socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\nConnection: close\r\n\r\nshort')
      break
    case 'reset-after-headers':
      socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nsho', () => {
        setTimeout(() => socket.resetAndDestroy(), 20)
      })
      break
  }
}

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
