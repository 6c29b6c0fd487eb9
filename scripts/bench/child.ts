import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const STOP_WITH_PARENT = fileURLToPath(new URL('../services/stop-with-parent.ts', import.meta.url))

export interface Child {
  pid: number
  stop: () => Promise<void>
}

/**
 * Runs a script of this repository as a process of its own and waits until it prints `readyText`.
 * @param profileFolder where Node writes what the process spent its time on (--cpu-prof)
 */
export async function startChild(
  script: string,
  env: Record<string, string>,
  readyText: string,
  profileFolder?: string,
): Promise<Child> {
  const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const child = spawn(process.execPath, [...profile, '--import', STOP_WITH_PARENT, script], {
    cwd: REPOSITORY,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await ready(child, script, readyText)
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function ready(child: ChildProcess, script: string, readyText: string): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => {
      reject(new Error(`${script} ended with ${code}:\n${output.slice(-2000)}`))
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.length < 100_000) output += chunk.toString('utf8')
      if (output.includes(readyText)) resolve()
    })
  })
}
