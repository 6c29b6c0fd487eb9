import { workerData } from 'node:worker_threads'
import { ALIVE_EVERY_MS } from './messages.ts'

/** So many looks without a beat, once nobody else looks, and the process hangs. */
const SILENT_LOOKS = 5

/**
 * A thread of a process that sends alone. It ends the process where that hangs and the worker, which would have ended it, is gone: no
 * delivery may take a processor for ever.
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
