import { Router, type Request, type RequestHandler, type Response } from 'express'
import { z } from 'zod'
import { AppError } from '#core/errors.ts'
import { outsideQueue } from '#core/concurrency/outside-queue.ts'
import { nameSender } from './name-sender.ts'
import { readCaller } from '../identity/caller.ts'
import { authorise, authoriseAgain, isSource } from '../identity/authorise.ts'
import { isUuid } from '../identity/is-uuid.ts'
import { VIEW_AS } from '../identity/view-as.ts'
import { auditView } from '../market/audit-view.ts'
import type { ServerContext } from '../context.ts'
import { takeBytes } from './body/decode-body.ts'
import { readBody, receiveBody, type ReadBody } from './body/read-body.ts'
import { readForm } from './body/read-form.ts'
import { isViewable } from './is-viewable.ts'
import { readInput } from './read-input.ts'
import { requireOwnRow } from './require-own-row.ts'
import { sendParts, sendPieces } from './send-pieces.ts'
import { traceRequests } from './trace-requests.ts'
import { holdUntilTaken, refuseUnlessRead } from './errors/unread-answers.ts'
import { whileAllowed } from './while-allowed.ts'
import { mayOf, needsOf, type Answer, type Call, type Route } from './route.ts'

export const LONGEST_KEY = 255
const isoDay = z.iso.date()

/** Makes a router of the table. Each path answers every other method with 405. */
export function mountRoutes(context: ServerContext, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true })
  // Fixed paths first, or `/leads/:id` would answer for `/leads/batch`.
  const paths = [...new Set(routes.map(({ path }) => path))].toSorted(
    (a, b) => Number(a.includes(':')) - Number(b.includes(':')),
  )
  for (const path of paths) {
    const mounted = router.route(path)
    const here = routes.filter((route) => route.path === path)
    for (const route of here) mounted[route.method](...steps(context, route))
    mounted.all(refuseMethod(here.map(({ method }) => method.toUpperCase())))
  }
  return router
}

/**
 * One route by itself, to mount before middleware that it does not need. All other requests go on to the next
 * handler.
 */
export function mountAlone(context: ServerContext, route: Route): RequestHandler {
  const router = Router({ caseSensitive: true })
  router[route.method](route.path, ...steps(context, route))
  return (request, response, next) => {
    // A router answers OPTIONS with the methods it knows, and this one knows only one of the path's methods.
    if (request.method === 'OPTIONS') next()
    else router(request, response, next)
  }
}

/** The caller is known before a byte of the body is read. */
function steps(context: ServerContext, route: Route): RequestHandler[] {
  const callers = new WeakMap<Request, Call['caller']>()
  const admittedAt = new WeakMap<Request, number>()
  return [
    ...(context.tracing.isOn ? [traceRequests(context.tracing, route.method.toUpperCase(), route.path)] : []),
    async (request, _response, next) => {
      const { who } = route
      const wish = request.get(VIEW_AS)
      const asked = { needs: needsOf(route), may: mayOf(route) }
      const view = wish === undefined ? undefined : { client: wish, isViewable: isViewable(route) }
      const caller = await authorise(context, who, request.get('Authorization'), asked, view)
      if (caller !== undefined && !isSource(caller) && caller.viewed_by !== undefined)
        await auditView(context.db, caller, readCaller(request))
      callers.set(request, caller)
      admittedAt.set(request, performance.now())
      next()
    },
    ...(route.takes === undefined
      ? []
      : [receiveBody(route.takes, (request) => nameSender(callers.get(request), request).name)]),
    async (request, response) => {
      const caller = callers.get(request)
      const sender = nameSender(caller, request)
      const answer = async (): Promise<number> => {
        const waitedMs = performance.now() - (admittedAt.get(request) ?? 0)
        if (waitedMs > ADMITTED_MS) await admitAgain(context, caller)
        const made = await answerCall({ context, route, request, response, caller, sender })
        const sendMade = () => send(response, keepAllowed(context, route, caller, made))
        // A stream lasts as long as its reader likes, so only its opening waits in the queue.
        return await (route.streams === undefined ? sendMade() : outsideQueue(sendMade))
      }
      if (caller === undefined || isSource(caller)) {
        await answer()
        return
      }
      const answerOne = async (): Promise<number> => {
        // A caller who has hung up meanwhile gets no answer.
        if (isUnread(request, response)) return 0
        refuseUnlessRead(sender.name)
        const length = await answer()
        holdUntilTaken(sender.name, length, response)
        return length
      }
      if (route.isDownload === true) await context.admission.inDownloadQueue(sender, answerOne)
      else await context.admission.inAccountQueue(sender, answerOne, (length) => length)
    },
  ]
}

/** A person's request is handled this long after it was admitted without another look at the person. */
export const ADMITTED_MS = 500

/**
 * A body may come slowly, and requests wait for each other. Meanwhile the session may end, or the role change.
 * @throws AppError invalid_token, forbidden or mfa_required
 */
async function admitAgain(context: ServerContext, caller: Call['caller']): Promise<void> {
  // An administrator who views a client's screens only reads.
  if (caller === undefined || isSource(caller) || caller.viewed_by !== undefined || caller.owes_factor) return
  await authoriseAgain(context, caller)
}

function isUnread(request: Request, response: Response): boolean {
  return response.destroyed && (request.method === 'GET' || request.method === 'HEAD')
}

type Asked = Pick<Call, 'context' | 'caller' | 'sender'> & {
  route: Route
  request: Request
  response: Response
}

