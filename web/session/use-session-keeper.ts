import { useEffect, useState } from 'react'
import { fetchPart, isReloading } from '../app/reload-when-stale.ts'
import { ScreenLoadError } from '../app/screen-load-error.ts'
import { fetchSessionKeeper } from './create-waiting-state.ts'
import { isSessionAwaited, SESSION_KEY } from './is-session-awaited.ts'
import { listenForTouch } from './listen-for-touch.ts'

type SessionKeeper = Awaited<ReturnType<typeof fetchSessionKeeper>>

/** What keeps the session; null until it is fetched: at once where a session is awaited, else at the first touch of the page. */
export function useSessionKeeper(): SessionKeeper | null {
  const [isWanted, setWanted] = useState(isSessionAwaited)
  const [keeper, setKeeper] = useState<SessionKeeper | null>(null)
  const [failure, setFailure] = useState<ScreenLoadError | null>(null)

  useEffect(() => {
    if (!isWanted) return listenForPeople(() => setWanted(true))
    // A form that waits for nobody is left as it is, with what is typed there.
    const fetching = isSessionAwaited() ? fetchSessionKeeper() : fetchPart(fetchSessionKeeper)
    fetching.then(
      (fetched) => setKeeper(() => fetched),
      (cause: unknown) => {
        if (isReloading()) return
        if (isSessionAwaited()) setFailure(new ScreenLoadError('SessionKeeper', cause))
        // The form that was touched says it when it is sent; the next touch fetches it again.
        else setWanted(false)
      },
    )
    return undefined
  }, [isWanted])

  if (failure !== null) throw failure
  return keeper
}

/** Another tab that signs in is a touch, too. */
function listenForPeople(found: () => void): () => void {
  const signedIn = ({ key }: StorageEvent) => {
    if (key === SESSION_KEY && isSessionAwaited()) found()
  }
  const stop = listenForTouch(found)
  window.addEventListener('storage', signedIn)
  return () => {
    stop()
    window.removeEventListener('storage', signedIn)
  }
}
