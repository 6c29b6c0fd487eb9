import { freePort, isPortFree } from '../services/free-port.ts'

/** The port that was asked for by name; else the usual one, or any free one when another program has that. */
export async function choosePort(
  wanted: string | undefined,
  usual: number,
  host: string,
  what: string,
): Promise<number> {
  if (wanted !== undefined && wanted !== '0') return Number(wanted)
  if (wanted !== '0' && (await isPortFree(usual, host))) return usual
  const port = await freePort()
  if (wanted !== '0') console.log(`· Port ${usual} is taken by another program: ${what} uses ${port}`)
  return port
}