/** @throws AppError not_found */
function readId(route: Route, request: Request): string {
  const id = request.params['id'] ?? ''
  if (route.path.includes(':id') && (typeof id !== 'string' || !isUuid(id)))
    throw new AppError('not_found', 'Nothing has this id.')
  return id as string
}

/** @throws AppError not_found for a day that no calendar has */
function readDay(route: Route, request: Request): string {
  const day = request.params['day'] ?? ''
  if (route.path.includes(':day') && !isoDay.safeParse(day).success)
    throw new AppError('not_found', 'There is no such day. Write it as YYYY-MM-DD.')
  return day as string
}

async function readBodyInTurn({ context, route, request, sender }: Asked): Promise<ReadBody> {
  const { takes } = route
  if (takes === undefined) return { text: '', value: undefined }
  const read = (): ReadBody => readBody(request, takes)
  // A part of a file is not parsed here.
  if (takes === 'part') return read()
  return await context.admission.readBody(sender.name, takeBytes(request).length, read)
}

async function answerCall(asked: Asked): Promise<Answer> {
  const { context, route, request, response, caller, sender } = asked
  const id = readId(route, request)
  if (caller !== undefined && !isSource(caller)) await requireOwnRow(context.db, caller, route, id)
  const body = await readBodyInTurn(asked)
  const handled = route.handle({
    context: route.mayLag === true ? await mayLag(context, caller) : context,
    caller,
    sender,
    // A getter, because few handlers use it.
    get from() {
      return readCaller(request)
    },
    id,
    day: readDay(route, request),
    query: route.query === undefined ? undefined : parse(route.query, readQuery(request), 'query'),
    body:
      route.body === undefined || route.readsBodyItself
        ? body.value
        : parse(route.body, body.value === undefined ? {} : body.value, 'body'),
    bodyText: body.text,
    get bodyBytes() {
      return takeBytes(request)
    },
    header: (name) => request.get(name),
    idempotencyKey: route.takesKey === true ? readKey(request) : undefined,
    isGone: () => response.destroyed,
    onGone: (act) => void (response.closed ? act() : response.once('close', act)),
  })
  if (context.lagging !== undefined && route.method !== 'get' && caller !== undefined && !isSource(caller)) {
    // A refused call may have changed something too. The caller is answered afterwards, and reads what it wrote.
    await handled.catch(() => undefined)
    await context.lagging.writers.note([caller.user_id])
  }
  return await handled
}

/** An account that has just written something, or was told of a change, reads from the primary. */
async function mayLag(context: ServerContext, caller: Call['caller']): Promise<ServerContext> {
  const { lagging } = context
  if (lagging === undefined || caller === undefined || isSource(caller)) return context
  return (await lagging.writers.has(caller.user_id)) ? context : { ...context, db: lagging.db }
}

/** A file is made while it is read; no other answer outlasts its request. */
function keepAllowed(
  context: ServerContext,
  { isDownload }: Route,
  caller: Call['caller'],
  answer: Answer,
): Answer {
  if (isDownload !== true || answer.pieces === undefined || caller === undefined || isSource(caller))
    return answer
  return { ...answer, pieces: whileAllowed(context, caller, answer.pieces) }
}

/** @returns the length of the answer, in characters or bytes */
async function send(response: Response, answer: Answer): Promise<number> {
  response.status(answer.status).set({ 'Cache-Control': 'no-store', ...answer.headers })
  if (answer.pieces !== undefined) {
    response.type(answer.type ?? 'text/plain')
    // A HEAD request gets no body, so none is made.
    if (response.req.method !== 'HEAD') return await sendPieces(response, answer.pieces)
    response.end()
    return 0
  }
  if (answer.parts !== undefined) return await sendParts(response.type('application/json'), answer.parts)
  const body =
    answer.bytes ?? answer.text ?? (answer.json === undefined ? undefined : JSON.stringify(answer.json))
  if (body === undefined) response.end()
  else response.type(answer.type ?? 'application/json').send(body)
  return body?.length ?? 0
}

function parse(schema: z.ZodType, value: unknown, part: 'query' | 'body'): unknown {
  const read = readInput(schema, value)
  if (read.ok) return read.value
  const { errors } = read
  throw new AppError('validation_failed', `The ${part} has ${errors.length} fault(s).`, { errors })
}

/** Express' own parser turns escapes that are no UTF-8 into U+FFFD. */
function readQuery(request: Request): unknown {
  const [, query = ''] = /^[^?]*\?([^]*)$/.exec(request.url) ?? []
  return readForm(Buffer.from(query, 'latin1'))
}

function readKey(request: Request): string | undefined {
  const key = request.get('Idempotency-Key')?.trim()
  if (key === undefined || key === '') return undefined
  if (key.length <= LONGEST_KEY && /^[\x20-\x7e]+$/.test(key)) return key
  const message = `Must be at most ${LONGEST_KEY} printable ASCII characters`
  throw new AppError('validation_failed', 'The Idempotency-Key is not usable.', {
    errors: [{ path: 'Idempotency-Key', message }],
  })
}

function refuseMethod(allowed: readonly string[]): RequestHandler {
  const methods = [...new Set(allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed)]
  const allow = methods.join(', ')
  return (request, response) => {
    response.set('Allow', allow)
    const verb = methods.length === 1 ? 'is' : 'are'
    throw new AppError('method_not_allowed', `${request.method} is not supported here; ${allow} ${verb}.`)
  }
}
