import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from './run-command.ts'

const PATIENCE_MS = 20_000

/** Whether a process with this number exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The command line of a process; empty if there is none. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'win32' || !isAlive(pid)) return ''
  return (await runCommand('ps', ['-p', String(pid), '-o', 'args='])).output.trim()
}

/**
 * Ends the service that an earlier run left behind. The first line of `pidFile` names it, and `mark` in its
 * command line proves that the number was not given to another process since.
 */
export async function stopOrphan(pidFile: string, mark: string, signal: NodeJS.Signals): Promise<void> {
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1 || !(await commandLine(pid)).includes(mark)) return
  console.log(`· Stopping process ${pid}, left behind by an earlier run`)
  process.kill(pid, signal)
  const deadline = Date.now() + PATIENCE_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline)
      throw new Error(`Process ${pid} of an earlier run does not stop; end it and start again`)
    await delay(50)
  }
}
