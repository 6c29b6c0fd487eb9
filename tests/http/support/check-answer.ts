import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { problemSchema } from '#core/contract/problem.ts'
import { apiRoutes } from '#server/api-routes.ts'
import type { Route } from '#server/http/route.ts'

const DESCRIBED = /^\/(?:api|functions)\/v1\//

/** An answer as received. */
export interface ReceivedAnswer {
  status: number
  type: string
  text: string
}

/**
 * Checks an API answer against its route's declaration for this status, so that the OpenAPI document is true
 * of all answers in tests. An undeclared status, an extra or missing member, or another media type is an
 * error.
 * @param path with its query
 */
export function checkAnswer(method: string, path: string, answer: ReceivedAnswer): void {
  if (!DESCRIBED.test(path) || method === 'OPTIONS') return
  const route = findRoute(method, path)
  const what = `${method} ${route?.path ?? path} answered ${answer.status}`
  const declared = route?.answers[answer.status]
  if (declared === undefined) checkProblem(what, answer, route)
  else if (declared !== null && method !== 'HEAD') {
    const type = answer.status < 400 ? 'application/json' : 'application/problem+json'
    if (!answer.type.startsWith(type)) throw new Error(`${what} as ${answer.type}`)
    checkBody(what, declared, answer.text)
  }
}

/** Finds the route as server/http/mount-routes.ts does: fixed paths first. */
function findRoute(method: string, path: string): Route | undefined {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
  const parts = path.replace(/[?#].*$/, '').split('/')
  const fits = (route: Route) => {
    const own = route.path.split('/')
    return own.length === parts.length && own.every((part, at) => part.startsWith(':') || part === parts[at])
  }
  return apiRoutes
    .filter((route) => route.method === wanted && fits(route))
    .toSorted((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))[0]
}

/** Every route may answer with a problem; every other status must be declared. */
function checkProblem(what: string, { status, type, text }: ReceivedAnswer, route: Route | undefined): void {
  if (!type.startsWith('application/problem+json')) {
    const known = route === undefined ? 'no route' : `declared: ${Object.keys(route.answers).join(', ')}`
    throw new Error(`${what} as ${type}, which nothing declares (${known})`)
  }
  if (text === '') return
  checkBody(what, problemSchema, text)
  const told = problemSchema.parse(JSON.parse(text)).status
  if (told !== status) throw new Error(`${what} with a problem that says ${told}`)
}

function checkBody(what: string, schema: z.ZodType, text: string): void {
  const body: unknown = JSON.parse(text)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`${what} with a body that its schema refuses: ${parsed.error.message}`)
  if (isDeepStrictEqual(parsed.data, body)) return
  const [read, sent] = [parsed.data, body].map((value) => JSON.stringify(value, null, 1))
  throw new Error(`${what} with more than its schema declares.\nDeclared: ${read}\nAnswered: ${sent}`)
}
