import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { REPOSITORY } from '#scripts/lab/spawn-script.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** The members of a service that tests read. */
export interface ComposeService {
  image: string
  command?: string[]
  user?: string
  env_file?: string
  environment?: Record<string, string | number>
  volumes?: string[]
  ports?: string[]
  networks?: string[]
  profiles?: string[]
  tmpfs?: string[]
  restart?: string
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  cpus?: number
  mem_limit?: string
  pids_limit?: number
  logging?: { driver: string; options: Record<string, string> }
  healthcheck?: { test: string[] }
  stop_grace_period?: string
  depends_on?: Record<string, { condition: string }>
}

export interface Compose {
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean } | null>
  volumes: Record<string, unknown>
}

/** docker-compose.yml as it is written, with its anchors resolved. */
export function readCompose(): Compose {
  return parse(readFileSync(path.join(REPOSITORY, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose
}

/** The variables of a container, given those of `.env`: a service's own ones win over its file. */
export function environmentOf(
  { env_file, environment = {} }: ComposeService,
  dotEnv: Variables,
): Record<string, string> {
  const file = env_file === '.env' ? dotEnv : {}
  const own = Object.entries(environment).map(([name, value]) => [name, interpolate(String(value), dotEnv)])
  return { ...file, ...Object.fromEntries(own) } as Record<string, string>
}

/**
 * Compose's interpolation, as far as our file uses it: `$$`, `${NAME}`, `${NAME:-default}` and
 * `${NAME:?message}`, nested.
 * @throws Error with the message of a missing variable, or if it finds another form
 */
export function interpolate(text: string, variables: Variables): string {
  let result = ''
  for (let at = 0; at < text.length;) {
    if (text.startsWith('$$', at)) {
      result += '$'
      at += 2
    } else if (text.startsWith('${', at)) {
      const end = endOfExpression(text, at + 2)
      result += evaluate(text.slice(at + 2, end), variables)
      at = end + 1
    } else if (text[at] === '$') throw new Error(`An unknown form of a variable: ${text.slice(at, at + 20)}`)
    else {
      result += text[at]
      at += 1
    }
  }
  return result
}

function endOfExpression(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1
    if (text[at] === '}' && depth-- === 0) return at
  }
  throw new Error(`An expression without an end: ${text}`)
}

function evaluate(expression: string, variables: Variables): string {
  const [, name = '', operator, rest = ''] = /^([A-Z][A-Z0-9_]*)(?:(:-|:\?)([^]*))?$/.exec(expression) ?? []
  if (name === '') throw new Error(`An unknown form of a variable: ${expression}`)
  const value = variables[name] ?? ''
  if (value !== '' || operator === undefined) return value
  if (operator === ':?') throw new Error(interpolate(rest, variables))
  return interpolate(rest, variables)
}
