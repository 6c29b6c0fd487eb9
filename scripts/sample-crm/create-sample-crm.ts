import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { z } from 'zod'
import { isLocalHost } from '#core/http/is-local-host.ts'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { openDemoLeads } from '../demo-market/demo-leads.ts'
import { answeringSchema, chooseAnswer, type Answer, type Answering } from './answering.ts'
import { header, readBody, readFields, respond, respondFile, respondJson, respondToForm } from './exchange.ts'
import { giveAnswer } from './give-answer.ts'
import { readLead } from './read-lead.ts'
import { createReceivedRequests } from './received-requests.ts'
import { ICON, renderPage } from './render-page.ts'
import { verifySignature } from './verify-signature.ts'

/** Body of `POST /demo-leads`. */
const wantedSchema = z.object({ state: z.enum(['paused', 'running']) })
const ACCEPTED_METHODS = new Set(['POST', 'PUT', 'PATCH'])
/** An exchange that still runs this long after the stop signal is cut. */
const STOP_GRACE_MS = 2000

export interface SampleCrmOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly host: string
  /**
   * Holds the signing secret, or several separated by spaces or lines. It is read each time, because it may
   * appear or change later.
   */
  readonly secretFile?: string | undefined
  /** The demo's market; without it no fictional leads are posted. */
  readonly marketFile?: string | undefined
  readonly now?: () => Date
}

export interface SampleCrm {
  readonly url: string
  /** The URL for a webhook configuration. */
  readonly webhookUrl: string
  readonly close: () => Promise<void>
}

/** Starts the receiver. Rejects with Node's error (`EADDRINUSE`) if the port is taken. */
export async function createSampleCrm(options: SampleCrmOptions): Promise<SampleCrm> {
  const now = options.now ?? (() => new Date())
  const received = createReceivedRequests()
  const isOwn = /^(127\.|::1$|localhost$)/.test(options.host)
  let answering: Answering = answeringSchema.parse({ mode: '200' })
  let failuresLeft = 0
  let version = now().getTime()

  const demoLeads =
    options.marketFile === undefined
      ? undefined
      : await openDemoLeads({ marketFile: options.marketFile, onChange: () => (version += 1) })

  const describe = () => ({
    demo_leads: demoLeads?.state(),
    version,
    answering,
    failures_left: failuresLeft,
    requests: received.list(),
  })

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!ACCEPTED_METHODS.has(request.method ?? ''))
      return respond(response, 405, { allow: 'POST, PUT, PATCH' })
    const body = await readBody(request, response)
    if (body === 'too large') return respond(response, 413)
    const signature = verifySignature(request.headers, body, await readSecrets(options.secretFile), now())
    const read = readLead(header(request, 'content-type'), body)
    const answer = decide(signature === 'verified', 'fault' in read ? read.fault : null)
    received.add({
      webhook_id: header(request, 'webhook-id'),
      event: header(request, 'leadwire-event'),
      method: request.method ?? '',
      content_type: header(request, 'content-type'),
      signature,
      lead: 'lead' in read ? read.lead : { name: null, email: null, phone: null },
      body,
      arrival: {
        at: now().toISOString(),
        attempt: readAttempt(header(request, 'leadwire-attempt')),
        delivery_id: header(request, 'leadwire-delivery'),
        answered: answer.kind === 'respond' ? answer.status : answer.kind === 'hang' ? 'no answer' : 'reset',
      },
    })
    version += 1
    giveAnswer(response, answer)
  }

  /** A real receiver refuses whatever it cannot verify; this one also shows it, unless told to refuse. */
  function decide(verified: boolean, fault: 'unsupported type' | 'not readable' | null): Answer {
    if (!verified && answering.refuse_unverified) return { kind: 'respond', status: 401 }
    if (fault !== null) return { kind: 'respond', status: fault === 'unsupported type' ? 415 : 400 }
    const answer = chooseAnswer(answering, failuresLeft)
    if (failuresLeft > 0) failuresLeft -= 1
    return answer
  }

  async function setMode(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, response)
    const parsed = answeringSchema.safeParse(body === 'too large' ? undefined : readFields(request, body))
    if (!parsed.success) {
      const errors = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
      return respondJson(response, 422, { errors })
    }
    answering = parsed.data
    failuresLeft = answering.mode === 'fail-next' ? answering.fail_times : 0
    version += 1
    respondToForm(request, response, describe())
  }

  async function setDemoLeads(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, response)
    const wanted = wantedSchema.safeParse(body === 'too large' ? undefined : readFields(request, body))
    if (demoLeads === undefined || !wanted.success)
      return respond(response, demoLeads === undefined ? 404 : 422)
    await demoLeads.pause(wanted.data.state === 'paused')
    respondToForm(request, response, describe())
  }

  function clear(request: IncomingMessage, response: ServerResponse): void {
    received.clear()
    version += 1
    respondToForm(request, response, describe())
  }

  function showRequests(request: IncomingMessage, response: ServerResponse): void {
    const etag = `"${version}"`
    if (header(request, 'if-none-match') === etag) respond(response, 304, { etag })
    else respondJson(response, 200, describe(), { etag })
  }

  function showPage(request: IncomingMessage, response: ServerResponse): void {
    const webhookUrl = `http://${request.headers.host ?? options.host}/webhooks/leads`
    const page = renderPage({
      demoLeads: demoLeads?.state(),
      answering,
      failuresLeft,
      requests: received.list(),
      webhookUrl,
    })
    respond(response, 200, { 'content-type': 'text/html; charset=utf-8' }, page)
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (path === '/webhooks/leads') return receive(request, response)
    // On the loopback only this machine is served, and no page whose own host name points here (DNS
    // rebinding).
    if (isOwn && !isLocalHost(request.headers.host)) return respond(response, 403)
    // Another site's form must not switch the mode or clear the list.
    if (request.method === 'POST' && header(request, 'sec-fetch-site') === 'cross-site')
      return respond(response, 403)
    switch (`${request.method} ${path}`) {
      case 'GET /':
        return showPage(request, response)
      case 'GET /page.js':
        return respondFile(response, 'page.js', 'text/javascript; charset=utf-8')
      case 'GET /page.css':
        return respondFile(response, 'page.css', 'text/css; charset=utf-8')
      case 'GET /icon.svg':
        return respond(response, 200, { 'content-type': 'image/svg+xml' }, ICON)
      case 'GET /requests.json':
        return showRequests(request, response)
      case 'GET /healthz':
        return respond(response, 200)
      case 'POST /mode':
        return setMode(request, response)
      case 'POST /demo-leads':
        return setDemoLeads(request, response)
      case 'POST /clear':
        return clear(request, response)
      default:
        return respond(response, 404)
    }
  }

  const listener: RequestListener = (request, response) => {
    route(request, response).catch((error: unknown) => {
      // The sender left midway, so nobody waits for an answer.
      if (!request.complete) return
      console.error('The sample CRM could not answer:', error)
      if (response.headersSent) response.destroy()
      else respond(response, 500)
    })
  }
  const { server, port } = await openHttpServer({ host: options.host, port: options.port, listener })
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`
  return {
    url,
    webhookUrl: `${url}/webhooks/leads`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS).unref()
      await Promise.all([closed, demoLeads?.close()])
    },
  }
}

async function readSecrets(file: string | undefined): Promise<string[]> {
  if (file === undefined) return []
  try {
    return (await readFile(file, 'utf8')).split(/\s+/).filter((secret) => secret !== '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function readAttempt(value: string | null): number | null {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : null
}
