import type { z } from 'zod'
import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import type { Sender } from '../admission/sender.ts'
import type { May } from '../identity/act-for-account.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import type { BodyKind } from './body/read-body.ts'

/** The callers of routes, and what a handler learns about each. */
export interface Callers {
  public: undefined
  /** signed in or not; an invalid token counts as none */
  anybody: Principal | undefined
  user: Principal
  /** a user who may still owe the second factor */
  'user by any proof': Principal
  admin: Principal
  source: SourceCaller
  'source or user': SourceCaller | Principal
}
export type Who = keyof Callers

/** One authorised, parsed request. `id` is the `:id` of the path, already validated as a UUID. */
export interface Call<W extends Who = Who, Query = unknown, Body = unknown> {
  context: ServerContext
  caller: Callers[W]
  /** the name that its limits are counted by */
  sender: Sender
  /** the address and browser it comes from, for the audit log */
  from: Caller
  id: string
  /** the `:day` of the path, already validated as YYYY-MM-DD */
  day: string
  query: Query
  body: Body
  /** the body's text, unchanged */
  bodyText: string
  /** its bytes, to verify a signature over them */
  bodyBytes: Buffer
  /** one of the request's headers */
  header: (name: string) => string | undefined
  /** the `Idempotency-Key` header, trimmed; undefined if there is none, or the route takes none */
  idempotencyKey: string | undefined
  /** whether the caller has hung up */
  isGone: () => boolean
  /** called once, when the caller has hung up or the answer has been sent */
  onGone: (act: () => void) => void
}

/**
 * A handler's answer: a value, JSON text if numbers and key order must be kept, or pieces of a long answer.
 */
export interface Answer {
  status: number
  json?: unknown
  text?: string
  /** long JSON text in parts, which are sent one after the other */
  parts?: readonly string[]
  /** bytes that are sent unchanged, possibly compressed */
  bytes?: Buffer
  /** pieces of a long answer, made while it is sent, so that it is never whole in memory */
  pieces?: AsyncIterable<string>
  type?: string
  headers?: Readonly<Record<string, string>>
}

/**
 * One row of the route table: who may call it, what it takes, what it answers. The OpenAPI document is made
 * of these.
 */
export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
  who: Who
  /** what an administrator's role must include; {@link needsOf} has the default */
  needs?: AdminPermission
  /** what the role of a person in the account must include; {@link mayOf} has the default */
  may?: May
  summary: string
  /** details that do not fit into the summary */
  description?: string
  takes?: BodyKind
  /** takes an `Idempotency-Key`: a repeat with it changes nothing (docs/contract.md §4) */
  takesKey?: true
  query?: z.ZodType
  body?: z.ZodType
  /** the handler parses the body itself, because its refusals are no problem documents */
  readsBodyItself: boolean
  answers: Readonly<Record<number, z.ZodType | null>>
  /**
   * the answer takes as long as its reader, so it waits in the account's queue for downloads, not for screens
   */
  isDownload?: true
  /**
   * it only reads, and its answer may be some seconds old: `context.db` can be a replica, never for an account that wrote
   * something within the last seconds
   */
  mayLag?: true
  /** its 200 is a stream of server-sent events that stays open; the value is an example */
  streams?: string
  handle: (call: Call) => Promise<Answer>
}

/**
 * Returns what an administrator's role must include for this route. Reading is open to every role; a change that
 * declares nothing is for owners alone, so that a forgotten declaration opens nothing. On routes of all users an
 * administrator without it acts as a client.
 */
export function needsOf({ method, who, needs }: Pick<Route, 'method' | 'who' | 'needs'>): AdminPermission {
  if (needs !== undefined) return needs
  if (method === 'get') return 'read'
  return who === 'admin' ? 'people' : 'leads'
}

/**
 * Returns what the role of a person in the account must include for this route. One that declares nothing is for the
 * account's owners alone, so that a forgotten declaration opens nothing.
 */
export function mayOf({ who, may }: Pick<Route, 'who' | 'may'>): May {
  return may ?? (who === 'admin' ? 'self' : 'account')
}

type Schema = z.ZodType | undefined
type Read<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined

/** Declares a route; the handler's types follow from `who`, `query` and `body`. */
export function route<W extends Who, Q extends Schema = undefined, B extends Schema = undefined>(declared: {
  method: Route['method']
  path: string
  who: W
  needs?: AdminPermission
  may?: May
  summary: string
  description?: string
  takes?: BodyKind
  takesKey?: true
  query?: Q
  body?: B
  readsBodyItself?: boolean
  answers: Route['answers']
  isDownload?: true
  mayLag?: true
  streams?: string
  handle: (call: Call<W, Read<Q>, Read<B>>) => Promise<Answer>
}): Route {
  // The table drops the handlers' own types; mount-routes.ts parses with the same declaration before it
  // calls.
  return { readsBodyItself: false, ...declared } as unknown as Route
}
