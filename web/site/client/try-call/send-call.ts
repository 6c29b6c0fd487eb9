/** The answer; `isCut` if only its beginning is shown. */
export interface CallAnswer {
  status: number
  statusText: string
  ms: number
  headers: ReadonlyArray<readonly [name: string, value: string]>
  text: string
  isCut: boolean
}

/** A request without an answer, with the reason as a sentence. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** Limit for the shown text; more would slow the page down. */
const MOST_BYTES = 64 * 1024
const PATIENCE_MS = 30_000

/**
 * Sends a request as a program would: with this token, without cookies and without caches. @throws
 * NoAnswerError
 */
export async function sendCall(
  { method, url, body, token }: { method: string; url: string; body: string | undefined; token: string },
  stop: AbortSignal,
): Promise<CallAnswer> {
  // A header takes only these characters, and the browser's own error would not help.
  if (!/^[\x21-\x7e]*$/.test(token))
    throw new NoAnswerError(
      'That is no token: it holds spaces, or signs that no token has. Nothing was sent.',
    )
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const began = performance.now()
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.any([stop, patience]),
    })
    const ms = Math.round(performance.now() - began)
    const { status, statusText } = response
    return { status, statusText, ms, headers: [...response.headers], ...(await readText(response)) }
  } catch (error) {
    throw new NoAnswerError(explainFailure({ isStopped: stop.aborted, isLate: patience.aborted }), {
      cause: error,
    })
  }
}

function explainFailure({ isStopped, isLate }: { isStopped: boolean; isLate: boolean }): string {
  if (isStopped) return 'Stopped. The request may have arrived all the same.'
  if (isLate) return `No answer within ${PATIENCE_MS / 1000} seconds. The request was given up.`
  if (!navigator.onLine) return 'You are offline. Nothing was sent.'
  return 'No answer: the server could not be reached, or the connection broke off. Try again in a moment.'
}

async function readText(response: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', isCut: false }
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), isCut: false }
    size += value.length
    text += decoder.decode(value, { stream: true })
    if (size < MOST_BYTES) continue
    await reader.cancel()
    return { text: text.slice(0, MOST_BYTES), isCut: true }
  }
}
