import type { Bearer, Id, Policy, World } from './wire-world.ts'

/** One case of the wire: what is sent, and what has to come back. */
export interface WireRow {
  /** a fact, present tense, that reads after the call: `POST /signup: wants a password` */
  name: string
  /** which server is asked; the open one where undefined */
  on?: Policy
  /** `METHOD /path?query`; `{name}` stands for an id of the world */
  call: `${string} /${string}`
  as?: Bearer
  /** headers beside those of the client library */
  headers?: Record<string, string>
  /** text is sent as it is, everything else as JSON; a function may prepare what the row is about */
  body?: unknown
  gets: number
  code?: string
  /** of the OAuth-style refusals: the member `error` */
  oauthError?: string
  /** the message, word for word or by its pattern */
  says?: string | RegExp
  /** what else a good answer holds */
  shows?: (answer: WireAnswer, world: World) => void | Promise<void>
}

export interface WireAnswer {
  status: number
  headers: Headers
  /** empty where there is none */
  body: WireBody
}

/** Members of answers that rows look at; which of them are there is what the rows say. */
export interface WireBody {
  [member: string]: unknown
  message?: string
  msg?: string
  error_description?: string
  weak_password?: { reasons: string[] }
  email?: string
  user?: WireBody
  users?: unknown[]
  totp?: { qr_code: string; secret: string; uri: string }
  keys?: Record<string, unknown>[]
  banned_until?: string
  hashed_token?: string
}

/** A body that has to be prepared in the world first. */
export function prepared(make: (world: World) => unknown): (world: World) => unknown {
  return make
}

/** Fills the ids into a path. */
export async function fillPath(path: string, world: World): Promise<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as Id)
  let filled = path
  for (const name of names) filled = filled.replace(`{${name}}`, await world.id(name))
  return filled
}
