import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startProcess, type LabProcess } from '#scripts/lab/start-process.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { waitUntil } from '#tests/support/condition.ts'

// Programs start one after the other, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })
const WITHIN_MS = 90_000

let folder: string
let start: LabProcess
let server: string
let crm: string
let sourceKey: string
const accepted: string[] = []

beforeAll(async () => {
  folder = await makeThrowAwayFolder('newcomer')
  start = await startProcess({
    script: 'scripts/start.ts',
    env: { DATA_DIR: folder, PORT: '0', SAMPLE_CRM_PORT: '0' },
    isReady: 'Ctrl-C stops everything',
  })
  const read = (pattern: RegExp) => pattern.exec(start.output())?.[1] ?? ''
  server = read(/ready at (\S+)/)
  crm = read(/Sample CRM {2,}(\S+)/)
  sourceKey = read(/Bearer (\S+?)'/)
})
afterAll(async () => {
  await start.stop()
  await removeThrowAwayFolder(folder)
})

/** Posts a lead as the demo source; returns true if it was accepted. */
async function post(): Promise<boolean> {
  const email = `newcomer-${accepted.length}-${performance.now()}@example.com`
  const response = await fetch(`${server}/api/v1/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sourceKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Nell Newcomer', email, phone: '+12125550123', lead_type: 'final_expense' }),
  })
  if (response.status !== 201) return false
  accepted.push(email)
  return true
}

async function arrived(): Promise<string[]> {
  const response = await fetch(`${crm}/requests.json`)
  const { requests } = (await response.json()) as { requests: Array<{ lead: { email: string } }> }
  return requests.map(({ lead }) => lead.email)
}

async function untilAllArrived(): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const there = new Set(await arrived())
    return accepted.every((email) => there.has(email))
  }
  await waitUntil(isThere, { what: 'Every accepted lead at the sample CRM', timeoutMs: WITHIN_MS })
}

/** Reads the process id from a service's file, or from the first line of a program's log. */
async function readPid(file: string): Promise<number> {
  const [line = ''] = (await readFile(path.join(folder, file), 'utf8')).split('\n')
  return file.endsWith('.log') ? (JSON.parse(line) as { pid: number }).pid : Number(line)
}

/**
 * Kills a service with `kill -9` and keeps posting until it is back and takes leads again; returns the
 * terminal's output.
 */
async function kill(name: string, file: string): Promise<string[]> {
  const before = start.output().length
  const said = (): string => start.output().slice(before)
  process.kill(await readPid(file), 'SIGKILL')
  const isBack = async (): Promise<boolean> => {
    const taken = await post()
    return taken && said().includes(`${name} is back after`)
  }
  await waitUntil(isBack, { what: `${name} being back`, timeoutMs: WITHIN_MS, intervalMs: 200 })
  await untilAllArrived()
  return said().split('\n').filter(Boolean)
}

interface Seen {
  name: string
  left: string
  leads: number
}

/** Returns what a demo client finds after signing in with the credentials that the terminal shows. */
async function seenBy(email: string): Promise<Seen> {
  const [, password] = new RegExp(`${email} +(\\S+)`).exec(start.output()) ?? []
  const signedIn = await fetch(`${server}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  const read = async (what: string) =>
    (await fetch(`${server}/api/v1/${what}`, { headers: { authorization: `Bearer ${token}` } })).json()
  const { balance } = (await read('balance')) as { balance: string }
  const { data: orders } = (await read('orders')) as { data: { name: string }[] }
  const { data: leads } = (await read('leads?limit=100')) as { data: unknown[] }
  return { name: orders[0]?.name ?? 'none', left: balance, leads: leads.length }
}

test('a first start creates a market: three clients with orders, and leads that were sold to them', async () => {
  // The rest of this file counts leads.
  const paused = await fetch(`${crm}/demo-leads`, { method: 'POST', body: 'state=paused' })
  expect(await paused.json()).toMatchObject({ demo_leads: { isPaused: true } })
  const prairie = await waitUntil(
    async () => {
      const seen = await seenBy('prairie@example.com')
      return seen.leads === 2 && seen
    },
    { what: 'The sale of two leads', timeoutMs: WITHIN_MS },
  )
  expect(prairie).toEqual({ name: 'Ohio and Georgia', left: '0.00', leads: 2 })
  const own = await waitUntil(
    async () => {
      const seen = await seenBy('client@example.com')
      return seen.leads > 0 && seen.left === (1000 - 25 * seen.leads).toFixed(2) && seen
    },
    { what: 'The sale of the other leads', timeoutMs: WITHIN_MS },
  )
  expect(own.name).toBe('Final expense, four states')
})

test.for([
  ['Redis', 'redis/redis.pid'],
  ['PostgreSQL', 'postgres/postmaster.pid'],
  ['The worker', 'logs/worker.log'],
] as const)(
  'under npm start %s restarts by itself when it is killed, is named, and no accepted lead is missing',
  async ([name, file]) => {
    await post()
    await untilAllArrived()
    const lines = await kill(name, file)

    const count = (start: string) => lines.filter((line) => line.startsWith(start)).length
    expect(count(`✗ ${name} ended (SIGKILL); starting it again in 0.5 s. Log: ${folder}`)).toBe(1)
    expect(count(`✓ ${name} is back after`)).toBe(1)
    for (const line of lines) expect(count(line)).toBeLessThanOrEqual(2)
    expect(lines.length).toBeLessThan(20)
  },
)

test('Ctrl-C afterwards stops everything with exit status 0', async () => {
  expect(await start.stop()).toBe(0)
  await waitUntil(() => start.output().includes('Leadwire has stopped'))
  expect(start.output().split('Stopping; what is in flight')[1]).not.toContain('starting it again')
})
