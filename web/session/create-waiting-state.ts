import { fetchPart } from '../app/reload-when-stale.ts'
import type { AuthOutcome, AuthState } from './auth-context.ts'
import { friendlyWords } from './credentials/friendly-message.ts'
import { isSessionAwaited } from './is-session-awaited.ts'

const kept = Promise.withResolvers<AuthState>()

/** Says that the session is kept from now on, and by what. */
export function endWaiting(state: AuthState) {
  kept.resolve(state)
}

/** In a chunk of its own, with the client of the service and the schemas: who is signed out needs them at the first touch. */
export async function fetchSessionKeeper() {
  return (await import('./SessionKeeper.tsx')).SessionKeeper
}

/** Until the session is kept nobody is signed in; what is asked meanwhile is done as soon as it is. */
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
    // Only who has a session is asked for these.
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
