import { afterAll, describe, expect, it } from 'vitest'
import { createConnectionPools, type ConnectionPool } from '#core/endpoint/connection-pools.ts'
import { watchDialledAddresses } from '#core/endpoint/dial.ts'
import { OPEN_ACCESS } from '#core/endpoint/endpoint-access.ts'
import { UNWATCHED } from '#core/endpoint/tls/handshakes.ts'
import { exchangeOnce, type SendResult } from '#core/endpoint/exchange-once.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { Speak } from '#tests/support/peers/raw-server.ts'
import { allClosed, answering, closeLater, listen, requestTo, SHORT_MS } from './open-transport.ts'

const ORIGINS = 20
/** Every name resolves to this machine, so that each is an origin of its own. */
const guard = createAddressGuard(['127.0.0.0/8'], (_name, _options, callback) => {
  callback(null, [{ address: '127.0.0.1', family: 4 }])
})
const addresses = watchDialledAddresses()
afterAll(addresses.stop)

/** Sends one request each to many origins at once. */
async function sendToMany(
  port: number,
  agent: 'kept' | 'fresh',
): Promise<{ results: SendResult[]; pool: ConnectionPool }> {
  const pools = createConnectionPools(guard, {
    timeoutMs: SHORT_MS,
    connectionsPerOrigin: 4,
    handshakes: UNWATCHED,
  })
  closeLater(pools.close)
  return await pools.use(OPEN_ACCESS, async (pool) => {
    const clock = { startedAt: performance.now(), timeoutMs: SHORT_MS }
    const requests = Array.from({ length: ORIGINS }, (_unused, index) =>
      requestTo(`http://client-${index}.example.com:${port}/hook`),
    )
    const results = await Promise.all(
      requests.map((request) => exchangeOnce(pool[agent], addresses, request, clock, undefined)),
    )
    return { results, pool }
  })
}

const ENDPOINTS: ReadonlyArray<[string, Speak]> = [
  ['never answer', () => undefined],
  ['begin an answer and stop', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')],
  [
    'answer without end',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n${'x'.repeat(200_000)}`),
  ],
  ['hang up', (socket) => socket.destroy()],
  ['answer and close', answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')],
]

describe('an origin without connections', () => {
  it.each(ENDPOINTS)('is forgotten, also for endpoints that %s', async (_how, speak) => {
    for (const agent of ['kept', 'fresh'] as const) {
      const server = await listen(speak)
      const { results, pool } = await sendToMany(server.port, agent)

      expect(results).toHaveLength(ORIGINS)
      await allClosed(server)
      await expect.poll(() => Object.keys(pool[agent].stats)).toEqual([])
    }
  })
})
