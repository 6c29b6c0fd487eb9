import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** One browser for all pages; Lighthouse empties its caches before each. */
export async function openChromium(program: string): Promise<{ port: number; close: () => void }> {
  const profile = await mkdtemp(path.join(tmpdir(), 'leadwire-lighthouse-'))
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
  ]
  const child = spawn(
    program,
    [...args, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  child.once('exit', () => void rm(profile, { recursive: true, force: true }))
  for await (const line of createInterface({ input: child.stderr })) {
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(line)?.[1]
    if (port !== undefined) {
      child.stderr.resume()
      return { port: Number(port), close: () => child.kill() }
    }
  }
  throw new Error(`${program} ended before it could be spoken to`)
}
