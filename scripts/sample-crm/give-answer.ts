import type { ServerResponse } from 'node:http'
import type { Answer } from './answering.ts'
import { respond, respondJson } from './exchange.ts'

/** Carries out the decision. To hang is to do nothing: the sender gives up, or the receiver stops. */
export function giveAnswer(response: ServerResponse, answer: Answer): void {
  if (answer.kind === 'hang') return
  if (answer.kind === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const { status, headers, body = { received: status < 300 } } = answer
  const send = () =>
    typeof body === 'string'
      ? respond(response, status, { 'content-type': 'text/html; charset=utf-8', ...headers }, body)
      : respondJson(response, status, body, headers)
  if (answer.delaySeconds === undefined) {
    send()
    return
  }
  const timer = setTimeout(send, answer.delaySeconds * 1000)
  response.once('close', () => clearTimeout(timer))
}
