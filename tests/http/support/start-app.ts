import { createKeyring } from '#core/secrets/keyring.ts'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { RequestListener } from 'node:http'
import { loadConfig } from '#core/config/config.ts'
import { openHttpServer, type HttpLimits, type Upgrades } from '#core/http/open-http-server.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createApp } from '#server/app.ts'
import { seedAccounts } from '#server/accounts/seed-accounts.ts'
import { createContext, type ServerContext } from '#server/context.ts'
import { acceptSockets } from '#server/realtime/accept-sockets.ts'
import { answerUnreadable } from '#server/http/errors/answer-unreadable.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { checkAnswer } from './check-answer.ts'

const ADMIN = 'admin@example.com'

/**
 * A call's answer, as its route declares it (check-answer.ts). `json` is the parsed body, or empty if it is
 * no JSON.
 */
export interface CallResult {
  status: number
  headers: Headers
  text: string
  json: AnswerBody
}

/**
 * Members of answers that tests read. The route's schema proves which of them an answer has, not this type.
 */
export interface AnswerBody {
  id: string
  status: string
  code: string
  detail: string
  errors: { path: string; message: string }[]
  client_user_id: string | null
  requests_per_minute?: number | null
  sending_hours?: object | null
  warnings?: { path: string; message: string }[]
  data: AnswerBody[]
  next_cursor: string | null
  missing: string[]
  access_token: string
  user: { id: string; email: string }
  unread_lead_count: number
  api_key: string
  auto_assign: boolean
  last_used_at: string
  result: string
  results: AnswerBody[]
  lead_id: string
  type: string
  timeline: AnswerBody[]
  assigned_to: string | null
  notes: string | null
  outcome: string
  assignment_id: string
  webhook_name: string
  endpoint_url: string
  is_active: boolean
  payload_template: Record<string, unknown>
  custom_headers: Record<string, string>
  authentication: Record<string, unknown>
  client_key: string | null
  ca_certificate: string | null
  updated_at: string
  secret: string
  previous_expires_at: string | null
  success: boolean
  message: string
  error: string | null
  deliveries: number
  delivery_id: string
  replay_id: string | null
  sent: string
  attempts: AnswerBody[]
  resent_from: AnswerBody | null
  is_sent_again: boolean
  next_attempt_at: string
  waits_for_hours: boolean
  resent_as: AnswerBody[]
  cancelled_by: string | null
  delivery_status: string | null
  attempt_number: number
  lead: { name: string | null; email: string | null; phone: string | null }
  count: number
  openapi: string
  paths: Record<
    string,
    Record<
      string,
      {
        summary: string
        security: unknown[]
        requestBody?: unknown
        responses: Record<string, { content?: Record<string, unknown> }>
      }
    >
  >
}

/** A signed-in user. */
export interface Person {
  token: string
  id: string
  email: string
}

/** A source with its key. */
export interface TestSource {
  id: string
  key: string
}

/** The whole server in this process, on a free port, with its own database and queue prefix. */
export interface TestApp {
  url: string
  context: ServerContext
  call: (method: string, path: string, options?: CallOptions) => Promise<CallResult>
  admin: Person
  /** Creates an unapproved client, which shares its limits with all others of the test. */
  newClient: () => Promise<Person>
  /** Creates a client with its own limits. */
  newApprovedClient: () => Promise<Person>
  /** Creates a source. With an owner it assigns its leads to that client, unless `auto_assign` is false. */
  newSource: (settings?: { owner?: Person; auto_assign?: boolean }) => Promise<TestSource>
  /** True if the server has a connection from this port. */
  isConnected: (port: number) => boolean
  /** Number of bytes that the server has read from that connection. */
  bytesTaken: (port: number) => number
  close: () => Promise<void>
}

export interface CallOptions {
  token?: string | undefined
  /** sent as JSON, or as it is if it is text */
  body?: unknown
  headers?: Record<string, string>
}

