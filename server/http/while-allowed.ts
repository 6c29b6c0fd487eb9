import { authoriseAgain } from '../identity/authorise.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { IdentityContext } from '../identity/identity-context.ts'

/**
 * Pieces of a file, for as long as its reader may ask for it. A reader may be slow, and its session or role
 * may end meanwhile.
 * @throws AppError if the reader lost the right; the file is then broken off
 */
export async function* whileAllowed(
  context: IdentityContext,
  caller: Principal,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const piece of pieces) {
    // For the first piece the caller was just authorised.
    if (!isFirst) await authoriseAgain(context, caller)
    isFirst = false
    yield piece
  }
}
