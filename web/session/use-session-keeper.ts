import { useEffect, useState } from 'react'
import { fetchPart, isReloading } from '../app/reload-when-stale.ts'
import { ScreenLoadError } from '../app/screen-load-error.ts'
import { fetchSessionKeeper } from './create-waiting-state.ts'
import { isSessionAwaited, SESSION_KEY } from './is-session-awaited.ts'
import { listenForTouch } from './listen-for-touch.ts'

type SessionKeeper = Awaited<ReturnType<typeof fetchSessionKeeper>>

/**
 * Loads the session code: at once if a session is awaited, otherwise at the first touch. Null until it is
 * loaded.
 */
export function useSessionKeeper(): SessionKeeper | null {
  const [isWanted, setWanted] = useState(isSessionAwaited)
  const [keeper, setKeeper] = useState<SessionKeeper | null>(null)
  const [failure, setFailure] = useState<ScreenLoadError | null>(null)

  useEffect(() => {
    if (!isWanted) return listenForPeople(() => setWanted(true))
    // fetchPart keeps a form that is already in use, with its typed text.
    const fetching = isSessionAwaited() ? fetchSessionKeeper() : fetchPart(fetchSessionKeeper)
    fetching.then(
      (fetched) => setKeeper(() => fetched),
      (cause: unknown) => {
        if (isReloading()) return
        if (isSessionAwaited()) setFailure(new ScreenLoadError('SessionKeeper', cause))
        // The form reports the failure when it is sent; the next touch tries again.
        else setWanted(false)
      },
    )
    return undefined
  }, [isWanted])

  if (failure !== null) throw failure
  return keeper
}

/** A sign-in in another tab counts as a touch too. */
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
