import { letHoldersRest, lockHoldersToLookAt, noteReceipts } from '#core/data/leads/revocations/receipts.ts'
import { mailHolders } from '#core/use-cases/revocations/mail-holders.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Few, because the end of a delivery waits for the lock on its holder. */
const AT_ONCE = 200

/**
 * Notes which webhooks have answered a revocation with a 2xx, and mails the clients that no webhook answers for. It reads
 * only holders of which something may have changed. Any number of workers may run it: rows that another one holds are
 * passed over.
 */
export async function noteRevocationReceipts({ db }: Pick<WorkerContext, 'db'>): Promise<void> {
  for (let looked = AT_ONCE; looked === AT_ONCE;)
    looked = await db.transaction().execute(async (trx) => {
      const holders = await lockHoldersToLookAt(trx, AT_ONCE)
      if (holders.length === 0) return 0
      await noteReceipts(trx, holders)
      await mailHolders(trx, { holders })
      await letHoldersRest(trx, holders)
      return holders.length
    })
}
