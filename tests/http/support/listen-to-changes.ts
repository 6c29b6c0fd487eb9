import { waitUntil } from '#tests/support/condition.ts'

/** An open stream of `GET /api/v1/changes` with what has arrived. */
export interface HeardChanges {
  status: number
  headers: Headers
  /** the whole text so far */
  text: () => string
  /** number of changes reported */
  count: () => number
  /** the last mark */
  mark: () => string | undefined
  isOver: () => boolean
  hangUp: () => void
}

/** Listens to the stream, once the server has sent a mark or refused. */
export async function listenToChanges(url: string, token: string, mark?: string): Promise<HeardChanges> {
  const stop = new AbortController()
  const headers = {
    authorization: `Bearer ${token}`,
    ...(mark === undefined ? {} : { 'last-event-id': mark }),
  }
  const response = await fetch(`${url}/api/v1/changes`, { headers, signal: stop.signal })
  let text = ''
  let isOver = false
  const read = async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  const known = () => [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1]
  await waitUntil(() => isOver || known() !== undefined, { what: 'The first word of the stream' })
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    count: () => [...text.matchAll(/^data:/gm)].length,
    mark: known,
    isOver: () => isOver,
    hangUp: () => stop.abort(),
  }
}
