import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import { createTransport, type Transport } from '#core/endpoint/transport.ts'
import { createTestAuthority, type TestCertificate } from '#scripts/chaos/certificate.ts'
import { APPLICATION_DATA } from '#scripts/lab/tls/answer-handshake.ts'
import { pourTickets } from '#scripts/lab/tls/pour-tickets.ts'
import { startHostileTlsServer, type HostileTlsOrder } from '#scripts/lab/tls/start-tls-server.ts'
import { waitUntil } from '#tests/support/condition.ts'
import type { Speak } from '#tests/support/peers/raw-server.ts'
import { listExchangeProcesses } from '#tests/support/processes/exchange-processes.ts'
import { answering, closeLater, listen, LONG_MS, loopback, requestTo, SHORT_MS } from './open-transport.ts'

const ECDSA_P256 = 0x0403
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'
const authority = createTestAuthority('Authority of endpoints')
const usual = authority.issue(['localhost'])
/**
 * A certificate chain that takes a third of a second of processor time to check; making it takes as long, so
 * it is made once.
 */
const slow = authority.issueSlowChain('localhost', 70)
const access: EndpointAccess = {
  authentication: { type: 'none' },
  certificates: { authority: authority.cert, certificate: null, key: null },
  keptAs: 'config-1',
}

const open = (timeoutMs = LONG_MS) => {
  const ended: string[] = []
  let now = 1
  const transport = createTransport(loopback, {
    timeoutMs,
    connectionsPerOrigin: 10,
    onProcessEnd: (reason) => ended.push(reason),
    now: () => now,
  })
  closeLater(transport.close)
  return { send: transport.send, ended, pass: (ms: number) => (now += ms), close: transport.close }
}

/** Starts an endpoint that shows the certificate it is told to, for each connection anew. */
const serve = async (first: TestCertificate, order: Omit<HostileTlsOrder, 'show'> = { answer: OK }) => {
  let shown = first
  const server = await startHostileTlsServer({
    show: () => ({
      certificates: (shown.cert.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
        (pem) => new X509Certificate(pem).raw,
      ),
      key: createPrivateKey(shown.key),
      scheme: ECDSA_P256,
    }),
    ...order,
  })
  closeLater(server.close)
  return {
    request: requestTo(`https://localhost:${server.port}/hook`),
    show: (next: TestCertificate) => {
      shown = next
    },
  }
}

/** Measures this thread's processor time during work elsewhere, in milliseconds. */
const timeOfThisThread = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Returns true if this process makes the exchange while the processes for exchanges are frozen. */
const isMadeHere = async (send: () => ReturnType<Transport['send']>): Promise<boolean> => {
  const processes = listExchangeProcesses()
  for (const pid of processes) process.kill(pid, 'SIGSTOP')
  const sent = send()
  const isHere = await Promise.race([
    sent.then(() => true),
    new Promise<boolean>((resolve) => {
      setTimeout(resolve, SHORT_MS, false)
    }),
  ])
  for (const pid of processes) process.kill(pid, 'SIGCONT')
  await sent
  return isHere
}

describe('an unknown https host', () => {
  it('uses no time of this thread, however long its certificates take to verify', async () => {
    const { send } = open()
    const quick = await serve(usual)
    // The first request starts the process.
    await send(quick.request, { client: 'other', access })
    const { request } = await serve(slow)
    let exchange: unknown
    const took = await timeOfThisThread(async () => {
      ;({ exchange } = await send(request, { client: 'client-1', access }))
    })
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(took).toBeLessThan(150)
  })

  it('is contacted by this process after ten quick handshakes, for an hour', async () => {
    const { send, pass } = open()
    const { request } = await serve(usual)
    const once = () => send(request, { client: 'client-1', access })
    await once()
    expect(await isMadeHere(once)).toBe(false)
    for (let more = 2; more < 10; more += 1) await once()
    expect(await isMadeHere(once)).toBe(true)
    expect(await isMadeHere(() => send(request, { client: 'client-2', access }))).toBe(true)
    pass(3_600_001)
    expect(await isMadeHere(once)).toBe(false)
  })

  it('delays this process at most once, and then loses its trust', async () => {
    const { send } = open()
    const { request, show } = await serve(usual)
    const once = () => send(request, { client: 'client-1', access })
    for (let quick = 0; quick < 10; quick += 1) await once()
    show(slow)
    const times = []
    for (let sent = 0; sent < 2; sent += 1) times.push(await timeOfThisThread(once))
    expect(times[0]).toBeGreaterThan(100)
    expect(times[1]).toBeLessThan(100)
  })

  it('that was slow moves its client’s exchanges to a process of their own, and no other client’s', async () => {
    const { send } = open()
    const [quick, other] = [await serve(usual), await serve(usual)]
    for (let sent = 0; sent < 10; sent += 1) {
      await send(quick.request, { client: 'client-1', access })
      await send(other.request, { client: 'client-2', access })
    }
    const { request } = await serve(slow)
    await send(request, { client: 'client-1', access })
    const mine = () => send(quick.request, { client: 'client-1', access })
    // The first request starts the process.
    await mine()
    expect(await isMadeHere(mine)).toBe(false)
    expect(await isMadeHere(() => send(other.request, { client: 'client-2', access }))).toBe(true)
  })
})

