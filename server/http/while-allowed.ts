import { authoriseAgain } from '../identity/authorise.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { IdentityContext } from '../identity/identity-context.ts'

/**
 * Pieces of a file, for as long as its reader may ask for it: he takes them as slowly as he likes, and his session or his role may end
 * meanwhile.
 * @throws AppError where he may not; the file is then broken off
 */
export async function* whileAllowed(
  context: IdentityContext,
  caller: Principal,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const piece of pieces) {
    // Of the first it is known.
    if (!isFirst) await authoriseAgain(context, caller)
    isFirst = false
    yield piece
  }
}
