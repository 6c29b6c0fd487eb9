import type { Bearer, Id, Policy, World } from './wire-world.ts'

/** One case of the authentication API: a request and the expected answer. */
export interface WireRow {
  /** a present-tense fact that is read after the call: `POST /signup: wants a password` */
  name: string
  /** the server to ask; the open one if undefined */
  on?: Policy
  /** `METHOD /path?query`; `{name}` stands for an id of the world */
  call: `${string} /${string}`
  as?: Bearer
  /** headers beside those of the client library */
  headers?: Record<string, string>
  /**
   * A string is sent as it is, any other value as JSON. A function is called first (it may set up test data), and its
   * result is sent.
   */
  body?: unknown
  gets: number
  code?: string
  /** the member `error` of OAuth-style refusals */
  oauthError?: string
  /** the message, word for word or as a pattern */
  says?: string | RegExp
  /** checks the rest of a successful answer */
  shows?: (answer: WireAnswer, world: World) => void | Promise<void>
}

export interface WireAnswer {
  status: number
  headers: Headers
  /** empty without a body */
  body: WireBody
}

/** Members of answers that rows check; which of them exist is up to each row. */
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

/** A body that needs preparation in the world first. */
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
