import { authoriseAgain } from '../identity/authorise.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { IdentityContext } from '../identity/identity-context.ts'

/**
 * Pieces of a file, for as long as its reader may ask for it. A reader may be slow, and its session or role
 * may end meanwhile. The same holds for a sender of pieces.
 * @param everyMs milliseconds for which one look at the reader is enough
 * @throws AppError if the reader lost the right; the file is then broken off
 */
export async function* whileAllowed<Piece>(
  context: IdentityContext,
  caller: Principal,
  pieces: AsyncIterable<Piece>,
  everyMs = 0,
): AsyncGenerator<Piece> {
  let isFirst = true
  let lookedAt = performance.now()
  for await (const piece of pieces) {
    // For the first piece the caller was just authorised.
    if (!isFirst && performance.now() - lookedAt >= everyMs) {
      await authoriseAgain(context, caller)
      lookedAt = performance.now()
    }
    isFirst = false
    yield piece
  }
}
