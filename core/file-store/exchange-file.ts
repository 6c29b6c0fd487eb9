import { createReadStream } from 'node:fs'
import { request as requestPlainly, type IncomingMessage } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { pipeline } from 'node:stream'

export interface ExchangeLimits {
  connectMs: number
  /** without any byte in either direction */
  silenceMs: number
  /** until the head of the answer and the end of its body; undefined is without a limit */
  totalMs: number | undefined
}

/**
 * Sends a request with a file as its body, as it is read from the disk, and resolves with the head of the answer.
 * Redirects are answers like others.
 */
export function exchangeFile(
  {
    url,
    method,
    headers,
    file,
  }: {
    url: URL
    method: string
    headers: Record<string, string>
    file?: { path: string; size: number } | undefined
  },
  { connectMs, silenceMs, totalMs }: ExchangeLimits,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestSecurely : requestPlainly
    const asking = request(url, {
      method,
      headers: { ...headers, ...(file !== undefined && { 'content-length': String(file.size) }) },
      timeout: silenceMs,
      ...(totalMs !== undefined && { signal: AbortSignal.timeout(totalMs) }),
    })
    const giveUp = (what: string) => (): void => void asking.destroy(new Error(`The service ${what}`))
    const connecting = setTimeout(giveUp('did not accept a connection'), connectMs)
    asking.once('socket', (socket) => {
      const connected = (): void => clearTimeout(connecting)
      if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected)
      else connected()
    })
    asking.once('close', () => clearTimeout(connecting))
    asking.once('timeout', giveUp('was silent'))
    asking.once('error', reject)
    asking.once('response', resolve)
    if (file === undefined) asking.end()
    // Failures of both are told by the request, unless it has an answer already.
    else pipeline(createReadStream(file.path), asking, () => undefined)
  })
}
