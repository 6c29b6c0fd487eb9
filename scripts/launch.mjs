// Starts scripts on a machine that has only npm and some Node from 18 on: installs what is missing, then runs
// scripts/<name>.ts on the Node that comes with the packages. Plain JavaScript, no dependencies.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const NODE = path.join(REPOSITORY, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const LOCK = path.join(REPOSITORY, '.cache', 'install.lock')
const REMINDER_MS = 10_000

process.chdir(REPOSITORY)
try {
  await installOnce()
  await handOver(process.argv[2] ?? 'start', process.argv.slice(3))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** npm writes node_modules/.package-lock.json last, so an interrupted installation counts as none. */
function isInstalled() {
  const installedFile = path.join(REPOSITORY, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile) || !existsSync(NODE)) return false
  const wanted = JSON.parse(readFileSync(path.join(REPOSITORY, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return Object.entries(wanted).every(([folder, { version, optional, devOptional }]) => {
    if (folder === '') return true
    const found = installed[folder]
    return found === undefined ? optional === true || devOptional === true : found.version === version
  })
}

/** One installation at a time: `npm start` and `npm test` may run at once in a fresh clone. */
async function installOnce() {
  if (isInstalled()) return
  mkdirSync(path.dirname(LOCK), { recursive: true })
  let hasSaid = false
  while (!takeLock()) {
    if (!hasSaid) console.log('· Packages are being installed by another command; waiting for it …')
    hasSaid = true
    if (isAlive(Number(readFileSync(LOCK, 'utf8')))) await delay(500)
    else rmSync(LOCK, { force: true })
  }
  try {
    if (!isInstalled()) await install()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return !existsSync(LOCK) && takeLock()
  }
}

function isAlive(pid) {
  try {
    // Signal 0 only checks; number 0 would mean our own group.
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function install() {
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  console.log('· Installing packages (npm ci) …')
  const reminder = setInterval(
    () => console.log(`· Installing packages: still at it after ${seconds()}`),
    REMINDER_MS,
  )
  const npm = process.env.npm_execpath
  const [command, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const args = [
    ...before,
    'ci',
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--loglevel=error',
  ]
  const code = await run(command, args, { shell: command === 'npm' && process.platform === 'win32' })
  clearInterval(reminder)
  if (code !== 0) throw new Error(`npm ci failed after ${seconds()} with status ${code}`)
  console.log(`✓ Packages installed (${seconds()})`)
}

async function handOver(name, args) {
  const preload = new URL('./services/stop-with-parent.ts', import.meta.url).href
  const script = path.join(REPOSITORY, 'scripts', `${name}.ts`)
  // The channel tells the script when we have ended, even by SIGKILL.
  process.exitCode = await run(NODE, ['--import', preload, script, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    shell: process.platform === 'win32',
  })
}

/** Passes on the signals that end us, and waits: our parent must not be told too early that all has ended. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => child.kill(signal)])
    for (const [signal, listener] of listeners) process.on(signal, listener)
    // npm killed by SIGKILL tells nobody; a new parent process reveals it.
    const parent = process.ppid
    const orphanage = setInterval(() => {
      if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) child.kill('SIGTERM')
    }, 1_000)
    const end = () => {
      clearInterval(orphanage)
      for (const [signal, listener] of listeners) process.off(signal, listener)
    }
    child.once('error', (cause) => {
      end()
      reject(new Error(`${command} cannot be started`, { cause }))
    })
    child.once('exit', (code, signal) => {
      end()
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}
