import { createPrivateKey, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAuthority, selfSigned, type TestCertificate } from '#scripts/chaos/certificate.ts'
import { startHostileTlsServer } from '#scripts/lab/tls/start-tls-server.ts'
import { sendMutants } from '#scripts/mutants/send-mutants.ts'
import { startSenderProcess, type SenderProcess } from '#tests/support/processes/sender-process.ts'
import { closeLater, LONG_MS } from './open-transport.ts'

const ECDSA_P256 = 0x0403
const ECDSA_BRAINPOOL = 0x081a
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** Runs the exchange in a process that only sends, and returns its outcome; rejects if the process ends. */
describe('an endpoint whose certificate', () => {
  let sender: SenderProcess
  beforeAll(async () => {
    sender = await startSenderProcess()
  })
  afterAll(async () => {
    await sender.close()
  })

  const sendTo = async ({ cert, key }: TestCertificate, scheme: number, authority?: string) => {
    const pems = cert.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
    const server = await startHostileTlsServer({
      show: () => ({
        certificates: pems.map((pem) => new X509Certificate(pem).raw),
        key: createPrivateKey(key),
        scheme,
      }),
      answer: OK,
    })
    closeLater(server.close)
    const { outcomes } = await sender.send({
      url: `https://localhost:${server.port}/hook`,
      times: 3,
      timeoutMs: LONG_MS,
      ...(authority !== undefined && { authority }),
    })
    return outcomes
  }

  it.each([
    ['brainpoolP256r1', ECDSA_BRAINPOOL],
    ['secp256k1', ECDSA_P256],
  ] as const)(
    'has a key on %s is refused, whether it is trusted or not, and no process ends',
    async (curve, scheme) => {
      const shown = selfSigned('localhost', curve)
      expect(await sendTo(shown, scheme)).toEqual(['tls'])
      expect(await sendTo(shown, scheme, shown.cert)).toEqual(['tls'])
    },
  )

  it.each(['brainpoolP256r1', 'secp256k1'] as const)(
    'was issued by a key on %s is judged by its own key, and no process ends',
    async (curve) => {
      const authority = createTestAuthority(`Authority on ${curve}`, curve)
      const shown = authority.issue(['localhost'])
      const withIssuer = { ...shown, cert: shown.cert + authority.cert }
      expect(await sendTo(withIssuer, ECDSA_P256)).toEqual(['tls'])
      expect(await sendTo(withIssuer, ECDSA_P256, authority.cert)).toEqual(['200'])
      const other = authority.issue(['crm.example.com'])
      expect(await sendTo(other, ECDSA_P256, authority.cert)).toEqual(['tls'])
    },
  )
})

it('a randomly changed certificate ends no process, and not the check at save either', async () => {
  const { sent, ended, outcomes, refused } = await sendMutants({ seed: 1, count: 1000 })
  expect({ sent, ended }).toEqual({ sent: 1000, ended: [] })
  // Unchanged certificates, and those whose change OpenSSL ignores.
  expect(outcomes['200']).toBeGreaterThan(50)
  expect(outcomes['tls']).toBeGreaterThan(500)
  expect(refused).toBeGreaterThan(500)
})
