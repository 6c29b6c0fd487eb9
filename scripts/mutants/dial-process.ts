import { createConnectionPools } from '#core/endpoint/connection-pools.ts'
import { checkCertificates } from '#core/endpoint/tls/check-certificates.ts'
import { watchDialledAddresses } from '#core/endpoint/dial.ts'
import { exchangeOnce } from '#core/endpoint/exchange-once.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { UNWATCHED } from '#core/endpoint/tls/handshakes.ts'

/** A job: exchanges with a server, and certificates to judge as when a form is saved. */
export interface DialJob {
  port: number
  times: number
  authorities: readonly string[]
  pems: readonly string[]
}

/** Counts of each status or error class, and of refused certificates from forms. */
export interface DialReport {
  outcomes: Record<string, number>
  refused: number
}

const TIMEOUT_MS = 10_000
const AT_ONCE = 4

/** Dials and judges in one process with the product's code, so that a crash is noticed. */
async function run({ port, times, authorities, pems }: DialJob): Promise<DialReport> {
  const pools = createConnectionPools(createAddressGuard(['127.0.0.0/8']), {
    timeoutMs: TIMEOUT_MS,
    connectionsPerOrigin: AT_ONCE,
    handshakes: UNWATCHED,
  })
  const addresses = watchDialledAddresses()
  const outcomes: Record<string, number> = {}
  const access = {
    authentication: { type: 'none' } as const,
    certificates: { authority: authorities.join('\n'), certificate: null, key: null },
    keptAs: 'mutants',
  }
  const request = {
    url: `https://localhost:${port}/hook`,
    method: 'POST',
    headers: {},
    body: '{"name":"Ana Example"}',
  } as const
  const exchange = async (): Promise<void> => {
    const clock = { startedAt: performance.now(), timeoutMs: TIMEOUT_MS }
    const { exchange: what } = await pools.use(access, ({ fresh }) =>
      exchangeOnce(fresh, addresses, request, clock, undefined),
    )
    const name = what.kind === 'answer' ? String(what.status) : what.errorClass
    outcomes[name] = (outcomes[name] ?? 0) + 1
  }
  for (let done = 0; done < times; done += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, times - done) }, exchange))
  }
  const given = { certificate: null, key: null }
  const refused = pems.filter((pem) => checkCertificates({ ...given, authority: pem }, new Date()).length > 0)
  await pools.close()
  addresses.stop()
  return { outcomes, refused: refused.length }
}

process.on('message', (job: DialJob) => {
  // An error of the job itself ends the process loudly, like an unhandled rejection.
  void run(job).then((report) => process.send?.(report))
})
process.channel?.ref()
process.stdout.write('dialler ready\n')
