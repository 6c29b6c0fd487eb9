import { AppError } from '#core/errors.ts'
import { findViewedClient } from './data/principals.ts'
import type { Principal } from './find-live-session.ts'
import type { IdentityContext } from './identity-context.ts'
import { isUuid } from './is-uuid.ts'

/** The header by which an administrator asks for a client's screens. */
export const VIEW_AS = 'X-View-As'

/** Reads what the header asks for, and whether the call may be looked at so. */
export interface ViewWish {
  client: string
  isViewable: boolean
}

/**
 * The client whose screens an administrator sees: with the client's rows and rights, and never for a change.
 * @param administrator let in as an administrator just now
 * @throws AppError forbidden for every call that is not one of a client's screens; not_found
 */
export async function viewAs(
  { db }: Pick<IdentityContext, 'db'>,
  administrator: Principal,
  { client, isViewable }: ViewWish,
): Promise<Principal> {
  if (!isViewable) {
    throw new AppError(
      'forbidden',
      'Nothing can be changed while you see a client’s screens. Stop viewing first.',
    )
  }
  const found = isUuid(client) ? await findViewedClient(db, client) : undefined
  if (found === undefined) throw new AppError('not_found', 'Client not found')
  return {
    ...administrator,
    user_id: client,
    account_id: client,
    member_role: 'owner',
    email: found.email,
    role: 'client',
    admin_role: null,
    viewed_by: administrator.person_id,
  }
}
