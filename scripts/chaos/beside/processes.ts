import path from 'node:path'
import { SEED } from '../../bench/set-up-clients.ts'
import type { LabProcess } from '../../lab/start-process.ts'
import { startServer, startWorker } from '../../lab/start-product.ts'
import { freePort } from '../../services/free-port.ts'
import type { Closers, Ground } from '../ground.ts'
import { nameOf, type Door } from './ask.ts'
import { readLog, type LogGroup, type Writer } from './judge-logs.ts'
import { EXPLAINED } from './explained-lines.ts'
import type { Version } from './versions.ts'

/** A longer stop is not gentle: the server gives its requests 10 s, the worker gives all its work 35 s. */
const EXIT_LIMIT_MS = 40_000

export interface Processes {
  startServer: (version: Version) => Promise<Door>
  startWorker: (version: Version) => Promise<void>
  /** Sends SIGTERM to that process of a version. */
  stop: (writer: Writer) => Promise<void>
  /** Sends SIGTERM, and starts the same process again. */
  restart: (writer: Writer) => Promise<void>
  /** exits that were not gentle */
  faults: string[]
  /** milliseconds of the slowest exit */
  slowestExitMs: () => number
  /** The lines of all processes at level warn and above. */
  readLogs: () => Promise<LogGroup[]>
}

/** Servers and workers of two versions on the same services, with one configuration. */
export async function openProcesses(ground: Ground, closers: Closers): Promise<Processes> {
  const running = new Map<string, LabProcess>()
  const writers: Writer[] = []
  const faults: string[] = []
  const exits: number[] = []
  const port = String(await freePort())
  // The first server's address is the site's, whichever server answers, so that all have the same token
  // issuer.
  const env = { ...ground.env, ...SEED, PUBLIC_URL: `http://127.0.0.1:${port}` }
  const fileOf = ({ age, program }: Writer): string => `${program}-${age}`
  const keep = (writer: Writer, started: LabProcess): void => {
    running.set(fileOf(writer), started)
    writers.push(writer)
    closers.push(started.kill)
  }
  const mannerOf = (writer: Writer, { folder }: Version) => ({
    ...ground.inFolder(`${writer.program} of ${nameOf(writer.age)}`, fileOf(writer)),
    folder,
  })
  const stop = async (writer: Writer): Promise<void> => {
    const startedAt = performance.now()
    const status = await running.get(fileOf(writer))?.stop()
    const tookMs = performance.now() - startedAt
    exits.push(tookMs)
    const who = `the ${writer.program} of ${nameOf(writer.age)}`
    if (status !== 0) faults.push(`${who} ended with ${status ?? 'a signal'}`)
    else if (tookMs > EXIT_LIMIT_MS) faults.push(`${who} took ${Math.round(tookMs)} ms to end`)
  }
  return {
    startServer: async (version) => {
      const writer: Writer = { age: version.age, program: 'server' }
      const own = version.age === 'before' ? { PORT: port } : {}
      const server = await startServer({ ...env, ...own }, mannerOf(writer, version))
      keep(writer, server)
      return { age: version.age, url: server.url }
    },
    startWorker: async (version) => {
      const writer: Writer = { age: version.age, program: 'worker' }
      keep(writer, await startWorker(env, mannerOf(writer, version)))
    },
    stop,
    restart: async (writer) => {
      await stop(writer)
      await running.get(fileOf(writer))?.restart()
    },
    faults,
    slowestExitMs: () => Math.max(0, ...exits),
    readLogs: async () =>
      (
        await Promise.all(
          writers.map((one) => readLog(path.join(ground.folder, `${fileOf(one)}.log`), one, EXPLAINED)),
        )
      ).flat(),
  }
}
