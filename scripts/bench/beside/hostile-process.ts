import { createPrivateKey, X509Certificate } from 'node:crypto'
import { pourTickets } from '#scripts/lab/tls/pour-tickets.ts'
import { startHostileTlsServer } from '#scripts/lab/tls/start-tls-server.ts'

/** The job of a process with a hostile endpoint. */
export interface HostileJob {
  /** in PEM, one after the other */
  certificates: string
  key: string
  scheme: number
  /** true: endless session tickets; false: an answer */
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
  // An error of the job itself ends the process loudly, like an unhandled rejection.
  void startHostileTlsServer({ ...order, show: () => show }).then(({ port }) => process.send?.(port))
})
process.channel?.ref()
process.stdout.write('endpoint ready\n')
