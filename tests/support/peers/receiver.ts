import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { waitUntil } from '../condition.ts'
import type { WaitOptions } from '#scripts/lab/wait-until.ts'

export interface ReceivedRequest {
  method: string
  /** Path and query as sent. */
  path: string
  headers: IncomingHttpHeaders
  rawBody: Buffer
  body: string
  /** Milliseconds since 1970, when the body was complete. */
  receivedAt: number
}

/** A status; or a whole answer; `hang` never answers, `reset` breaks the connection. */
export type ScriptedAnswer =
  | number
  | 'hang'
  | 'reset'
  | { status: number; headers?: Record<string, string>; body?: string; delayMs?: number }

/** `index` counts the requests from 0. */
export type AnswerScript = ScriptedAnswer | ((request: ReceivedRequest, index: number) => ScriptedAnswer)

export interface Receiver {
  /** `http://127.0.0.1:<port>`. */
  url: string
  port: number
  requests: ReceivedRequest[]
  answerWith: (script: AnswerScript) => void
  /** Resolves with the first request that matches, come or to come. */
  waitFor: (matches: (request: ReceivedRequest) => boolean, options?: WaitOptions) => Promise<ReceivedRequest>
  waitForCount: (count: number, options?: WaitOptions) => Promise<ReceivedRequest[]>
  close: () => Promise<void>
}

/** A client's CRM as a test sees it: a real HTTP server that keeps every request and answers by script. */
export async function startReceiver(initialScript: AnswerScript = 200, port = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let script = initialScript
  const server = createServer((request, response) => {
    receive(request).then(
      (received) => {
        const index = requests.push(received) - 1
        answer(response, typeof script === 'function' ? script(received, index) : script)
      },
      // The sender broke off; there is no one to answer.
      () => response.destroy(),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    answerWith: (next) => {
      script = next
    },
    waitFor: (matches, options) =>
      waitUntil(() => requests.find(matches), { what: 'A matching request', ...options }),
    waitForCount: (count, options) =>
      waitUntil(() => requests.length >= count && requests, { what: `${count} requests`, ...options }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const rawBody = Buffer.concat(chunks)
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, rawBody, body: rawBody.toString('utf8'), receivedAt: Date.now() }
}

function answer(response: ServerResponse, scripted: ScriptedAnswer): void {
  if (scripted === 'hang') return
  if (scripted === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const {
    status,
    headers = {},
    body = '',
    delayMs = 0,
  } = typeof scripted === 'number' ? { status: scripted } : scripted
  const send = () => response.writeHead(status, headers).end(body)
  if (delayMs === 0) send()
  else setTimeout(send, delayMs)
}
