import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

export interface CommandResult {
  code: number
  output: string
}

export interface CommandOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  owner?: { uid: number; gid: number } | undefined
}

const running = new Set<ChildProcess>()

/** Ends the programs that are still running, when everything stops. */
export function endRunningCommands(): void {
  for (const child of running) child.kill('SIGTERM')
}

/** Runs a program to its end and returns its exit code with all its output; 127 if it cannot be started. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: options.env }),
      ...options.owner,
    })
    running.add(child)
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    const output = () => Buffer.concat(chunks).toString('utf8')
    child.once('error', (error) => {
      running.delete(child)
      resolve({ code: 127, output: error.message })
    })
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 128, output: output() })
    })
  })
}

/** The same as {@link runCommand}, for programs that must succeed. */
export async function mustRun(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { code, output } = await runCommand(command, args, options)
  if (code !== 0)
    throw new Error(
      `${command} ended with status ${code}:\n${output.trim().split('\n').slice(-30).join('\n')}`,
    )
  return output
}
