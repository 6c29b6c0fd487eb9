import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { aim } from '../aim.ts'
import type { NamedAnswer } from '../../lab/receiver/give-answer.ts'
import { startDeafListener } from '../deaf-listener.ts'
import type { Ledger } from '../ledger.ts'
import { FAULT_LIMITS, judgeGrowth, watchMemory, type MemoryWatch } from '../memory.ts'
import { countSwitchedOff, readAttempts } from '../read-logs.ts'
import type { Run, Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

const TIMEOUT_MS = 3000
const TIMEOUT = { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) }
/** Two busy cores may wake a timer late; a limit that is not kept at all is seconds away. */
const TIMER_SLACK = 1.25

const ODD: readonly NamedAnswer[] = [
  'huge-body',
  'gzip-bomb',
  'gzip-thrice',
  'huge-header',
  'invalid-text',
  'body-on-204',
  'wrong-length',
  'early',
  'reset-after-headers',
]
const RETRY_AFTERS = ['0', '5', '1000000000', 'soon', 'Wed, 21 Oct 2015 07:28:00 GMT', '-3'] as const

const watches = new WeakMap<World, MemoryWatch>()

export const breakEndpoints: Scenario[] = [
  {
    id: 'S10',
    name: 'one endpoint takes connections and never answers; another lets the SYN fall',
    passes:
      'each ends at the limit of the exchange (3 s, + 25 %); sockets are freed; the healthy one goes on',
    world: { workers: 2, endpoints: ['ok', 'hang', 'ok'], env: TIMEOUT },
    load: { quick: { rate: 15, seconds: 10 }, long: { rate: 60, seconds: 60 } },
    drainSeconds: 150,
    break: async (run) => {
      const { world, length, at } = run
      const deaf = await startDeafListener(path.join(world.folder, 'deaf.log'))
      await aim(world, 2, `http://127.0.0.1:${deaf.port}`)
      await at(length === 'quick' ? 10 : 58)
      await world.receiver.behave([{ endpoint: 1, behaviour: 'ok' }])
      await aim(world, 2, world.receiver.url)
      await sleep(TIMEOUT_MS)
      await deaf.close()
      run.mended()
    },
    check: async ({ world, figure }) => {
      const faults = await checkDeadline(world, [1, 2], figure)
      await sleep(6000)
      const open = await world.receiver.connections()
      figure('connections left', String(open))
      return open > 10 ? [...faults, `${open} connections were left open`] : faults
    },
  },
  {
    id: 'S11',
    name: 'slow-loris: one byte of header, or of body, each second',
    passes: 'the limit of the whole exchange holds (3 s, + 25 %); memory stays flat',
    world: { workers: 2, endpoints: ['ok', 'slow-headers', 'slow-body'], env: TIMEOUT },
    load: { quick: { rate: 15, seconds: 10 }, long: { rate: 60, seconds: 60 } },
    drainSeconds: 150,
    break: async (run) => {
      await run.at(4)
      watches.set(run.world, await watchMemory(run.world.workers, 2000))
      await run.at(run.length === 'quick' ? 10 : 58)
      await mendAll(run)
    },
    check: async ({ world, figure }) => [
      ...(await checkDeadline(world, [1, 2], figure)),
      ...(await checkGrowth(world, figure)),
    ],
  },
  {
    id: 'S12',
    name: 'answers of every bad kind: 200 MB, gzip bombs, 20 KB header, NUL, 204 with a body, wrong length, early, reset',
    passes: 'each is classified, the kept body is short, memory stays flat',
    world: { workers: 1, endpoints: ['ok', ...ODD.map(() => 'ok' as const)], env: TIMEOUT },
    load: { quick: { rate: 20, seconds: 14 }, long: { rate: 40, seconds: 60 } },
    drainSeconds: 150,
    break: async (run) => {
      const { world, at, length } = run
      await at(6)
      watches.set(world, await watchMemory(world.workers, 2000))
      await world.receiver.behave(ODD.map((behaviour, index) => ({ endpoint: index + 1, behaviour })))
      await at(length === 'quick' ? 13 : 55)
      await mendAll(run)
    },
    check: async ({ world, figure }) => [
      ...(await checkOddAnswers(world, figure)),
      ...(await checkGrowth(world, figure)),
    ],
  },
  {
    id: 'S13',
    name: 'a storm of 429 with Retry-After 0, 5, 1000000000, words, a past date, a negative number',
    passes: 'waits are obeyed up to 24 h; no request sooner than the schedule; no synchronised return',
    world: {
      workers: 2,
      endpoints: RETRY_AFTERS.map((value) => ({ status: 429, headers: { 'retry-after': value } })),
      env: { WEBHOOK_RETRY_SCHEDULE: '2,4,8,8,8,8,8,8,8,8,8,8,8,8' },
    },
    load: { quick: { rate: 18, seconds: 8 }, long: { rate: 60, seconds: 60 } },
    drainSeconds: 150,
    break: async (run) => {
      await run.at(run.length === 'quick' ? 8 : 60)
      await mendAll(run)
      await sleep(TIMEOUT_MS)
      await bringForward(run)
    },
    check: async ({ world, figure, ledger, mendedAt }) => [
      ...(await checkThrottling(world, figure)),
      ...checkReturn(ledger, mendedAt, figure),
    ],
  },
  {
    id: 'S14',
    name: 'one endpoint hangs and takes 20 % of the traffic',
    passes: 'p99 of the healthy one at most twice what it was before (or 500 ms on a busy machine)',
    world: { workers: 2, endpoints: ['ok', 'ok'], env: { WEBHOOK_TIMEOUT_MS: '5000' } },
    load: { quick: { rate: 40, seconds: 14 }, long: { rate: 100, seconds: 60 } },
    choose: (index) => (index % 5 === 4 ? 1 : 0),
    drainSeconds: 150,
    break: async (run) => {
      const { world, length, at } = run
      const [calm, over] = length === 'quick' ? [6, 14] : [20, 60]
      await at(2)
      const calmFrom = now()
      await at(calm)
      const before = healthyP99(await world.receiver.receipts(), calmFrom)
      run.figure('healthy p99 before', `${Math.round(before)} ms`)
      await world.receiver.behave([{ endpoint: 1, behaviour: 'hang' }])
      const from = now()
      await at(over)
      run.watchHealthy({ endpoints: [0], from, until: now(), p99LimitMs: Math.max(2 * before, 500) })
      await mendAll(run)
    },
  },
  {
    id: 'S15',
    name: 'an endpoint is up for 10 s and down for 10 s, in turns',
    passes: 'at most 2 requests/s while it is down and known to be; its webhook is not switched off',
    world: { workers: 2, endpoints: ['ok', 'ok'] },
    load: { quick: { rate: 30, seconds: 20 }, long: { rate: 60, seconds: 60 } },
    drainSeconds: 150,
    break: async (run) => {
      const { world, length, at } = run
      for (let turn = 0; turn < (length === 'quick' ? 1 : 3); turn += 1) {
        await at(turn * 20 + 10)
        await world.receiver.behave([{ endpoint: 1, behaviour: 'reset' }])
        await at(turn * 20 + 14)
        const known = (await world.receiver.receipts()).filter(({ endpoint }) => endpoint === 1).length
        await at(turn * 20 + 20)
        const later = (await world.receiver.receipts()).filter(({ endpoint }) => endpoint === 1).length
        run.figure(`requests/s while down (${turn + 1})`, ((later - known) / 6).toFixed(1))
        await world.receiver.behave([{ endpoint: 1, behaviour: 'ok' }])
      }
      run.mended()
    },
    check: async ({ world }) => {
      const off = await countSwitchedOff(world)
      return off > 0 ? [`${off} webhook(s) were switched off`] : []
    },
  },
]

