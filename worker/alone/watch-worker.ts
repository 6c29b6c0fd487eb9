import { workerData } from 'node:worker_threads'
import { ALIVE_EVERY_MS } from './messages.ts'

/** After so many looks without a beat and without a worker, the process counts as hanging. */
const SILENT_LOOKS = 5

/**
 * A thread of a process that sends alone. If that process hangs and the worker that would have ended it is gone, the
 * thread ends it, so that no delivery uses a processor for ever.
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
