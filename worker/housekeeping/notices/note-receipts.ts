import { noteReceipts } from '#core/data/leads/revocations/receipts.ts'
import { mailHolders } from '#core/use-cases/revocations/mail-holders.ts'
import type { WorkerContext } from '#worker/context.ts'

const AT_ONCE = 500

/**
 * Notes which webhooks have answered a revocation with a 2xx, and mails the clients that no webhook answers for. Any number
 * of workers may run it: rows that another one holds are passed over.
 */
export async function noteRevocationReceipts({ db }: Pick<WorkerContext, 'db'>): Promise<void> {
  for (let noted = AT_ONCE; noted === AT_ONCE;) noted = await noteReceipts(db, AT_ONCE)
  await db.transaction().execute((trx) => mailHolders(trx, { most: AT_ONCE }))
}