async function mendAll(run: Run): Promise<void> {
  const { world } = run
  await world.receiver.behave(world.sources.map(({ endpoint }) => ({ endpoint, behaviour: 'ok' })))
  run.mended()
}

async function checkDeadline(world: World, endpoints: number[], figure: Run['figure']): Promise<string[]> {
  const attempts = (await readAttempts(world)).filter((row) => endpoints.includes(row.endpoint))
  const timeouts = attempts.filter(({ errorClass }) => errorClass === 'timeout')
  const longest = Math.max(...attempts.map(({ tookMs }) => tookMs))
  figure('timeouts', String(timeouts.length))
  figure('longest exchange', `${longest} ms`)
  if (timeouts.length === 0) return ['nothing timed out: the scenario proved nothing']
  return longest > TIMEOUT_MS * TIMER_SLACK ? [`an exchange took ${longest} ms`] : []
}

async function checkGrowth(world: World, figure: Run['figure']): Promise<string[]> {
  const growth = await watches.get(world)?.stop()
  return growth === undefined ? [] : judgeGrowth(growth, FAULT_LIMITS, world.workers.length, figure)
}

/** What each odd answer counts as; the status of an answer that did not come whole is no success. */
const EXPECTED: Partial<Record<NamedAnswer, 'success' | 'failure'>> = {
  'huge-body': 'success',
  'gzip-bomb': 'success',
  'gzip-thrice': 'success',
  'huge-header': 'failure',
  'invalid-text': 'success',
  'body-on-204': 'success',
  'wrong-length': 'failure',
  early: 'success',
  'reset-after-headers': 'failure',
}

