import { outsideQueue } from '../concurrency/outside-queue.ts'

/** The longest answer that is expected, a page of leaked passwords with its padding, has some 40 kB. */
export const LONGEST_ANSWER_BYTES = 256 * 1024

/** A request to a service. Without a form it is a GET, with one a POST. */
export interface Question {
  url: string
  timeoutMs: number
  headers?: Record<string, string>
  form?: Record<string, string>
  /** of the Basic scheme */
  credentials?: { username: string; password: string }
}

/** A service refused, or answered more than anybody would read. Quotes nothing of what was said: it may name a person. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** The answer of a service, of any status. */
export interface ServiceAnswer {
  status: number
  body: string
}

/**
 * Asks a service whose address the configuration names: once, within its time, following no redirect (its credentials are for
 * it alone), and reading no more than a service would say. What a client names is asked by core/endpoint alone
 * (docs/decisions/0023-one-guard-for-what-clients-name.md).
 * @throws ServiceError where the answer has no end, or got's own where there was none
 */
export async function askServiceForAnswer(question: Question): Promise<ServiceAnswer> {
  return await outsideQueue(() => exchange(question))
}

async function exchange(question: Question): Promise<ServiceAnswer> {
  const { url, timeoutMs, headers, form, credentials } = question
  // Loaded with the first question: without payments, messages and captchas nothing is ever asked.
  const { default: got } = await import('got')
  const stream = got.stream(url, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(form !== undefined && { form }),
    ...credentials,
    timeout: { request: timeoutMs },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
  })
  let status = 0
  stream.once('response', (response: { statusCode: number }) => {
    status = response.statusCode
  })
  const chunks: Buffer[] = []
  let received = 0
  // got has no limit on size; leaving the loop destroys the stream and its connection.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    received += chunk.length
    if (received > LONGEST_ANSWER_BYTES) throw new ServiceError('The service answered without end')
  }
  return { status, body: Buffer.concat(chunks).toString('utf8') }
}

/**
 * The same where only a 2xx says anything.
 * @returns its body
 * @throws ServiceError, or got's own where nothing was answered
 */
export async function askService(question: Question): Promise<string> {
  const { status, body } = await askServiceForAnswer(question)
  if (status < 200 || status > 299) throw new ServiceError(`The service answered ${status}`)
  return body
}

/** The same where the answer is JSON. */
export async function askServiceForJson(question: Question): Promise<unknown> {
  return JSON.parse(await askService(question))
}
