import { letHoldersRest, lockHoldersToLookAt, noteReceipts } from '#core/data/leads/revocations/receipts.ts'
import { mailHolders } from '#core/use-cases/revocations/mail-holders.ts'
import type { WorkerContext } from '#worker/context.ts'

const AT_ONCE = 200

/**
 * Notes which webhooks have answered a revocation with a 2xx, and mails the clients that no webhook answers for. It reads
 * only holders of which something may have changed. Any number of workers may run it: rows that another one holds are
 * passed over.
 */
export async function noteRevocationReceipts({ db }: Pick<WorkerContext, 'db'>): Promise<void> {
  for (let looked = AT_ONCE; looked === AT_ONCE;) {
    const holders = await db.transaction().execute(async (trx) => {
      const locked = await lockHoldersToLookAt(trx, AT_ONCE)
      await noteReceipts(trx, locked)
      await letHoldersRest(trx, locked)
      return locked
    })
    // Hundreds of mails take longer, and the end of a delivery waits for the lock on its holder. If this one never
    // commits, holders without a mail are looked at again.
    if (holders.length > 0) await db.transaction().execute((trx) => mailHolders(trx, { holders }))
    looked = holders.length
  }
}
