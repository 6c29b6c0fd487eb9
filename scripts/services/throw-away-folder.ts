import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder for the services of one run, in the temporary folder. */
export async function makeThrowAwayFolder(name: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(path.join(parent, `leadwire-${name}-`))
  // PostgreSQL's account must be able to reach its data, but mkdtemp lets nobody else in.
  await chmod(folder, 0o711)
  return folder
}

/**
 * @param postgres the folder in it for PostgreSQL's data, which may be a link to another place (see
 * postgres.ts)
 */
export async function removeThrowAwayFolder(folder: string, postgres = 'postgres'): Promise<void> {
  const data = await realpath(path.join(folder, postgres)).catch(() => folder)
  await rm(data, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
