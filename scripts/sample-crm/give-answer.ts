import type { ServerResponse } from 'node:http'
import type { Answer } from './answering.ts'
import { respondJson } from './exchange.ts'

/** Carries out what was decided. To hang is to do nothing: the sender gives up, or the receiver stops. */
export function giveAnswer(response: ServerResponse, answer: Answer): void {
  if (answer.kind === 'hang') return
  if (answer.kind === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const send = () => respondJson(response, answer.status, { received: answer.status < 300 }, answer.headers)
  if (answer.delaySeconds === undefined) {
    send()
    return
  }
  const timer = setTimeout(send, answer.delaySeconds * 1000)
  response.once('close', () => clearTimeout(timer))
}
