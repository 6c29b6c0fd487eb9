import type { IncomingMessage, ServerResponse } from 'node:http'

const waiting = new WeakSet<IncomingMessage>()

/** The client sends its body only once it is asked to (`Expect: 100-continue`, RFC 9110 §10.1.1). */
export function expectAsking(request: IncomingMessage): void {
  waiting.add(request)
}

/** Asks a waiting client for its body. A request that is refused earlier needs no body. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
