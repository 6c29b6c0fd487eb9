import { spawn } from 'node:child_process'

/** A command whose exit code tells about a file: 0 is clean, 1 is infected. */
export interface ScanSettings {
  /** its words; the path of the file is added as the last one */
  command: readonly string[]
  timeoutMs: number
}

/** The result of a scan; `failed` carries the reason for the log, which says nothing about the file. */
export type ScanResult = { kind: 'clean' } | { kind: 'infected' } | { kind: 'failed'; reason: string }

/** The command gets none of our environment, which holds secrets. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }

/** Runs the command on one file, without a shell. Its output is not read, because it may quote the file. */
export function scanFile({ command, timeoutMs }: ScanSettings, path: string): Promise<ScanResult> {
  const [program = '', ...words] = command
  return new Promise((resolve) => {
    const child = spawn(program, [...words, path], {
      stdio: 'ignore',
      env: ENVIRONMENT,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ kind: 'failed', reason: `it cannot be run: ${error.code ?? error.name}` })
    })
    child.once('close', (code, signal) => {
      if (code === 0) resolve({ kind: 'clean' })
      else if (code === 1) resolve({ kind: 'infected' })
      else
        resolve({
          kind: 'failed',
          reason: code === null ? `it was ended by ${signal}` : `it exited with ${code}`,
        })
    })
  })
}
