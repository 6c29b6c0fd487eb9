import { outsideQueue } from '../concurrency/outside-queue.ts'

/** Limit of an answer; the longest expected one, a page of leaked passwords with its padding, has some 40 kB. */
export const LONGEST_ANSWER_BYTES = 256 * 1024

/** A request to a service. Without a form it is a GET, with one a POST. */
export interface Question {
  url: string
  timeoutMs: number
  headers?: Record<string, string>
  form?: Record<string, string>
  /** credentials of the Basic scheme */
  credentials?: { username: string; password: string }
}

/** A service refused, or answered too much. The error quotes nothing of the answer, which may name a person. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** The answer of a service, of any status. */
export interface ServiceAnswer {
  status: number
  body: string
}

/**
 * Sends one request to a service whose address the configuration names. It keeps a time limit, follows no redirect (the
 * credentials are for this service alone), and reads no more than a service would send. Hosts that clients name are
 * reached only through core/endpoint (docs/decisions/0023-one-guard-for-what-clients-name.md).
 * @throws ServiceError if the answer has no end, or got's own error if there was none
 */
export async function askServiceForAnswer(question: Question): Promise<ServiceAnswer> {
  return await outsideQueue(() => exchange(question))
}

async function exchange(question: Question): Promise<ServiceAnswer> {
  const { url, timeoutMs, headers, form, credentials } = question
  // Loaded with the first request: without payments, messages and captchas there is none.
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
 * Like {@link askServiceForAnswer}, if only a 2xx is useful.
 * @returns its body
 * @throws ServiceError, or got's own error if there was no answer
 */
export async function askService(question: Question): Promise<string> {
  const { status, body } = await askServiceForAnswer(question)
  if (status < 200 || status > 299) throw new ServiceError(`The service answered ${status}`)
  return body
}

/** Like {@link askService}, for an answer in JSON. */
export async function askServiceForJson(question: Question): Promise<unknown> {
  return JSON.parse(await askService(question))
}
