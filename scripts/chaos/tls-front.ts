import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import type { TestCertificate } from './certificate.ts'

/** A TLS proxy with its own certificate in front of a plain listener. */
export async function startTlsFront(
  certificate: TestCertificate,
  targetPort: number,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer(certificate, (secure) => {
    const target = connect(targetPort, '127.0.0.1')
    secure.on('error', () => target.destroy())
    target.on('error', () => secure.destroy())
    secure.pipe(target).pipe(secure)
  })
  // A client that refuses the certificate hangs up, as intended.
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
    },
  }
}
