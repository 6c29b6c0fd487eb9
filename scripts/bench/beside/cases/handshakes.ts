import { createTestAuthority, selfSigned } from '#scripts/chaos/certificate.ts'
import { startProcess } from '#scripts/lab/start-process.ts'
import { countTaken, sendAtPace } from '../../send-at-pace.ts'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'
import type { ClosingJob } from '../closing-process.ts'
import type { HostileJob } from '../hostile-process.ts'

const ECDSA_P256 = 0x0403
const ECDSA_BRAINPOOL = 0x081a

const HOSTILE = 'scripts/bench/beside/hostile-process.ts'

/**
 * Clients whose deliveries cost handshakes. All cases but the last would block a shared thread or end its
 * process.
 */
export const HANDSHAKES: readonly BesideCase[] = [
  handshakeCase({
    name: 'chains',
    what: 'shows seventy certificates that take a third of a second to verify',
    make: () => {
      const authority = createTestAuthority('Authority of a slow chain')
      const shown = authority.issueSlowChain('localhost', 70)
      return {
        script: HOSTILE,
        job: { certificates: shown.cert, key: shown.key, scheme: ECDSA_P256, poursTickets: false },
        authority: authority.cert,
      }
    },
  }),
  handshakeCase({
    name: 'tickets',
    what: 'sends session tickets without an end',
    make: () => {
      const shown = selfSigned('localhost')
      return {
        script: HOSTILE,
        job: { certificates: shown.cert, key: shown.key, scheme: ECDSA_P256, poursTickets: true },
        authority: shown.cert,
      }
    },
  }),
  handshakeCase({
    name: 'curves',
    what: 'shows a certificate on a curve that ended the process',
    make: () => {
      const shown = selfSigned('localhost', 'brainpoolP256r1')
      return {
        script: HOSTILE,
        job: { certificates: shown.cert, key: shown.key, scheme: ECDSA_BRAINPOOL, poursTickets: false },
        authority: undefined,
      }
    },
  }),
  handshakeCase({
    name: 'closing',
    what: 'closes the connection after each answer',
    make: () => {
      const job = selfSigned('localhost')
      return { script: 'scripts/bench/beside/closing-process.ts', job, authority: job.cert }
    },
  }),
]

function handshakeCase({
  name,
  what,
  make,
}: {
  name: string
  what: string
  make: () => { script: string; job: HostileJob | ClosingJob; authority: string | undefined }
}): BesideCase {
  return {
    name,
    who: `a client whose two leads a second go to 25 webhooks, each of which ${what}`,
    prepare: async ({ programs, agent, seconds, pick }) => {
      const { script, job, authority } = make()
      // In another process, so that its cost does not count as the product's.
      const endpoint = await startProcess({ script, isReady: 'endpoint ready' })
      const port = Number(await endpoint.ask(job))
      const { url } = programs.server
      const endpoints = pick(25, 3)
      const rooms = Array.from(
        { length: endpoints },
        (_endpoint, index) => `https://localhost:${port}/${name}/${index}`,
      )
      const clients = await setUpClients(url, [rooms], authority === undefined ? {} : { authority })
      const keyOf = (): string => clients[0]?.key ?? ''
      return {
        clients,
        disturb: async () => {
          const posts = await sendAtPace({ agent, url, rate: 2, seconds, name, keyOf })
          await endpoint.kill()
          return { planned: endpoints * countTaken(posts) }
        },
      }
    },
  }
}
