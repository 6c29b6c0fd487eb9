import { findClientAccount } from '#core/data/market/client-accounts.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'

export function clientNotFound(): AppError {
  return new AppError('not_found', 'Client not found')
}

/** @throws AppError not_found for an id that is no client's */
export async function requireClient({ db }: Pick<ServerContext, 'db'>, id: string): Promise<void> {
  if ((await findClientAccount(db, id)) === undefined) throw clientNotFound()
}
