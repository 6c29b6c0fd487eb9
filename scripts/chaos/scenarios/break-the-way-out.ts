import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aim } from '../aim.ts'
import { createTestAuthority, selfSigned } from '../certificate.ts'
import { FAULT_LIMITS, judgeGrowth, watchMemory, type MemoryGrowth } from '../memory.ts'
import { judgeRefusals } from '../judges/judge-attempts.ts'
import type { StandInName } from '../preloads/stand-in-dns.ts'
import { readAttempts } from '../read-logs.ts'
import type { Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import { startTlsFront } from '../tls-front.ts'
import type { World } from '../world.ts'

const HOUR_MS = 3600 * 1000
const folder = mkdtempSync(path.join(tmpdir(), 'leadwire-chaos-'))
const authority = createTestAuthority('Example Authority')
const authorityFile = path.join(folder, 'authority.pem')
const namesFile = path.join(folder, 'names.json')
const UNTOUCHED_P99_MS = 1000
const REFUSED = ['expired', 'self-signed', 'of another name'].map((name, index) => ({
  name: `a certificate ${name}`,
  endpoint: index + 1,
  errorClass: 'tls',
}))
const MISNAMED = [
  { name: 'unknown name', endpoint: 1, errorClass: 'dns' },
  { name: 'slow name', endpoint: 2, errorClass: 'timeout' },
  { name: 'private address', endpoint: 3, errorClass: 'blocked_address' },
]

const grown = new WeakMap<World, MemoryGrowth>()

/** Certificates and names between a worker and an endpoint. */
export const breakTheWayOut: Scenario[] = [
  {
    id: 'S22',
    name: 'certificates: expired, self-signed, of another name; again and again, beside a good one',
    passes: 'refused, each with its reason; the good one goes on; memory stays flat',
    world: () => {
      writeFileSync(authorityFile, authority.cert)
      return {
        workers: 1,
        endpoints: ['ok', 'ok', 'ok', 'ok'],
        env: { NODE_EXTRA_CA_CERTS: authorityFile, WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,2,2,5,5,10,10,10' },
      }
    },
    load: { quick: { rate: 20, seconds: 10 }, long: { rate: 60, seconds: 120 } },
    drainSeconds: 180,
    break: async (run) => {
      const { world, length, at } = run
      const day = 24 * HOUR_MS
      const past = { from: new Date(Date.now() - 2 * day), until: new Date(Date.now() - day) }
      const certificates = [
        authority.issue(['127.0.0.1']),
        authority.issue(['127.0.0.1'], past),
        selfSigned('127.0.0.1'),
        authority.issue(['crm.example.com']),
      ]
      const port = Number(new URL(world.receiver.url).port)
      const fronts = await Promise.all(certificates.map((one) => startTlsFront(one, port)))
      for (const [endpoint, front] of fronts.entries()) await aim(world, endpoint, front.origin)
      const from = now()
      const memory = await watchMemory(world.workers, 2000)
      await at(length === 'quick' ? 9 : 118)
      run.watchHealthy({ endpoints: [0], from, until: now(), p99LimitMs: UNTOUCHED_P99_MS })
      grown.set(world, await memory.stop())
      const [good] = fronts
      for (const endpoint of [1, 2, 3]) await aim(world, endpoint, good?.origin ?? '')
      run.mended()
    },
    check: async ({ world, figure, mendedAt }) => {
      const attempts = (await readAttempts(world)).filter(({ madeAt }) => madeAt < mendedAt - 1000)
      const faults = judgeRefusals(attempts, REFUSED, figure)
      const growth = grown.get(world)
      if (growth !== undefined) faults.push(...judgeGrowth(growth, FAULT_LIMITS, 1, figure))
      return faults
    },
  },
  {
    id: 'S23',
    name: 'names: one unknown, one that takes 10 s, one that turns to a private address; beside a good one',
    passes: 'retried, or blocked where the address is private; the good one is untouched',
    world: () => {
      tellNames({})
      const preload = { modules: ['stand-in-dns'], env: { CHAOS_DNS_FILE: namesFile } } as const
      return {
        workers: 2,
        // Connections are not kept, so that each delivery resolves the name again.
        endpoints: ['ok', 'ok', 'ok', { status: 200, headers: { connection: 'close' } }],
        env: { WEBHOOK_TIMEOUT_MS: '4000' },
        preloads: { 0: preload, 1: preload },
      }
    },
    load: { quick: { rate: 20, seconds: 12 }, long: { rate: 60, seconds: 60 } },
    drainSeconds: 180,
    break: async (run) => {
      const { world, length, at } = run
      tellNames({
        'unknown.example.com': { error: 'ENOTFOUND' },
        'slow.example.com': { addresses: ['127.0.0.1'], delayMs: 10_000 },
        'turncoat.example.com': { addresses: ['127.0.0.1'] },
      })
      const { port } = new URL(world.receiver.url)
      for (const [index, name] of ['unknown', 'slow', 'turncoat'].entries())
        await aim(world, index + 1, `http://${name}.example.com:${port}`)
      const from = now()
      await at(4)
      tellNames({
        'unknown.example.com': { error: 'ENOTFOUND' },
        'slow.example.com': { addresses: ['127.0.0.1'], delayMs: 10_000 },
        // A good address beside a bad one: the name is refused as a whole.
        'turncoat.example.com': { addresses: ['127.0.0.1', '169.254.169.254'] },
      })
      await at(length === 'quick' ? 11 : 58)
      run.watchHealthy({ endpoints: [0], from, until: now(), p99LimitMs: UNTOUCHED_P99_MS })
      const good = { addresses: ['127.0.0.1'] }
      tellNames({ 'unknown.example.com': good, 'slow.example.com': good, 'turncoat.example.com': good })
      run.mended()
    },
    check: async ({ world, figure }) => judgeRefusals(await readAttempts(world), MISNAMED, figure),
  },
]

function tellNames(names: Record<string, StandInName>): void {
  writeFileSync(namesFile, JSON.stringify(names))
}