it.each<[string, Omit<HostileTlsOrder, 'show'>]>([
  ['before', { afterwards: pourTickets }],
  [
    'within',
    {
      answer: (socket, seal) => {
        socket.write(seal(APPLICATION_DATA, Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n')))
        pourTickets(socket, seal)
      },
    },
  ],
])(
  'a host that sends without an end %s its answer moves its client’s exchanges to a process of their own',
  async (_when, order) => {
    const { send } = open()
    const [endless, quick] = [await serve(usual, order), await serve(usual)]
    await send(endless.request, { client: 'client-1', access })
    const before = listExchangeProcesses().length
    await send(quick.request, { client: 'client-1', access })
    expect(listExchangeProcesses()).toHaveLength(before + 1)
  },
)

describe('a process for exchanges that ends', () => {
  const silent: Speak = () => undefined
  const serveRaw = async (speak: Speak) => {
    const server = await listen(speak, { tls: usual })
    return { ...server, request: requestTo(server.url.replace('127.0.0.1', 'localhost')) }
  }
  const endAll = (): void => {
    for (const pid of listExchangeProcesses()) process.kill(pid, 'SIGSEGV')
  }

  it('with one exchange in flight fails that exchange with a message for the client, and a new process continues', async () => {
    const { send, ended } = open()
    const bad = await serveRaw(silent)
    const sent = send(bad.request, { client: 'client-1', access })
    await waitUntil(() => bad.received() !== '', { what: 'The request' })
    endAll()
    const { exchange } = await sent
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    expect(exchange).toHaveProperty(
      'detail',
      expect.stringContaining('took it more than a second, or broke it'),
    )
    expect(ended).toEqual(['SIGSEGV'])
    const good = await serveRaw(answering(OK))
    for (const client of ['client-1', 'client-2'])
      expect((await send(good.request, { client, access })).exchange).toMatchObject({ status: 200 })
  })

  it('with several exchanges in flight repeats each of them once', async () => {
    const { send } = open()
    const requests: string[] = []
    const late = await serveRaw((socket, received) => {
      requests.push(received)
      if (requests.length > 2) socket.end(OK)
    })
    const sent = ['client-1', 'client-2'].map((client) => send(late.request, { client, access }))
    await waitUntil(() => requests.length === 2, { what: 'Both requests' })
    endAll()
    for (const { exchange } of await Promise.all(sent))
      expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
  })

  it('because it hangs is not replaced for exchanges that have no time left', async () => {
    const { send, ended } = open(SHORT_MS)
    const late = await serveRaw(silent)
    const good = await serveRaw(answering(OK))
    // The first request starts the process.
    await send(good.request, { client: 'other', access })
    for (const pid of listExchangeProcesses()) process.kill(pid, 'SIGSTOP')
    const sent = ['client-1', 'client-2', 'client-3'].map((client) => send(late.request, { client, access }))
    for (const { exchange } of await Promise.all(sent))
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'timeout' })
    expect(ended).toEqual(['SIGKILL'])
  })

  it('is not reported once the transport is closed', async () => {
    const { send, close, ended } = open()
    const { request } = await serveRaw(answering(OK))
    await send(request, { client: 'client-1', access })
    expect(listExchangeProcesses()).not.toEqual([])
    await close()
    expect(listExchangeProcesses()).toEqual([])
    expect(ended).toEqual([])
  })
})

it('a token address is contacted in a process of its own too', async () => {
  const { send } = open()
  const quick = await serve(usual)
  await send(quick.request, { client: 'other', access })
  const { request } = await serve(slow)
  const authentication = {
    type: 'oauth2',
    token_url: request.url,
    client_id: 'leadwire',
    client_secret: 'client-secret',
    scope: '',
    credentials_in: 'header',
  } as const
  let exchange: unknown
  const took = await timeOfThisThread(async () => {
    ;({ exchange } = await send(quick.request, {
      client: 'client-1',
      access: { authentication, certificates: null, keptAs: 'config-2' },
    }))
  })
  expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'authentication' })
  expect(took).toBeLessThan(150)
})

it('a process for exchanges also refuses a name with a forbidden address', async () => {
  const { request } = await serve(usual)
  const { send } = open()
  const url = request.url.replace('localhost', '[::ffff:10.0.0.5]')
  const { exchange } = await send({ ...request, url }, { client: 'client-1', access })
  expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'blocked_address' })
})

it('a process for exchanges has no secret of ours in its environment', async () => {
  process.env['TEST_SECRETS_KEY'] = 'a secret of this process'
  try {
    const { send } = open()
    const { request } = await serve(usual)
    await send(request, { client: 'client-1', access })
    const [pid] = listExchangeProcesses().slice(-1)
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    expect(names.some((name) => name.startsWith('PATH='))).toBe(true)
    expect(names.filter((name) => name.startsWith('TEST_SECRETS_KEY'))).toEqual([])
  } finally {
    delete process.env['TEST_SECRETS_KEY']
  }
})
