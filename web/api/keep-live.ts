import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { apiPath } from './api-path.ts'
import { followChanges } from './change-stream.ts'
import { open } from './client.ts'
import { createRefresh, hasLive } from './live-queries.ts'

/** Of the browser's lock and channel, by which its tabs share one stream: over HTTP/1.1 it has six connections for all of them. */
const NAME = 'leadwire.changes'
/** What moves with the clock alone (hours of a day that has gone on), and whatever no stream tells. */
const SLOW_MS = 60_000

/**
 * Keeps what is on screen true for as long as somebody looks at it: one tab hears from the server that something has changed and
 * tells the others, and each asks again about what it shows. Without that tab the next one hears; without the server they ask by
 * themselves. @returns ends it
 */
export function keepLive(queryClient: QueryClient): () => void {
  const at: { mark: string | undefined } = { mark: undefined }
  const refresh = createRefresh(queryClient)
  const channel = new BroadcastChannel(NAME)
  let isBehind = false
  let stream: AbortController | undefined

  const hear = () => {
    isBehind = !isSeen()
    if (!isBehind) refresh()
  }
  const tell = () => {
    hear()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(at.mark)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<string | undefined>) => {
    at.mark = data ?? at.mark
    hear()
  })

  const judge = () => {
    if (isBehind) hear()
    const isWanted = isSeen() && onlineManager.isOnline() && hasLive(queryClient)
    if (isWanted === (stream !== undefined)) return
    stream?.abort()
    stream = isWanted ? new AbortController() : undefined
    if (stream !== undefined) alone(stream.signal, (stop) => followChanges(openStream, at, tell, stop))
  }
  const timer = setInterval(() => {
    if (stream !== undefined) refresh()
  }, SLOW_MS)
  const stops = [queryClient.getQueryCache().subscribe(judge), onlineManager.subscribe(judge)]
  document.addEventListener('visibilitychange', judge)
  judge()

  return () => {
    for (const stop of stops) stop()
    document.removeEventListener('visibilitychange', judge)
    clearInterval(timer)
    channel.close()
    stream?.abort()
  }
}

function openStream(mark: string | undefined, signal: AbortSignal) {
  return open(apiPath('changes'), { signal, ...(mark === undefined ? {} : { lastEventId: mark }) })
}

function isSeen() {
  return document.visibilityState === 'visible'
}

/** Acts while no other tab does. Without TLS a browser has no locks, and every tab acts for itself. */
function alone(stop: AbortSignal, act: (stop: AbortSignal) => Promise<void>) {
  const locks: LockManager | undefined = navigator.locks
  const acted = locks === undefined ? act(stop) : locks.request(NAME, { signal: stop }, () => act(stop))
  // It was not this tab's turn before it had no more use for it.
  acted.catch(() => undefined)
}
