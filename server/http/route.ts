import type { z } from 'zod'
import type { SourceCaller } from '#core/data/leads/sources.ts'
import type { Sender } from '../admission/sender.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import type { BodyKind } from './body/read-body.ts'

/** Who may call a route, and what its handler learns about the caller. */
export interface Callers {
  public: undefined
  /** signed in or not; a token that is no longer good counts as none */
  anybody: Principal | undefined
  user: Principal
  /** somebody whose second factor may still be owed */
  'user by any proof': Principal
  admin: Principal
  source: SourceCaller
  'source or user': SourceCaller | Principal
}
export type Who = keyof Callers

/** One authorised, parsed request. `id` is the `:id` of the path, already known to be a UUID. */
export interface Call<W extends Who = Who, Query = unknown, Body = unknown> {
  context: ServerContext
  caller: Callers[W]
  /** what its limits are counted by */
  sender: Sender
  /** the address and browser it comes from, for the audit log */
  from: Caller
  id: string
  query: Query
  body: Body
  /** the body's text as it came */
  bodyText: string
  /** its bytes, for what is signed over them */
  bodyBytes: Buffer
  /** one of the request's headers */
  header: (name: string) => string | undefined
  /** the `Idempotency-Key` header, trimmed; undefined where there is none, or the route takes none */
  idempotencyKey: string | undefined
  /** whether the caller has hung up meanwhile */
  isGone: () => boolean
  /** called once, when the caller has hung up or the answer has been sent */
  onGone: (act: () => void) => void
}

/** What a handler answers: a value, JSON text where numbers and key order must survive, or pieces of what is long. */
export interface Answer {
  status: number
  json?: unknown
  text?: string
  /** long JSON text in parts, which are sent as they are, one after the other */
  parts?: readonly string[]
  /** what is sent as it is, packed perhaps */
  bytes?: Buffer
  /** pieces of a long answer, made while it is sent: never whole in memory */
  pieces?: AsyncIterable<string>
  type?: string
  headers?: Readonly<Record<string, string>>
}

/** One row of the route table: who may call what, what it takes, what it answers. The OpenAPI document is made of these. */
export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
  who: Who
  summary: string
  /** what the summary has no room for */
  description?: string
  takes?: BodyKind
  /** takes an `Idempotency-Key`: a repeat under it does nothing more (docs/contract.md §4) */
  takesKey?: true
  query?: z.ZodType
  body?: z.ZodType
  /** the handler judges the body itself, because its refusals have another form than a problem */
  readsBodyItself: boolean
  answers: Readonly<Record<number, z.ZodType | null>>
  /** the answer takes as long as its reader, so it waits in the account's queue for downloads, not for screens */
  isDownload?: true
  /** its 200 is a stream of server-sent events that stays open; an example of what comes */
  streams?: string
  handle: (call: Call) => Promise<Answer>
}

type Schema = z.ZodType | undefined
type Read<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined

/** Declares a route; the handler's types follow from `who`, `query` and `body`. */
export function route<W extends Who, Q extends Schema = undefined, B extends Schema = undefined>(declared: {
  method: Route['method']
  path: string
  who: W
  summary: string
  description?: string
  takes?: BodyKind
  takesKey?: true
  query?: Q
  body?: B
  readsBodyItself?: boolean
  answers: Route['answers']
  isDownload?: true
  streams?: string
  handle: (call: Call<W, Read<Q>, Read<B>>) => Promise<Answer>
}): Route {
  // The table forgets the handlers' own types; mount-routes.ts parses by the same declaration before it calls.
  return { readsBodyItself: false, ...declared } as unknown as Route
}
