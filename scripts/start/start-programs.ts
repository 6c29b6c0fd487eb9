import path from 'node:path'
import { chooseHosts, choosePort, type Variables } from './choose-port.ts'
import type { Closers } from './closers.ts'
import { PortTakenError, supervise } from './supervise.ts'
import type { Program } from './supervise.ts'

export interface Addresses {
  /** The server's address on this machine. */
  server: string
  publicUrl: string
  crmUrl: string
}

/** Copies that start at the same moment may choose the same port; the later one chooses again. */
const TRIES = 3

/**
 * Starts sample CRM, worker and server with `shared` variables, on separate ports, and waits until all are
 * ready.
 */
export async function startPrograms(shared: Variables, logs: string, closers: Closers): Promise<Addresses> {
  for (let attempt = 1; ; attempt += 1) {
    const { addresses, programs } = await choosePrograms(shared, logs)
    const running = programs.map((program) => ({ name: `The ${program.name}`, ...supervise(program) }))
    const ready = Promise.all(running.map((one) => one.ready))
    const isUp = ready.then(
      () => true,
      (error: unknown) => {
        if (error instanceof PortTakenError && attempt < TRIES) return false
        throw error
      },
    )
    // If everything is already being stopped, the next line throws and nobody waits for this.
    isUp.catch(() => undefined)
    await Promise.all(running.map(({ name, stop }) => closers.add(name, stop)))
    if (await isUp) return addresses
    await Promise.all(running.map(({ name }) => closers.closeNow(name)))
  }
}

async function choosePrograms(shared: Variables, logs: string) {
  const { host, crmHost, isOpen } = chooseHosts(shared)
  const [fixed, fixedCrm] = [shared['PORT'], shared['SAMPLE_CRM_PORT']]
  const port = await choosePort({ variable: 'PORT', fixed, usual: 3000, host, what: 'Leadwire' })
  const crmPort = await choosePort({
    variable: 'SAMPLE_CRM_PORT',
    fixed: fixedCrm,
    usual: 3001,
    host: crmHost,
    what: 'the sample CRM',
  })
  const publicUrl = shared['PUBLIC_URL'] ?? `http://localhost:${port}`
  const reachable = isOpen ? '127.0.0.1' : host
  const server = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
  const env = {
    ...shared,
    PORT: String(port),
    HOST: host,
    PUBLIC_URL: publicUrl,
    SAMPLE_CRM_PORT: String(crmPort),
    LOG_LEVEL: keptLevel(shared['LOG_LEVEL']),
    // Node resolves names on half of these threads. With its default of four, a few slow names block all
    // look-ups.
    UV_THREADPOOL_SIZE: shared['UV_THREADPOOL_SIZE'] ?? '400',
  }
  const program = (
    name: string,
    script: string,
    file: string,
    isReady: Program['isReady'],
    own = {},
  ): Program => {
    return { name, script, env: { ...env, ...own }, logFile: path.join(logs, file), isReady }
  }
  // The output is checked first: if the port was taken, another copy's server would answer.
  const programs = [
    program('sample CRM', 'scripts/sample-crm.ts', 'sample-crm.log', printed('Sample CRM at http'), {
      HOST: crmHost,
    }),
    program('worker', 'worker/main.ts', 'worker.log', printed('"msg":"worker ready"')),
    program('server', 'server/main.ts', 'server.log', async (lines) => {
      return printed('"msg":"server ready"')(lines) && answers(`${server}/readyz`)
    }),
  ]
  return { addresses: { server, publicUrl, crmUrl: `http://127.0.0.1:${crmPort}` }, programs }
}

function printed(text: string) {
  return (lines: readonly string[]) => lines.some((line) => line.includes(text))
}

/**
 * Readiness is read from the log, so the files keep at least `info`; the terminal shows only warnings anyway.
 */
function keptLevel(level: string | undefined): string {
  return level === 'debug' ? level : 'info'
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}
