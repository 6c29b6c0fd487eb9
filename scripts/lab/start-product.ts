import path from 'node:path'
import { freePort } from '../services/free-port.ts'
import { startProcess, type LabProcess, type ProcessOrder } from './start-process.ts'
import type { Variables } from './spawn-script.ts'

/** Options of a run; script, variables and readiness are the product's own. */
export type Manner = Omit<ProcessOrder, 'script' | 'env' | 'isReady'>

export interface LabServer extends LabProcess {
  url: string
}

/**
 * The folder in which npm test has bundled them (scripts/test/bundle-programs.ts); without it they run from
 * their sources.
 */
const BUNDLES = process.env['PROGRAMS_FOLDER']

/** The script of the real server or worker. */
export function findProgram(name: 'server' | 'worker', { folder }: Manner = {}): string {
  // Another checkout is not bundled.
  return BUNDLES === undefined || folder !== undefined ? `${name}/main.ts` : path.join(BUNDLES, `${name}.mjs`)
}

/** Starts the real server, on a free port if `env` names none; it is ready when `/readyz` says so. */
export async function startServer(env: Variables, manner: Manner = {}): Promise<LabServer> {
  const port = env['PORT'] ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const server = await startProcess({
    ...manner,
    script: findProgram('server', manner),
    name: manner.name ?? 'server',
    env: { PUBLIC_URL: url, ...env, PORT: port },
    isReady: async () => {
      try {
        return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok
      } catch {
        return false
      }
    },
  })
  return { url, ...server }
}

/** Starts the real worker; it is ready when its log says so. */
export function startWorker(env: Variables, manner: Manner = {}): Promise<LabProcess> {
  return startProcess({
    ...manner,
    script: findProgram('worker', manner),
    name: manner.name ?? 'worker',
    // At this level the log says that it is ready.
    env: { ...env, LOG_LEVEL: env['LOG_LEVEL'] === 'debug' ? 'debug' : 'info' },
    isReady: '"msg":"worker ready"',
  })
}
