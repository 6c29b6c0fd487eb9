import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { apiPath } from './api-path.ts'
import { followChanges } from './change-stream.ts'
import { open } from './client.ts'
import { createRefresh, hasLive, opensStream } from './live-queries.ts'
import { meQuery } from './me.ts'

/**
 * Name of the lock and the channel by which tabs share one stream: over HTTP/1.1 a browser has six
 * connections for all of them.
 */
const NAME = 'leadwire.changes'
/**
 * Refreshes what changes with the clock alone (for example the hours of a past day) and what no stream
 * reports.
 */
const SLOW_MS = 60_000

/**
 * Keeps the screen up to date while somebody looks at it. One tab listens to the stream of changes and tells
 * the others; each tab then asks again about what it shows. If that tab closes, the next one listens; if the
 * server is away, the tabs poll.
 * @returns a function that stops it
 */
export function keepLive(queryClient: QueryClient): () => void {
  const at: { mark: string | undefined } = { mark: undefined }
  const refresh = createRefresh(queryClient)
  // A person's own counts are left out: asking for them each minute would look like the person's activity.
  const refreshSlowly = createRefresh(queryClient, opensStream)
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
    const isWanted =
      isSeen() && onlineManager.isOnline() && (showsCounts(queryClient) || hasLive(queryClient))
    if (isWanted === (stream !== undefined)) return
    stream?.abort()
    stream = isWanted ? new AbortController() : undefined
    if (stream !== undefined) alone(stream.signal, (stop) => followChanges(openStream, at, tell, stop))
  }
  const timer = setInterval(() => {
    if (stream !== undefined) refreshSlowly()
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

/** True if the sidebar has the count of unread leads, or the balance: for everybody in an account of a client. */
function showsCounts(queryClient: QueryClient) {
  const me = queryClient.getQueryData(meQuery.queryKey)
  return me?.role === 'client' && me.permissions.includes('figures')
}

function isSeen() {
  return document.visibilityState === 'visible'
}

/** Runs `act` while no other tab runs it. Without TLS a browser has no locks, so every tab runs it. */
function alone(stop: AbortSignal, act: (stop: AbortSignal) => Promise<void>) {
  const locks: LockManager | undefined = navigator.locks
  const acted = locks === undefined ? act(stop) : locks.request(NAME, { signal: stop }, () => act(stop))
  // The tab was stopped before it got the lock.
  acted.catch(() => undefined)
}
