import { workerData } from 'node:worker_threads'
import { ALIVE_EVERY_MS } from './messages.ts'

/** The process counts as hanging after this many checks without a beat and without a worker. */
const SILENT_LOOKS = 5

/**
 * A thread that ends its process if the process hangs and its worker is gone. Otherwise such a process could use a
 * processor for ever.
 */
const { beats, worker } = workerData as { beats: Int32Array; worker: number }
let seen = -1
let silentLooks = 0

setInterval(() => {
  const beat = Atomics.load(beats, 0)
  const hasWorker = process.ppid === worker
  silentLooks = hasWorker || beat !== seen ? 0 : silentLooks + 1
  seen = beat
  if (silentLooks >= SILENT_LOOKS) process.kill(process.pid, 'SIGKILL')
}, ALIVE_EVERY_MS)