export async function startApp(
  overrides: Record<string, string> = {},
  webFolder?: string,
  limits?: HttpLimits,
): Promise<TestApp> {
  const environment = await createTestEnvironment({
    LOG_LEVEL: 'silent',
    SEED_ADMIN_EMAIL: ADMIN,
    SEED_ADMIN_PASSWORD: PASSWORD,
    ...overrides,
  })
  let app: RequestListener = (_request, response) => void response.destroy()
  let upgrades: Upgrades = { wants: () => false, take: (_request, connection) => void connection.destroy() }
  const { server, port } = await openHttpServer({
    listener: (request, response) => app(request, response),
    host: '127.0.0.1',
    port: 0,
    upgrades: {
      wants: (request) => upgrades.wants(request),
      take: (...taken) => upgrades.take(...taken),
    },
    ...(limits === undefined ? {} : { limits }),
  })
  server.on('clientError', answerUnreadable)
  const callers = new Map<number | undefined, Socket>()
  server.on('connection', (socket) => {
    const { remotePort } = socket
    callers.set(remotePort, socket)
    socket.once('close', () => callers.delete(remotePort))
  })
  const url = `http://127.0.0.1:${port}`
  const config = loadConfig({ ...environment.env, PUBLIC_URL: url })
  const logger = createLogger('test', config.logLevel)
  const { context, close } = await createContext(config, createKeyring(config.secretsKey ?? ''), logger)
  await seedAccounts(context)
  const made = createApp(context, webFolder)
  app = made
  upgrades = acceptSockets(made, context)
  if (overrides['REDIS_URL'] === undefined)
    await waitUntil(() => context.announce.isReady(), { what: 'Redis' })

  const call = async (method: string, path: string, options: CallOptions = {}): Promise<CallResult> => {
    const { token, body, headers = {} } = options
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
          }),
    })
    const text = await response.text()
    checkAnswer(method, path, {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text,
    })
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson && text !== '' ? JSON.parse(text) : {}) as AnswerBody,
    }
  }

  let clients = 0
  const newClient = async (): Promise<Person> => {
    clients += 1
    const email = `buyer-${clients}@example.com`
    const { json } = await call('POST', `${config.auth.mountPath}/signup`, {
      body: { email, password: PASSWORD },
    })
    return readPerson(json)
  }
  const signIn = await call('POST', `${config.auth.mountPath}/token?grant_type=password`, {
    body: { email: ADMIN, password: PASSWORD },
  })
  const admin = readPerson(signIn.json)
  return {
    url,
    context,
    call,
    admin,
    newClient,
    newApprovedClient: async () => {
      const client = await newClient()
      await call('POST', `/api/v1/admin/clients/${client.id}/approve`, { token: admin.token, body: {} })
      return client
    },
    newSource: async ({ owner, auto_assign } = {}) => {
      const { json } = await call('POST', '/api/v1/admin/sources', {
        token: admin.token,
        body: { name: 'Landing page', owner_user_id: owner?.id ?? null, auto_assign: auto_assign ?? null },
      })
      return { id: json.id, key: json.api_key }
    },
    isConnected: (port) => callers.has(port),
    bytesTaken: (port) => callers.get(port)?.bytesRead ?? 0,
    close: async () => {
      context.realtime.end()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await close()
      await environment.close()
    },
  }
}

function readPerson(session: AnswerBody): Person {
  return {
    token: session.access_token,
    id: session.user.id,
    email: session.user.email,
  }
}

let leads = 0

/** A valid lead that no other test has sent. */
export function newLead(fields: Record<string, unknown> = {}): Record<string, unknown> {
  leads += 1
  return {
    external_id: `crm-${leads}`,
    lead_type: 'final_expense',
    first_name: 'Rosa',
    last_name: 'Example',
    phone: '(202) 555-0143',
    email: 'rosa@example.com',
    state: 'CA',
    city: 'Fresno',
    ...fields,
  }
}
