import { waitUntil, type WaitOptions } from '../wait-until.ts'
import type { Answer } from './give-answer.ts'
import { receiveRequests, type ReceivedRequest } from './receive-requests.ts'

/** `index` counts the requests from 0. */
export type AnswerScript = Answer | ((request: ReceivedRequest, index: number) => Answer)

export interface Receiver {
  /** `http://127.0.0.1:<port>`. */
  url: string
  port: number
  requests: ReceivedRequest[]
  answerWith: (script: AnswerScript) => void
  /** Resolves with the first request that matches, past or future. */
  waitFor: (matches: (request: ReceivedRequest) => boolean, options?: WaitOptions) => Promise<ReceivedRequest>
  waitForCount: (count: number, options?: WaitOptions) => Promise<ReceivedRequest[]>
  close: () => Promise<void>
}

/**
 * A client's CRM in our own process, for tests: it keeps every request, byte for byte, and answers by script.
 */
export async function startReceiver(initialScript: AnswerScript = 200, wantedPort = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let script = initialScript
  const { port, close } = await receiveRequests({
    port: wantedPort,
    answer: (request) => {
      const index = requests.push(request) - 1
      return typeof script === 'function' ? script(request, index) : script
    },
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    answerWith: (next) => {
      script = next
    },
    waitFor: (matches, options) =>
      waitUntil(() => requests.find(matches), { what: 'A matching request', ...options }),
    waitForCount: (count, options) =>
      waitUntil(() => requests.length >= count && requests, { what: `${count} requests`, ...options }),
    close,
  }
}
