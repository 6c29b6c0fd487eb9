import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder for services of one run, among the temporary ones. */
export async function makeThrowAwayFolder(name: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(path.join(parent, `leadwire-${name}-`))
  // The account that PostgreSQL runs as must get through to its data; mkdtemp lets nobody else in.
  await chmod(folder, 0o711)
  return folder
}

/** @param postgres where in it PostgreSQL keeps its data, which may lie elsewhere, behind a link (see postgres.ts) */
export async function removeThrowAwayFolder(folder: string, postgres = 'postgres'): Promise<void> {
  const data = await realpath(path.join(folder, postgres)).catch(() => folder)
  await rm(data, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
