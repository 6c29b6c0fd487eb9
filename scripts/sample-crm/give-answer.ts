import type { ServerResponse } from 'node:http'
import type { Answer } from './answering.ts'
import { respondJson } from './exchange.ts'

/** Carries out what was decided. What still waits when the receiver stops is cut, so that it stops at once. */
export function giveAnswer(response: ServerResponse, answer: Answer, stopping: AbortSignal): void {
  if (answer.kind === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if (answer.kind === 'hang') {
    endWithReceiver(response, stopping)
    return
  }
  const send = () => respondJson(response, answer.status, { received: answer.status < 300 }, answer.headers)
  if (answer.delaySeconds === undefined) {
    send()
    return
  }
  const timer = setTimeout(send, answer.delaySeconds * 1000)
  response.once('close', () => clearTimeout(timer))
  endWithReceiver(response, stopping)
}

function endWithReceiver(response: ServerResponse, stopping: AbortSignal): void {
  const cut = () => response.destroy()
  stopping.addEventListener('abort', cut, { once: true })
  response.once('close', () => stopping.removeEventListener('abort', cut))
}
