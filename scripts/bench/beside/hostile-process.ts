import { createPrivateKey, X509Certificate } from 'node:crypto'
import { pourTickets } from '#scripts/lab/tls/pour-tickets.ts'
import { startHostileTlsServer } from '#scripts/lab/tls/start-tls-server.ts'

/** The job of a process with a hostile endpoint. */
export interface HostileJob {
  /** PEM, one after the other */
  certificates: string
  key: string
  scheme: number
  /** session tickets without an end; an answer where not */
  poursTickets: boolean
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'

process.on('message', ({ certificates, key, scheme, poursTickets }: HostileJob) => {
  const pems = certificates.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
  const show = {
    certificates: pems.map((pem) => new X509Certificate(pem).raw),
    key: createPrivateKey(key),
    scheme,
  }
  const order = poursTickets ? { afterwards: pourTickets } : { answer: OK }
  // A fault of the job's own ends the process as an unhandled rejection does: loudly.
  void startHostileTlsServer({ ...order, show: () => show }).then(({ port }) => process.send?.(port))
})
process.channel?.ref()
process.stdout.write('endpoint ready\n')
