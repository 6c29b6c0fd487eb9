import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { distribution, hasApt, unpackedFolder, unpackPackages } from '../services/deb-packages.ts'
import { runCommand } from '../services/run-command.ts'
import { step } from '../services/step.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** A shell without windows costs a third less, so it is fetched even if a whole Chromium is installed. */
const SHELL = 'chromium-headless-shell'
/**
 * Debian keeps files that both Chromiums share in chromium-common, which apt skips if it is installed. The
 * shell looks for these files in its own folder, so the package is named here.
 */
const SHELL_PACKAGES = [SHELL, 'chromium-common']
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * A Chromium that starts: `given`, Debian's shell, an installed one, Playwright's own, or one fetched now.
 * Throws an error that says what to install.
 */
export async function findChromium(given: string | undefined): Promise<string> {
  if (given === undefined) {
    const found =
      (await firstThatStarts([`/usr/bin/${SHELL}`, await unpackedBefore()])) ??
      ((await distribution()).startsWith('debian-') ? await unpackShell() : undefined) ??
      (await firstThatStarts(USUAL_PLACES))
    if (found !== undefined) return found
  } else if (await starts(given)) return given
  const { chromium } = await import('@playwright/test')
  if (await starts(chromium.executablePath())) return chromium.executablePath()
  const fetched = (await fromPlaywright()) ?? (await fromDistribution())
  if (fetched !== undefined) return fetched
  throw new Error(
    'No Chromium was found, and none could be fetched: install Chromium or Google Chrome, or set CHROMIUM_PATH',
  )
}

async function firstThatStarts(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) if (await starts(place)) return place
  return undefined
}

async function starts(place: string): Promise<boolean> {
  return existsSync(place) && (await runCommand(place, ['--version'])).code === 0
}

/** The shell that an earlier run has unpacked, if any. */
async function unpackedBefore(): Promise<string> {
  return path.join(await unpackedFolder(SHELL), SHELL)
}

async function fromPlaywright(): Promise<string | undefined> {
  const command = path.join(REPOSITORY, 'node_modules/@playwright/test/cli.js')
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }
  const install = () => runCommand(process.execPath, [command, 'install', 'chromium'], { env })
  const { code } = await step('Fetching Chromium, once', install, (result) => {
    return result.code === 0 ? 'Chromium fetched' : 'Playwright offers no download of Chromium here'
  })
  const { chromium } = await import('@playwright/test')
  return code === 0 && (await starts(chromium.executablePath())) ? chromium.executablePath() : undefined
}

const unpackShell = () => unpackChromium(SHELL, SHELL_PACKAGES)

/** The distribution's whole Chromium, unpacked beside the system. */
const fromDistribution = () => unpackChromium('chromium', ['chromium'])

/**
 * The program of a package, as a script that sets its library path; undefined if there is no such package.
 */
async function unpackChromium(name: string, packages: readonly string[]): Promise<string | undefined> {
  if (!(await hasApt())) return undefined
  try {
    const { root, libraryPath } = await unpackPackages(name, packages)
    const script = path.join(root, name)
    const program = path.join(root, 'usr/lib/chromium', name)
    await writeFile(script, `#!/bin/sh\nLD_LIBRARY_PATH='${libraryPath}' exec '${program}' "$@"\n`)
    await chmod(script, 0o755)
    return (await starts(script)) ? script : undefined
  } catch (error) {
    console.log(`  ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
