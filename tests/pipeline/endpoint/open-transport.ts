import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { createAddressGuard, type AddressGuard } from '#core/endpoint/guard-address.ts'
import { prepareRequest, type WebhookRequest } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { createTransport, type Transport } from '#core/endpoint/transport.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startRawServer, type RawServer, type Speak } from '#tests/support/peers/raw-server.ts'

export const loopback = createAddressGuard(['127.0.0.0/8', '::1/128'])
/** Short enough for tests of the limit, long enough for a busy machine in all other tests. */
export const SHORT_MS = 1000
export const LONG_MS = 10_000

/**
 * Closes something after the test, in reverse order. It is registered per test, because files share this
 * module and a hook would belong to the first file.
 */
export function closeLater(close: () => Promise<void>): void {
  onTestFinished(async () => {
    await close()
  })
}

/** A transport that sends for one client by default. */
export interface TestTransport {
  send: (
    request: WebhookRequest,
    options?: Partial<Parameters<Transport['send']>[1]>,
  ) => ReturnType<Transport['send']>
  close: () => Promise<void>
}

/** Opens a transport for one test. */
export function open(
  timeoutMs = LONG_MS,
  guard: AddressGuard = loopback,
  connectionsPerOrigin = 4,
  bindAddress?: string,
): TestTransport {
  const transport = createTransport(guard, { timeoutMs, connectionsPerOrigin, bindAddress })
  closeLater(transport.close)
  return {
    close: transport.close,
    send: (request, options = {}) => transport.send(request, { client: 'client-1', ...options }),
  }
}

/** Opens an endpoint for one test that sends the given bytes. */
export async function listen(
  speak: Speak,
  options?: Parameters<typeof startRawServer>[1],
): Promise<RawServer> {
  const server = await startRawServer(speak, options)
  closeLater(server.close)
  return server
}

const SECRET = createSigningSecret()

export function requestTo(
  url: string,
  customHeaders: Record<string, string> = {},
  template = '{"name":"{{name}}"}',
): WebhookRequest {
  return prepareRequest(
    {
      endpointUrl: url,
      method: 'POST',
      payloadType: 'JSON',
      template: compileTemplate(template),
      missingValues: 'empty',
      answerRules: { successRule: null, capturePath: null },
      customHeaders,
      signingSecrets: [SECRET],
    },
    { event: 'lead.assigned', eventId: 'evt-1', deliveryId: 'dlv-1', attempt: 1, sentAt: new Date() },
    sampleValues('lead.assigned', new Date()),
    'https://leadwire.example.com',
  )
}

/** Answers with these bytes and closes the connection. */
export function answering(...bytes: (string | Buffer)[]): Speak {
  return (socket) => {
    socket.end(Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))))
  }
}

/** Writes one byte every few milliseconds while the client listens. */
export function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    socket.write(text[at % text.length] ?? ' ')
    at += 1
  }, 10)
  socket.on('close', () => {
    clearInterval(timer)
  })
}

export const allClosed = (server: RawServer): Promise<boolean> =>
  waitUntil(() => server.open() === 0, { what: 'The closing of every connection' })
