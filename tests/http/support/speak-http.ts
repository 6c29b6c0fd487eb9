import { once } from 'node:events'
import { createConnection } from 'node:net'
import { onTestFinished } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'

/** A raw connection for requests that no client sends. It stays open whatever the server does. */
export interface Line {
  /** local port, by which the server knows it */
  port: number
  say: (text: string) => void
  heard: () => string
  /** Returns everything received once it contains an answer of this status. */
  hears: (status: number) => Promise<string>
  /** Stops reading. */
  pause: () => void
  /** Reads one chunk, then stops. */
  takePiece: () => void
  hangUp: () => void
}

export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  let heard = ''
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('utf8')
  })
  // A server that hangs up during a write causes this error.
  socket.on('error', () => socket.destroy())
  return {
    port: socket.localPort ?? 0,
    say: (text) => void socket.write(text),
    heard: () => heard,
    hears: (status) =>
      waitUntil(() => heard.includes(`HTTP/1.1 ${status} `) && heard, { what: `The answer ${status}` }),
    pause: () => void socket.pause(),
    takePiece: () => {
      socket.once('data', () => socket.pause())
      socket.resume()
    },
    hangUp: () => socket.destroy(),
  }
}

/** Like openLine, closed at the end of the test. */
export async function openLineOfTest(url: string): Promise<Line> {
  const line = await openLine(url)
  onTestFinished(line.hangUp)
  return line
}

/** The first lines of a request. The test sends its body. */
export function headOf(line: string, headers: Record<string, string | number> = {}): string {
  const given = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${line} HTTP/1.1\r\n${given.join('')}\r\n`
}

/** One chunk of a chunked body. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