async function checkOddAnswers(world: World, figure: Run['figure']): Promise<string[]> {
  const attempts = await readAttempts(world)
  const faults: string[] = []
  for (const [index, behaviour] of ODD.entries()) {
    const mine = attempts.filter(({ endpoint }) => endpoint === index + 1)
    const failures = mine.filter(({ errorClass }) => errorClass !== null)
    const classes = [...new Set(failures.map(({ errorClass }) => errorClass))].join(', ')
    figure(behaviour, failures.length === 0 ? 'success' : classes)
    if (EXPECTED[behaviour] === 'failure' && failures.length === 0)
      faults.push(`${behaviour} counted as success`)
    if (EXPECTED[behaviour] === 'success' && failures.length > 0)
      faults.push(`${behaviour} counted as failure: ${classes}`)
  }
  const { rows } = await sql<{ longest: number }>`
    select coalesce(max(octet_length(response_body)), 0)::int as longest from webhook_delivery_log_bodies`.execute(
    world.db,
  )
  figure('longest kept body', `${rows[0]?.longest ?? 0} bytes`)
  return faults
}

/** A wait of a day would outlast the run: what waits so long is brought forward once it has been looked at. */
async function bringForward(run: Run): Promise<void> {
  const { world } = run
  const { rows } = await sql<{ count: number; longest: number }>`
    select count(*)::int as count, coalesce(max(extract(epoch from next_attempt_at - now())), 0)::float8 as longest
    from webhook_deliveries where state = 'pending' and next_attempt_at > now() + interval '1 hour'`.execute(
    world.db,
  )
  run.figure('longest wait', `${((rows[0]?.longest ?? 0) / 3600).toFixed(1)} h`)
  const from = now()
  await sql`
    update webhook_deliveries set next_attempt_at = now()
    where state = 'pending' and next_attempt_at > now() + interval '1 hour'`.execute(world.db)
  await world.redis.flushall()
  world.blur('jobs brought forward by FLUSHALL', 2, from)
  run.mended()
}

async function checkThrottling(world: World, figure: Run['figure']): Promise<string[]> {
  const attempts = (await readAttempts(world)).filter(({ errorClass }) => errorClass === 'throttled')
  const waits = attempts.flatMap(({ endpoint, madeAt, nextAt }) =>
    nextAt === null ? [] : [{ endpoint, seconds: (nextAt - madeAt) / 1000 }],
  )
  const of = (endpoint: number): number[] =>
    waits.filter((wait) => wait.endpoint === endpoint).map(({ seconds }) => seconds)
  const shortest = Math.min(...waits.map(({ seconds }) => seconds))
  figure('throttled attempts', String(attempts.length))
  figure('shortest wait', `${shortest.toFixed(1)} s`)
  const faults: string[] = []
  // The first step is 2 s, less a fifth.
  if (shortest < 1.6) faults.push(`a wait of ${shortest.toFixed(2)} s is shorter than the schedule's`)
  if (Math.min(...of(1)) < 5) faults.push('Retry-After: 5 was not obeyed')
  const day = of(2)
  if (Math.max(...day) > 24 * 3600 + 60 || Math.min(...day) < 24 * 3600 - 60)
    faults.push('a Retry-After of years was not cut to 24 h')
  return faults
}

/** After the storm all who waited come back: not all in one second. */
function checkReturn(ledger: Ledger, mendedAt: number, figure: Run['figure']): string[] {
  const perSecond = Array<number>(15).fill(0)
  for (const { at } of ledger.receipts) {
    const second = Math.floor((at - mendedAt) / 1000)
    if (second >= 0 && second < perSecond.length) perSecond[second] = (perSecond[second] ?? 0) + 1
  }
  const busy = perSecond.filter((count) => count > 0)
  const mean = busy.reduce((sum, count) => sum + count, 0) / Math.max(1, busy.length)
  figure('busiest second after / mean', (Math.max(...perSecond) / mean).toFixed(1))
  return []
}

function healthyP99(receipts: Ledger['receipts'], from: number): number {
  const waits = receipts
    .filter(({ endpoint, intended }) => endpoint === 0 && intended !== null && intended >= from)
    .map(({ at, intended }) => at - (intended ?? at))
    .toSorted((one, other) => one - other)
  return waits[Math.ceil(waits.length * 0.99) - 1] ?? 0
}
