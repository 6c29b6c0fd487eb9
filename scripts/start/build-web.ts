import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustRun } from '../services/run-command.ts'
import { step } from '../services/step.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const BUILT = path.join(REPOSITORY, 'dist/web')
const SOURCES = [
  'web',
  'docs/site',
  'scripts/site',
  'scripts/app-build',
  'core/contract',
  'core/domain',
  // The API reference is made from its routes.
  'server',
  'vite.config.ts',
  'package-lock.json',
  'tsconfig.json',
]

/** Builds the web app unless dist/web was built from exactly these sources; returns whether it built. */
export async function buildWeb(): Promise<boolean> {
  const stampFile = path.join(BUILT, '.sources')
  const stamp = await fingerprint()
  const built = existsSync(stampFile) ? await readFile(stampFile, 'utf8') : ''
  if (built === stamp) return false
  await step(
    'Building the web app',
    () => buildAll(),
    () => 'Web app built',
  )
  await writeFile(stampFile, stamp)
  return true
}

async function buildAll(): Promise<void> {
  const vite = path.join(REPOSITORY, 'node_modules/vite/bin/vite.js')
  await mustRun(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: REPOSITORY })
  await mustRun(process.execPath, [path.join(REPOSITORY, 'scripts/build-site.ts')], { cwd: REPOSITORY })
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await filesOf(path.join(REPOSITORY, source))) {
      hash.update(path.relative(REPOSITORY, file)).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

async function filesOf(entry: string): Promise<string[]> {
  if (path.extname(entry) !== '') return existsSync(entry) ? [entry] : []
  if (!existsSync(entry)) return []
  const entries = await readdir(entry, { recursive: true, withFileTypes: true })
  const files = entries.filter((found) => found.isFile())
  return files.map((file) => path.join(file.parentPath, file.name)).toSorted()
}
