import type { z } from 'zod'
import { problemSchema } from '#core/contract/problem.ts'
import type { Route } from '#server/http/route.ts'
import { OTHER, type Age, type Version } from './versions.ts'

const ANSWER_LIMIT_MS = 20_000

/** A server of one of the versions, and the caller's token for it. */
export interface Door {
  age: Age
  url: string
}

export interface Call {
  method?: Uppercase<Route['method']>
  path: string
  /** an access token, or a source's key */
  token: string
  body?: unknown
  /** `Idempotency-Key` */
  key?: string
}

export interface Answer {
  status: number
  body: unknown
}

/** A route's method and path. */
type Place = Pick<Route, 'method' | 'path'>

export interface Asker {
  /** Calls a server as a page would. A server that does not answer gives status 0, which is a fault. */
  ask: (door: Door, call: Call) => Promise<Answer>
  /** routes whose answers the other version has read, for the servers of each version */
  read: Readonly<Record<Age, ReadonlySet<string>>>
  /** answers that the other version could not read, each once, with its count */
  unreadable: ReadonlyMap<string, number>
}

/**
 * Asks servers of both versions, and checks each answer against the schema that the other version's pages
 * expect.
 */
export function createAsker(versions: Readonly<Record<Age, Version>>): Asker {
  const read = { before: new Set<string>(), this: new Set<string>() }
  const unreadable = new Map<string, number>()

  async function ask(door: Door, call: Call): Promise<Answer> {
    const answer = await exchange(door, call)
    const method = call.method ?? 'GET'
    const route = routeKnownTo(versions[OTHER[door.age]], versions[door.age], method, call.path)
    const where = `${method} ${route?.path ?? call.path}`
    const fault = faultOf(route, answer)
    if (fault !== undefined) {
      const what = `${where} of ${nameOf(door.age)}, read by ${nameOf(OTHER[door.age])}: ${fault}`
      unreadable.set(what, (unreadable.get(what) ?? 0) + 1)
    } else if (route !== undefined) read[door.age].add(where)
    return answer
  }
  return { ask, read, unreadable }
}

export function nameOf(age: Age): string {
  return age === 'before' ? 'the version before' : 'this version'
}

async function exchange(door: Door, { method = 'GET', path, token, body, key }: Call): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== undefined) headers['idempotency-key'] = key
  try {
    const response = await fetch(`${door.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    })
    const type = response.headers.get('content-type')
    const text = await (type?.startsWith('text/event-stream') === true
      ? readBeginning(response)
      : response.text())
    return { status: response.status, body: readBody(text, type) }
  } catch (error) {
    return { status: 0, body: error instanceof Error ? error.message : String(error) }
  }
}

/** Reads the first message of a stream, which would go on. */
async function readBeginning({ body }: Response): Promise<string> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

/** Files, such as CSV, stay text: their routes declare no schema. */
export function readBody(text: string, type: string | null): unknown {
  if (text === '') return undefined
  return type === null || /\bjson\b/.test(type) ? JSON.parse(text) : text
}

/**
 * The route that a page of `reader` asks for at this path. Undefined if the server matches another route: the
 * reader may match `/webhook-configs/limit` as an id, but none of its pages asks for that.
 */
export function routeKnownTo<Known extends Place>(
  reader: { routes: readonly Known[] },
  server: { routes: readonly Place[] },
  method: string,
  path: string,
): Known | undefined {
  const route = findRoute(reader.routes, method, path)
  const served = findRoute(server.routes, method, path)
  const isAnother = served !== undefined && shapeOf(served) !== shapeOf(route)
  return isAnother ? undefined : route
}

/** A parameter of a path may be renamed without making another route. */
function shapeOf(route: Place | undefined): string | undefined {
  return route?.path.replaceAll(/:\w+/g, ':')
}

/** Fixed paths first, like the server. */
function findRoute<Known extends Place>(
  routes: readonly Known[],
  method: string,
  path: string,
): Known | undefined {
  const parts = path.replace(/\?.*$/, '').split('/')
  const fits = (route: Place): boolean => {
    const own = route.path.split('/')
    return own.length === parts.length && own.every((part, at) => part.startsWith(':') || part === parts[at])
  }
  return routes
    .filter((route) => route.method === method.toLowerCase() && fits(route))
    .toSorted((one, other) => Number(one.path.includes(':')) - Number(other.path.includes(':')))[0]
}

/** The reason why a page that knows this route could not read the answer; undefined if it can. */
export function faultOf(
  route: Pick<Route, 'answers'> | undefined,
  { status, body }: Answer,
): string | undefined {
  if (status === 0) return 'no answer'
  // The reader's pages never ask for it.
  if (route === undefined) return undefined
  const declared = route.answers[status]
  if (declared === null) return undefined
  if (declared === undefined && status < 400) return `a ${status}, which it does not know`
  return refusal(declared ?? problemSchema, body, status)
}

/** Names the place and the kind of the mismatch, never the value: answers hold leads. */
function refusal(schema: z.ZodType, body: unknown, status: number): string | undefined {
  const { error } = schema.safeParse(body)
  if (error === undefined) return undefined
  const places = error.issues.map(({ path, code }) => {
    const place = path.map((part) => (typeof part === 'number' ? '…' : String(part))).join('.')
    return `${place} (${code})`
  })
  return `a ${status} that its schema refuses at ${[...new Set(places)].join(', ')}`
}
