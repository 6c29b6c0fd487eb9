import { once } from 'node:events'

/** Tells that this process is ready, and waits for SIGUSR2. */
export async function waitToBegin(readyText: string): Promise<void> {
  process.on('SIGTERM', () => process.exit(0))
  const began = once(process, 'SIGUSR2')
  // A signal to come keeps no process alive.
  const alive = setInterval(() => undefined, 60_000)
  console.log(readyText)
  await began
  clearInterval(alive)
}
