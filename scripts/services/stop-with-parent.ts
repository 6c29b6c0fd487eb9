// Loaded first (node --import) into a process that was started with an IPC channel: when the channel breaks, the parent
// is gone, however it ended, and the process stops as if it had been asked to.
const GRACE_MS = 30_000

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref()
