import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { decodePieces } from '../../http/decode-pieces.ts'

/**
 * The stored receipt of a payment. One that no worker has stored so far is stored now.
 * @param client whose payment it must be; undefined for an administrator
 * @throws AppError not_found for a payment without a receipt, and another client's
 */
export async function readReceipt(
  { db, files }: Pick<ServerContext, 'db' | 'files'>,
  client: string | undefined,
  id: string,
): Promise<{ name: string; pieces: AsyncIterable<string> }> {
  const { storeReceipt } = await import('#core/use-cases/market/money/store-receipt.ts')
  const file = await storeReceipt({ db, files }, { id, client })
  if (file === undefined) throw new AppError('not_found', 'There is no receipt of this payment.')
  const pieces = decodePieces(await files.read(file.sha256))
  return { name: file.name.slice(file.name.lastIndexOf('/') + 1), pieces }
}
