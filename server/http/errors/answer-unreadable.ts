import type { Socket } from 'node:net'
import { describeProblem } from './handle-errors.ts'

/**
 * Answers a request that Node's parser refuses, which therefore reaches no route. One with an unknown method
 * still gets its problem document.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'HPE_INVALID_METHOD' || !socket.writable) {
    // The same statuses as Node's own: too large headers 431, too slow ones 408, all else 400.
    const status = STATUS[error.code ?? ''] ?? '400 Bad Request'
    if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    socket.destroy(error)
    return
  }
  const message = 'HTTP has no such method.'
  const problem = JSON.stringify(
    describeProblem({ code: 'method_not_allowed', status: 405, message, errors: [] }),
  )
  socket.end(
    [
      'HTTP/1.1 405 Method Not Allowed',
      'Connection: close',
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(problem)}`,
      '',
      problem,
    ].join('\r\n'),
  )
}

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
