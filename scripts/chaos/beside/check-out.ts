import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { REPOSITORY } from '../../lab/spawn-script.ts'
import { mustRun, runCommand } from '../../services/run-command.ts'
import { step } from '../../services/step.ts'
import { makeThrowAwayFolder } from '../../services/throw-away-folder.ts'

/** A version of the product that can be run. */
export interface CheckOut {
  /** its display name: a short commit, or the folder's name */
  name: string
  folder: string
  remove: () => Promise<void>
}

/**
 * An older version, ready to run. A folder with its packages is used as it is. A git ref is checked out into
 * a throw-away folder; it shares our packages if its package-lock.json is the same, and otherwise gets its
 * own.
 * @throws if it is neither
 */
export async function checkOut(refOrFolder: string): Promise<CheckOut> {
  if (existsSync(path.join(refOrFolder, 'package.json'))) {
    const folder = path.resolve(refOrFolder)
    if (!existsSync(path.join(folder, 'node_modules')))
      throw new Error(`${folder} lacks its packages: npm ci`)
    return { name: path.basename(folder), folder, remove: async () => undefined }
  }
  const git = (...args: string[]) => runCommand('git', args, { cwd: REPOSITORY })
  const found = await git('rev-parse', '--verify', '--quiet', '--short', `${refOrFolder}^{commit}`)
  if (found.code !== 0) throw new Error(`${refOrFolder} is neither a folder of Leadwire nor a commit`)
  const name = found.output.trim()
  const parent = await makeThrowAwayFolder('before')
  const remove = () => rm(parent, { recursive: true, force: true })
  try {
    const folder = path.join(parent, name)
    // No worktree, because an interrupted run would leave it registered in the repository.
    const archive = path.join(parent, 'before.tar')
    await mustRun('git', ['archive', '--format=tar', `--output=${archive}`, name], { cwd: REPOSITORY })
    await mkdir(folder)
    await mustRun('tar', ['-xf', archive, '-C', folder])
    await givePackages(folder)
    return { name, folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function givePackages(folder: string): Promise<void> {
  const [its, ours] = await Promise.all(
    [folder, REPOSITORY].map((one) => readFile(path.join(one, 'package-lock.json'), 'utf8')),
  )
  if (its === ours) {
    await symlink(path.join(REPOSITORY, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
    return
  }
  // It runs on our Node, so a package that brings another one is left out.
  const args = ['ci', '--omit=dev', '--omit=optional', '--prefer-offline', '--loglevel=error']
  await step('Installing the packages of the version before', () => mustRun('npm', args, { cwd: folder }))
}
