import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { mustRun, runCommand } from './run-command.ts'
import { step } from './step.ts'

/** Programs unpacked from Debian packages into our own folder, without root or a change to the system. */
export interface Unpacked {
  root: string
  /** For LD_LIBRARY_PATH: the folders of `root` that hold shared libraries. */
  libraryPath: string
}

/** Whether this is Debian, Ubuntu or a relative, with the two programs that this needs. */
export async function hasApt(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const found = await Promise.all([runCommand('apt-get', ['--version']), runCommand('dpkg', ['--version'])])
  return found.every(({ code }) => code === 0)
}

/** Downloads `packages` and their missing dependencies once; later calls use the cache. */
export async function unpackPackages(name: string, packages: readonly string[]): Promise<Unpacked> {
  const root = await unpackedFolder(name)
  if (!existsSync(path.join(root, '.complete'))) {
    await step(`Getting ${name} from the distribution's packages, once`, () => download(root, packages))
  }
  return { root, libraryPath: (await libraryFolders(root)).join(':') }
}

/** The folder in which {@link unpackPackages} keeps this name. */
export async function unpackedFolder(name: string): Promise<string> {
  return path.join(await cacheFolder(), `${name}-${await distribution()}-${process.arch}`)
}

async function download(root: string, packages: readonly string[]): Promise<void> {
  await mkdir(path.dirname(root), { recursive: true })
  const work = await mkdtemp(`${root}.`)
  try {
    const apt = await privateApt(path.join(work, 'apt'))
    await mustRun('apt-get', [...apt, '--quiet', 'update'])
    const plan = await mustRun('apt-get', [
      ...apt,
      '--simulate',
      '--no-install-recommends',
      'install',
      ...packages,
    ])
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name ?? '')
    // The plan leaves out packages that the system has, but the requested package may be one of them.
    const wanted = [...new Set([...packages, ...missing])]
    await mustRun('apt-get', [...apt, '--quiet', 'download', ...wanted], { cwd: work })
    const tree = path.join(work, 'tree')
    for (const file of (await readdir(work)).filter((entry) => entry.endsWith('.deb'))) {
      await mustRun('dpkg', ['-x', path.join(work, file), tree])
    }
    await writeFile(path.join(tree, '.complete'), `${wanted.join('\n')}\n`)
    // A folder without the mark is an unfinished one of an earlier run; one with it was finished by another
    // copy meanwhile.
    if (!existsSync(path.join(root, '.complete'))) await rm(root, { recursive: true, force: true })
    await rename(tree, root).catch((error: unknown) => {
      if (!existsSync(path.join(root, '.complete'))) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Options that keep apt's lists and downloads in `folder`, so that it needs no root and takes no lock. */
async function privateApt(folder: string): Promise<string[]> {
  const lists = path.join(folder, 'lists')
  const cache = path.join(folder, 'cache')
  await mkdir(path.join(lists, 'partial'), { recursive: true })
  await mkdir(path.join(cache, 'archives', 'partial'), { recursive: true })
  const options = [
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${cache}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ]
  return [...options, 'APT::Get::AllowUnauthenticated=false'].flatMap((option) => ['-o', option])
}

async function libraryFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return [
    ...new Set(entries.filter((entry) => /\.so(\.|$)/.test(entry.name)).map((entry) => entry.parentPath)),
  ]
}

/** `$XDG_CACHE_HOME/leadwire`: shared by all copies of one user. */
export async function cacheFolder(): Promise<string> {
  const folder = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'leadwire')
  await mkdir(folder, { recursive: true })
  return folder
}

/** For example `debian-12`. */
export async function distribution(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(release)?.[1] ?? 'unknown'
  return `${field('ID')}-${field('VERSION_ID')}`
}
