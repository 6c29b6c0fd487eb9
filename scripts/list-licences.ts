import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * `node scripts/list-licences.ts` prints the licence of each package in node_modules with its text. The image holds the packages
 * of production only, and keeps this list. Vite lists those of the web app (`build.license`).
 */
interface PackageFile {
  name: string
  version: string
  license?: string | { type: string }
}

const packages = findPackages('node_modules').map((folder) => ({
  ...(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageFile),
  folder,
}))
const unique = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]))
for (const [title, { license, folder }] of [...unique].toSorted(([a], [b]) => a.localeCompare(b))) {
  const kind = typeof license === 'object' ? license.type : license
  console.log(`${'='.repeat(80)}\n${title}: ${kind ?? 'see the text'}\n\n${readTexts(folder)}`)
}

/** Folders of packages, those inside of other packages included. */
function findPackages(modules: string): string[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const folders = names.flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(path.join(modules, name)).map((inner) => path.join(modules, name, inner))
      : [path.join(modules, name)],
  )
  return folders
    .filter((folder) => readdirSync(folder).includes('package.json'))
    .flatMap((folder) => [
      folder,
      ...(readdirSync(folder).includes('node_modules')
        ? findPackages(path.join(folder, 'node_modules'))
        : []),
    ])
}

function readTexts(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)(\.|-|$)/i.test(name))
  const texts = files.map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
  return `${texts.join('\n\n')}\n`
}
