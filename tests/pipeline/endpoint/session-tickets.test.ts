import { createPrivateKey, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '#scripts/chaos/certificate.ts'
import { APPLICATION_DATA } from '#scripts/lab/tls/answer-handshake.ts'
import { pourTickets } from '#scripts/lab/tls/pour-tickets.ts'
import { startHostileTlsServer, type HostileTlsOrder } from '#scripts/lab/tls/start-tls-server.ts'
import { startSenderProcess, type SenderProcess } from '#tests/support/processes/sender-process.ts'
import { closeLater, LONG_MS } from './open-transport.ts'

const MEMORY_MB = 64
const ECDSA_P256 = 0x0403

/** Session tickets are not part of an answer, and a secure socket does not report them. */
describe('an endpoint that sends session tickets without an end', () => {
  let sender: SenderProcess
  beforeAll(async () => {
    sender = await startSenderProcess()
  })
  afterAll(async () => {
    await sender.close()
  })
  const shown = selfSigned('localhost')
  const sendTo = async (order: Omit<HostileTlsOrder, 'show'>) => {
    const server = await startHostileTlsServer({
      show: () => ({
        certificates: [new X509Certificate(shown.cert).raw],
        key: createPrivateKey(shown.key),
        scheme: ECDSA_P256,
      }),
      ...order,
    })
    closeLater(server.close)
    return await sender.send({
      url: `https://localhost:${server.port}/hook`,
      times: 5,
      timeoutMs: LONG_MS,
      authority: shown.cert,
    })
  }

  it.each<[string, string, Omit<HostileTlsOrder, 'show'>]>([
    ['at once', 'too_large', { afterwards: pourTickets }],
    [
      'after the head of its answer',
      '200',
      {
        answer: (socket, seal) => {
          socket.write(seal(APPLICATION_DATA, Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n')))
          pourTickets(socket, seal)
        },
      },
    ],
  ])('%s is disconnected after half a mebibyte (%s)', async (_when, outcome, order) => {
    const report = await sendTo(order)
    expect(report.outcomes).toEqual([outcome])
    expect(report.longestMs).toBeLessThan(LONG_MS / 2)
    expect(report.peakRssGrowthMb).toBeLessThan(MEMORY_MB)
  })
})
