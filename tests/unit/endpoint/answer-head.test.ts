import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { watchAnswerHead } from '#core/endpoint/answer-head.ts'

/**
 * Returns the processor time, in milliseconds, for an answer that arrives byte by byte, and the bytes passed
 * on.
 */
function readByBytes(answer: string): { passed: string; cost: number } {
  const bytes = Buffer.from(answer, 'latin1')
  let at = 0
  const socket = new Socket()
  socket.read = () => (at < bytes.length ? bytes.subarray(at, (at += 1)) : null)
  watchAnswerHead(socket)
  const before = process.cpuUsage()
  let passed = ''
  for (let chunk = readFrom(socket); chunk !== null; chunk = readFrom(socket))
    passed += chunk.toString('latin1')
  const { user, system } = process.cpuUsage(before)
  return { passed, cost: (user + system) / 1000 }
}

function readFrom(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

it.each([
  ['empty lines', '\r\n'.repeat(8000)],
  ['a long interim answer', `HTTP/1.1 103 Hints\r\nlink: ${'a'.repeat(16_000)}\r\n\r\n`],
  ['interim answers and empty lines', 'HTTP/1.1 100 Continue\n\n\r\n\r\n\n'.repeat(99)],
])('reads each byte of %s once', (_what, before) => {
  const { passed, cost } = readByBytes(before + OK)
  expect(cost).toBeLessThan(500)
  expect(passed).toBe(OK)
})
