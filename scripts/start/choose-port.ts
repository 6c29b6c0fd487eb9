import { freePort, isPortFree } from '../services/free-port.ts'

export interface PortWish {
  /** The variable that may fix the port, and its value. */
  variable: string
  fixed: string | undefined
  usual: number
  host: string
  what: string
}

/** The port that a variable fixes; else the usual one, or any free one if another program has that. */
export async function choosePort({ variable, fixed, usual, host, what }: PortWish): Promise<number> {
  if (fixed === '0') return freePort()
  const wanted = fixed === undefined ? usual : Number(fixed)
  if (await isPortFree(wanted, host)) return wanted
  if (fixed !== undefined) throw new Error(takenText(variable, fixed))
  const port = await freePort()
  console.log(`· Port ${usual} is taken by another program: ${what} uses ${port}`)
  return port
}

function takenText(variable: string, port: string): string {
  return `${variable}: port ${port} is taken by another program`
}

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Chooses the hosts of server and sample CRM. Under `npm start`, endpoints may point at one private network,
 * the loopback.
 */
export function chooseHosts(set: Variables): { host: string; crmHost: string; isOpen: boolean } {
  const host = set['HOST'] ?? '127.0.0.1'
  const isOpen = host === '0.0.0.0' || host === '::'
  return { host, crmHost: isOpen ? host : '127.0.0.1', isOpen }
}

/** One line for each fixed port that another program has, found before anything is started or written. */
export async function findTakenPorts(set: Variables): Promise<string[]> {
  const { host, crmHost } = chooseHosts(set)
  const wishes = [
    ['PORT', host],
    ['SAMPLE_CRM_PORT', crmHost],
  ] as const
  const faults: string[] = []
  for (const [variable, where] of wishes) {
    const fixed = set[variable]
    // 0 means any free port; an invalid number is reported elsewhere.
    if (fixed === undefined || !/^[1-9]\d{0,4}$/.test(fixed) || Number(fixed) > 65_535) continue
    if (!(await isPortFree(Number(fixed), where))) faults.push(takenText(variable, fixed))
  }
  return faults
}
