import { open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { commandLine, isAlive } from '../services/stop-orphan.ts'

/** Thrown if another `npm start` already uses the same data. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
}

const CLAIM = 'start.pid'

/** @throws FolderInUseError if a running start has claimed `folder`; writes nothing */
export async function refuseClaimedFolder(folder: string): Promise<void> {
  const holder = Number(await readFile(path.join(folder, CLAIM), 'utf8').catch(() => ''))
  if (holder > 0 && isAlive(holder) && (await isStart(holder))) {
    throw new FolderInUseError(
      `Leadwire already runs with the data in ${folder} (process ${holder}). Stop it first, or set DATA_DIR to another folder.`,
    )
  }
}

/**
 * Makes sure that only one start uses `folder`; returns a function that releases it. A claim whose process
 * has ended is void.
 */
export async function claimDataFolder(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, CLAIM)
  for (;;) {
    try {
      const handle = await open(file, 'wx', 0o600)
      await handle.writeFile(String(process.pid))
      await handle.close()
      return () => rm(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    await refuseClaimedFolder(folder)
    await rm(file, { force: true })
  }
}

async function isStart(pid: number): Promise<boolean> {
  return process.platform === 'win32' || /scripts\/(start|dev)\.ts/.test(await commandLine(pid))
}
