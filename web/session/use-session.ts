import type { AuthChangeEvent, Session } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { renewAntiForgeryToken } from './security/anti-forgery.ts'
import { forgetSession, trackSession } from './security/concurrent-sessions.ts'
import { forgetActivity, hasRested, markActivity, markRested } from './security/last-activity.ts'
import { reportSecurityEvent } from './security/report-event.ts'
import { endSessionRecord, startSessionRecord } from './security/session-record.ts'
import { idleFor, INACTIVITY_LIMIT_MS } from './security/use-inactivity.ts'
import { toast } from '../ui/overlay/toast.ts'
import { authClient } from './auth-client.ts'
import type { PasswordReason } from './auth-context.ts'
import { isSessionAwaited } from './is-session-awaited.ts'
import { landing } from './landed.ts'
import { markLandingSaid } from './landing.ts'
import { changePasswordReason, readPasswordReason } from './credentials/password-reason.ts'
import { readToken } from './read-token.ts'
import { changeSeenSession, readSeenSession } from './seen-session.ts'

/** Message of docs/product.md §4. */
export const INACTIVE = 'Session expired due to inactivity'
/** Shown if another tab, another device, a new password or an administrator has ended the session. */
const ENDED = 'Your session has ended. Sign in to go on where you were.'

/** The session that all tabs share, and the actions at its start and end. */
export function useSession() {
  const queryClient = useQueryClient()
  const [session, setSession] = useState<Session | null>(null)
  const [loading, setLoading] = useState(isSessionAwaited)
  const [leftByChoice, setLeftByChoice] = useState(false)
  const [endReason, setEndReason] = useState<string | null>(null)
  const [passwordReason, setPasswordReason] = useState(readPasswordReason)
  const known = useRef<Session | null>(null)
  const asked = useRef(false)

  const take = useCallback(
    (event: AuthChangeEvent, next: Session | null) => {
      const before = known.current
      known.current = next
      // Another tab may have signed in another user.
      if (before !== null && before.user.id !== next?.user.id) queryClient.clear()
      if (next !== null) {
        begin(next)
        setLeftByChoice(false)
        setEndReason(null)
        // Set before PASSWORD_RECOVERY comes, because a screen would open in between. That event also reaches
        // other tabs, which are not concerned.
        const reason = readLandedReason(next)
        if (reason !== null && !asked.current) {
          asked.current = true
          setPasswordReason(changePasswordReason(reason))
        }
      } else if (event === 'SIGNED_OUT') {
        const how = end(before)
        if (how === 'inactivity') setEndReason(INACTIVE)
        else if (how === null && before !== null) setEndReason(ENDED)
        setPasswordReason(changePasswordReason(null))
      }
      setSession(next)
      setLoading(false)
    },
    [queryClient],
  )

  useEffect(() => {
    // This also hears other tabs: auth-js broadcasts every change, so a sign-out in one tab signs out all.
    const { data } = authClient.onAuthStateChange(take)
    return () => data.subscription.unsubscribe()
  }, [take])

  /** Signs out from any screen and shows the result (docs/product.md §8). */
  const signOut = useCallback(async () => {
    setLeftByChoice(true)
    changeEnding('choice')
    const { error } = await authClient.signOut()
    changeEnding(null)
    if (error === null) toast.success('Signed out successfully')
    else {
      setLeftByChoice(false)
      toast.error('Error signing out')
    }
  }, [])

  const expire = useCallback(async () => {
    changeEnding('inactivity')
    markRested()
    // The scope `local` removes the session before it asks the service, so a failure cannot keep it.
    await authClient.signOut({ scope: 'local' })
    changeEnding(null)
  }, [])

  const passwordChosen = useCallback(() => setPasswordReason(changePasswordReason(null)), [])

  return {
    session,
    loading,
    leftByChoice,
    endReason,
    passwordReason,
    passwordChosen,
    signOut,
    expire,
  }
}

/** Returns the kind of link, recovery or invitation, if it brought this very session. */
function readLandedReason({ access_token: token }: Session): PasswordReason | null {
  if (landing.token !== token) return null
  return landing.type === 'recovery' || landing.type === 'invite' ? landing.type : null
}

type Ending = 'choice' | 'inactivity'
/** The way in which this tab is about to end the session; null if it ends by itself or in another tab. */
let ending: Ending | null = null
function changeEnding(next: Ending | null) {
  ending = next
}

/** Runs at every event with a session; only a session that is new to this browser begins. */
function begin(session: Session) {
  const { id: userId } = session.user
  const { session_id: sessionId } = readToken(session.access_token)
  const now = Date.now()
  startSessionRecord(userId, sessionId, now)
  if (readSeenSession() === sessionId) return
  markLandingSaid()
  changeSeenSession(sessionId)
  markActivity(now)
  trackSession(userId, sessionId, now)
  reportSecurityEvent('login_success', {}, session.access_token)
}

/** Ends the session's records (docs/product.md §4, signed out). Only the first tab reports the end. */
function end(before: Session | null): Ending | null {
  const rested = ending !== 'choice' && (hasRested() || idleFor(Date.now()) >= INACTIVITY_LIMIT_MS)
  const isFirst = readSeenSession() !== null
  changeSeenSession(null)
  if (rested) sessionStorage.clear()
  endSessionRecord()
  renewAntiForgeryToken()
  if (before !== null) forgetSession(before.user.id, readToken(before.access_token).session_id)
  if (isFirst && before !== null) {
    const token = before.access_token
    if (rested) reportSecurityEvent('force_logout', { reason: INACTIVE }, token)
    else reportSecurityEvent(ending === 'choice' ? 'logout' : 'session_timeout', {}, token)
  }
  // After inactivity this is kept, because other tabs may still need the reason.
  if (!rested) forgetActivity()
  return rested ? 'inactivity' : ending
}
