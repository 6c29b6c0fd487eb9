// Loaded first (node --import) into a process that was started with an IPC channel: when the channel breaks, the parent
// is gone, however it ended, and the process stops as if it had been asked to.
import { Worker } from 'node:worker_threads'

/** Longer than any drain of ours. */
const GRACE_MS = 25_000

// In a thread of its own, because the main one may hang at its end: with its output gone, sonic-boom's flushSync tries
// again for ever (its version 4.2.1, on EPIPE).
const LAST_RESORT = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${GRACE_MS})`

process.once('disconnect', () => {
  new Worker(LAST_RESORT, { eval: true }).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref()
