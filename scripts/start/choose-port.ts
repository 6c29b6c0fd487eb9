import { freePort, isPortFree } from '../services/free-port.ts'

export interface PortWish {
  /** The variable that may fix the port, and its value. */
  variable: string
  fixed: string | undefined
  usual: number
  host: string
  what: string
}

/** The port that a variable fixes; else the usual one, or any free one when another program has that. */
export async function choosePort({ variable, fixed, usual, host, what }: PortWish): Promise<number> {
  if (fixed === '0') return freePort()
  const wanted = fixed === undefined ? usual : Number(fixed)
  if (await isPortFree(wanted, host)) return wanted
  if (fixed !== undefined) throw new Error(`${variable}: port ${fixed} is taken by another program`)
  const port = await freePort()
  console.log(`· Port ${usual} is taken by another program: ${what} uses ${port}`)
  return port
}
