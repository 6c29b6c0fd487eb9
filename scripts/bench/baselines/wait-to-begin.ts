import { once } from 'node:events'

/** Reports that this process is ready, and waits for SIGUSR2. */
export async function waitToBegin(readyText: string): Promise<void> {
  process.on('SIGTERM', () => process.exit(0))
  const began = once(process, 'SIGUSR2')
  // A signal handler alone does not keep a process alive.
  const alive = setInterval(() => undefined, 60_000)
  console.log(readyText)
  await began
  clearInterval(alive)
}
