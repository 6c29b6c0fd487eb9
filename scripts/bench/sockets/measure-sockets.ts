import { setTimeout as sleep } from 'node:timers/promises'
import { readCpuTimes, readResidentBytes, type CpuTimes } from '../cpu.ts'
import { openLoop, type OpenLoad, type OpenLoopResult } from '../open-loop.ts'
import type { BenchContext } from '../services.ts'
import { setUpClients } from '../set-up-clients.ts'
import { describeSpread, type Spread } from '../spread.ts'
import { startServerAlone } from '../start-programs.ts'
import { MEASURED } from '../wait-for-receipts.ts'
import { makeListeners } from './make-listeners.ts'
import { openSockets, type Sockets } from './open-sockets.ts'
import { writeChanges, type Committed } from './write-changes.ts'

/** Time for a heap to settle, and for late messages to come. */
const SETTLE_MS = 5000

export interface SocketLoad {
  sockets: number
  /** changes a second */
  rate: number
  seconds: number
}

export interface SocketsResult extends SocketLoad {
  changes: number
  /** changes that reached no socket */
  untold: number
  /** milliseconds from the answer to a commit until the socket has the change */
  told: Spread
  /** bytes of the server for one socket that has joined a channel */
  memory: number
  /** microseconds of processor time a second, by program */
  cpu: Record<'silent' | 'idle' | 'writing alone' | 'telling', CpuTimes>
}

/** Measures one server with this many sockets, each of an account of its own. */
export async function measureSockets(context: BenchContext, load: SocketLoad): Promise<SocketsResult> {
  const server = await startServerAlone(context)
  let sockets: Sockets | undefined
  try {
    const listeners = await makeListeners(context, server.url, load.sockets)
    const cpu = async (work: () => Promise<unknown>): Promise<CpuTimes> => {
      const read = () => readCpuTimes(context, { server: server.pid() })
      const [before, began] = [await read(), performance.now()]
      await work()
      const [after, seconds] = [await read(), (performance.now() - began) / 1000]
      return Object.fromEntries(
        Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? 0)) / seconds]),
      )
    }
    const rest = () => sleep(load.seconds * 1000)
    await sleep(2 * SETTLE_MS)
    const silent = await cpu(rest)
    const alone = await cpu(() => writeChanges(context, listeners, load))
    const empty = readResidentBytes([server.pid()])
    const opened = await openSockets(server.url, listeners)
    sockets = opened
    await sleep(SETTLE_MS)
    const memory = (readResidentBytes([server.pid()]) - empty) / load.sockets
    const idle = await cpu(rest)
    let committed: Committed = new Map()
    const telling = await cpu(async () => {
      committed = await writeChanges(context, listeners, load)
    })
    await sleep(SETTLE_MS)
    const late = [...committed].flatMap(([lead, at]) => (opened.told.get(lead) ?? Number.NaN) - at)
    const heard = late.filter((ms) => !Number.isNaN(ms))
    return {
      ...load,
      changes: committed.size,
      untold: committed.size - heard.length,
      told: describeSpread(heard),
      memory,
      cpu: { silent, idle, 'writing alone': alone, telling },
    }
  } finally {
    await sockets?.close()
    await server.stop()
  }
}

/** The open loop beside sockets that hear nothing. */
export async function openLoopBeside(
  context: BenchContext,
  load: OpenLoad,
  count: number,
): Promise<OpenLoopResult> {
  let sockets: Sockets | undefined
  try {
    return await openLoop(context, load, async (url) => {
      sockets = await openSockets(url, await makeListeners(context, url, count))
      const clients = await setUpClients(url, [[`${context.receiver.url}/${MEASURED}`]])
      return clients.map(({ key }) => key)
    })
  } finally {
    await sockets?.close()
  }
}
