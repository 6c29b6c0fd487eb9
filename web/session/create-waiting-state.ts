import { fetchPart } from '../app/reload-when-stale.ts'
import type { AuthOutcome, AuthState } from './auth-context.ts'
import { friendlyWords } from './credentials/friendly-message.ts'
import { isSessionAwaited } from './is-session-awaited.ts'

const kept = Promise.withResolvers<AuthState>()

/** Hands over to the loaded session code: pending calls continue with this state. */
export function endWaiting(state: AuthState) {
  kept.resolve(state)
}

/**
 * Loads the session code, a chunk with the auth client and the schemas. A signed-out user needs it only at
 * the first touch.
 */
export async function fetchSessionKeeper() {
  return (await import('./SessionKeeper.tsx')).SessionKeeper
}

/** The state until the session code is loaded: signed out. Calls wait for it and then run. */
export function createWaitingState(): AuthState {
  return {
    user: null,
    session: null,
    loading: isSessionAwaited(),
    isRateLimited: false,
    mfaRequired: false,
    leftByChoice: false,
    endReason: null,
    passwordReason: null,
    signIn: (...given) => whenKept(({ signIn }) => signIn(...given)),
    signUp: (...given) => whenKept(({ signUp }) => signUp(...given)),
    verifyMFA: (...given) => whenKept(({ verifyMFA }) => verifyMFA(...given)),
    // Only a signed-in user can call these.
    passwordChosen: () => undefined,
    signOut: async () => undefined,
  }
}

async function whenKept(ask: (state: AuthState) => Promise<AuthOutcome>): Promise<AuthOutcome> {
  try {
    await fetchPart(fetchSessionKeeper)
  } catch {
    return { result: 'refused', message: friendlyWords('network') }
  }
  return ask(await kept.promise)
}
