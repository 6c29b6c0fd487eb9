import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { BenchContext } from './services.ts'

/**
 * Linux counts processor time in hundredths of a second (sysconf _SC_CLK_TCK is 100 on every common build).
 */
const TICK_US = 10_000

/** Processor time of each program so far, in microseconds; NaN if this machine does not show it. */
export type CpuTimes = Record<string, number>

interface Stat {
  pid: number
  name: string
  parent: number
  own: number
  ofEndedChildren: number
}

function readStat(pid: number): Stat | undefined {
  try {
    // The name, in parentheses, may contain spaces; the counters come after it.
    const [, name = '', rest = ''] =
      /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ').map(Number)
    const at = (index: number): number => fields[index] ?? 0
    return { pid, name, parent: at(1), own: at(11) + at(12), ofEndedChildren: at(13) + at(14) }
  } catch {
    return undefined
  }
}

const NS_IN_MS = 1e6

/**
 * Processor time of one of PostgreSQL's processes so far, in milliseconds; NaN if this machine does not show
 * it.
 */
export function readProcessorMs(pid: number): number {
  if (readStat(pid)?.name !== 'postgres') return Number.NaN
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / NS_IN_MS
  } catch {
    return Number.NaN
  }
}

/** Resident bytes of these processes and all their descendants. Needs a /proc (Linux). */
export function readResidentBytes(pids: readonly number[]): number {
  const stats = listProcesses().flatMap((pid) => readStat(pid) ?? [])
  const family = new Set(pids)
  // Processes are listed by their number, and a parent's is not always the smaller one.
  for (let size = 0; size < family.size;) {
    size = family.size
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid)
  }
  return [...family].reduce((sum, pid) => sum + residentOf(pid), 0)
}

function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    // The process has ended since it was listed.
    return 0
  }
}

function listProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/**
 * Reads all of them at the same moment, if there is a /proc (Linux).
 * @param processes more programs, by name: the pid of each
 */
export async function readCpuTimes(
  context: BenchContext,
  processes: Readonly<Record<string, number>>,
): Promise<CpuTimes> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(context.db)
  const own = (pid: number, name?: RegExp): number => {
    const stat = readStat(pid)
    return stat === undefined || name?.test(stat.name) === false ? Number.NaN : stat.own * TICK_US
  }
  const ofRedis = async (kind: string, nodes: BenchContext['masters']) =>
    await Promise.all(
      nodes.map(async (node, index) => {
        const pid = Number(/process_id:(\d+)/.exec(await node.info('server'))?.[1])
        return [nodes.length === 1 ? kind : `${kind} ${index + 1}`, own(pid, /redis|valkey/)] as const
      }),
    )
  const stores = [
    ...(await ofRedis('redis', context.masters)),
    ...(await ofRedis('replica', context.replicas)),
  ]
  const named = Object.entries(processes).map(([name, pid]) => [name, own(pid)] as const)
  return {
    ...Object.fromEntries(named),
    postgres: ofPostgres(rows[0]?.pid ?? 0),
    ...Object.fromEntries(stores),
    receiver: own(context.receiver.pid()),
  }
}

/** The postmaster with all its processes, ended ones included. A server in a container is not visible. */
function ofPostgres(backend: number): number {
  const connection = readStat(backend)
  const postmaster = connection?.name === 'postgres' ? readStat(connection.parent) : undefined
  if (postmaster?.name !== 'postgres') return Number.NaN
  const children = listProcesses()
    .map((pid) => readStat(pid))
    .filter((stat) => stat?.parent === postmaster.pid)
  const own = [postmaster, ...children].reduce((sum, stat) => sum + (stat?.own ?? 0), 0)
  return (own + postmaster.ofEndedChildren) * TICK_US
}

/** Processor time of each program between two readings, divided by `count`. */
export function cpuPerItem(before: CpuTimes, after: CpuTimes, count: number): CpuTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? Number.NaN)) / count]),
  )
}
