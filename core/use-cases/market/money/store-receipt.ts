import type { Kysely } from 'kysely'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import { findFile } from '#core/data/files/stored-files.ts'
import { findReceipt, noteReceiptStored, type ReceiptFacts } from '#core/data/market/payments/receipts.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { formatReceiptNumber } from '#core/domain/market/payments/receipt-words.ts'
import { writeReceipt } from './write-receipt.ts'

const BUCKET = 'receipts'

/**
 * Stores the receipt of a received payment as a file that the client reads and nobody changes. A receipt that is stored
 * stays as it is. The receipt of an erased account is not stored, because it would name the person.
 * @param which.client undefined for any client's payment
 * @returns undefined for a payment without a receipt, another client's, and that of an erased account
 */
export async function storeReceipt(
  { db, files }: { db: Kysely<Database>; files: FileStore },
  which: { id: string; client?: string | undefined },
): Promise<StoredFile | undefined> {
  const facts = await findReceipt(db, which)
  if (facts === undefined) return undefined
  if (facts.is_erased) {
    await noteReceiptStored(db, facts.payment_id)
    return undefined
  }
  const name = nameOf(facts)
  const known = await findFile(db, { bucket: BUCKET, name })
  if (known !== undefined) return known
  // Receipts are rare, so a process that stores none does not load what stores files.
  const { storeFile } = await import('#core/use-cases/files/store-file.ts')
  return await storeFile(
    { db, files },
    {
      bucket: BUCKET,
      account_id: facts.client_user_id,
      name,
      content_type: 'text/html; charset=utf-8',
      bytes: bytesOf(writeReceipt(facts)),
      upsert: true,
      alongside: (trx) => noteReceiptStored(trx, facts.payment_id),
    },
  )
}

function nameOf({ client_user_id, receipt_number }: ReceiptFacts): string {
  return `${client_user_id}/receipt-${formatReceiptNumber(receipt_number)}.html`
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}
