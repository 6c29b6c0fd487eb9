import type { ExportKind } from '#core/contract/exports/export.ts'
import type { Db } from '#core/data/database.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'

/**
 * Puts the mail about a ready export in the outbox, in the transaction that finishes it. The account's choices of mails
 * hold; an administrator has none, and always gets it.
 */
export async function tellExport(
  trx: Db,
  { account_id, asked_by, isAdmin }: { account_id: string; asked_by: string; isAdmin: boolean },
  data: { export_id: string; kind: ExportKind; rows: number; expires_at: string },
): Promise<void> {
  const notice = { template: 'export_ready', data } as const
  if (isAdmin) await queueMails(trx, [{ ...notice, recipient_user_id: asked_by, notice_key: data.export_id }])
  else await tellClient(trx, account_id, notice, data.export_id, new Date(), asked_by)
}
