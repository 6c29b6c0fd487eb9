import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const ROOT = path.dirname(require.resolve('kubernetes-models/package.json'))
const IMPORT = /^import \{ (\w+)(?:, \w+)* \} from "([^"]+)";$/gm
const MEMBER = /^ {4}"([\w$]+)"\??: (.+)$/gm

/**
 * The members of an object that Kubernetes does not know and would silently drop, such as a misspelt `readinessProb`;
 * the package's schemas accept them. It reads the names from the package's types.
 * @param type `apps/v1/Deployment`
 */
export function findUnknownMembers(object: unknown, type: string): string[] {
  return walk(object, path.join(ROOT, `${type}.d.ts`), type)
}

function walk(value: unknown, file: string, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => walk(item, file, `${at}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  const text = readFileSync(file, 'utf8')
  const members = new Map([...text.matchAll(MEMBER)].map(([, name = '', type = '']) => [name, type]))
  const imports = new Map([...text.matchAll(IMPORT)].map(([, name = '', from = '']) => [name, from]))
  // A type without members is a text, a number or any map.
  if (members.size === 0) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const type = members.get(name)
    if (type === undefined) return [`${at}.${name}`]
    const from = imports.get(/\bI[A-Z]\w+/.exec(type)?.[0] ?? '')
    return from === undefined ? [] : walk(member, resolveTypes(from, file), `${at}.${name}`)
  })
}

function resolveTypes(from: string, file: string): string {
  const target = from.startsWith('.')
    ? path.resolve(path.dirname(file), from)
    : path.resolve(ROOT, '..', from)
  return `${target.replace(/\.js$/, '')}.d.ts`
}
