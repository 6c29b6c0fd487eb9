import { createTestAuthority, selfSigned } from '#scripts/chaos/certificate.ts'
import { startProcess } from '#scripts/lab/start-process.ts'
import { countTaken, sendAtPace } from '../../send-at-pace.ts'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'
import type { HostileJob } from '../hostile-process.ts'

const ECDSA_P256 = 0x0403
const ECDSA_BRAINPOOL = 0x081a

/** Clients whose endpoints misbehave during the handshake: it would block a shared thread, or end its process. */
export const HANDSHAKES: readonly BesideCase[] = [
  handshakeCase({
    name: 'chains',
    what: 'shows seventy certificates that take a third of a second to verify',
    make: () => {
      const authority = createTestAuthority('Authority of a slow chain')
      const shown = authority.issueSlowChain('localhost', 70)
      return {
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
        job: { certificates: shown.cert, key: shown.key, scheme: ECDSA_BRAINPOOL, poursTickets: false },
        authority: undefined,
      }
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
  make: () => { job: HostileJob; authority: string | undefined }
}): BesideCase {
  return {
    name,
    who: `a client whose two leads a second go to 25 webhooks, each of which ${what}`,
    prepare: async ({ programs, agent, seconds, pick }) => {
      const { job, authority } = make()
      // Not here: what it costs is not the product's.
      const hostile = await startProcess({
        script: 'scripts/bench/beside/hostile-process.ts',
        isReady: 'hostile ready',
      })
      const port = Number(await hostile.ask(job))
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
          await hostile.kill()
          return { planned: endpoints * countTaken(posts) }
        },
      }
    },
  }
}
