import { deleteDeliveries, deleteWebhooks, retireWebhooks } from '#core/data/webhooks/delete-webhooks.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { lockWebhookConfigs } from '#core/data/webhooks/webhook-configs.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { oneRow, type ChosenRows } from '../../http/chosen-rows.ts'

type Caller = Pick<Principal, 'user_id'>

/** Deletes one configuration like {@link removeWebhookConfigs}. @throws AppError not_found */
export async function removeWebhookConfig(
  context: Pick<ServerContext, 'db'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const gone = await removeWebhookConfigs(context, caller, oneRow(id))
  if (gone.length === 0) throw new AppError('not_found', 'Webhook not found')
}

/**
 * Deletes all these configurations and what still waits for them, or none. First they are switched off together. Then
 * their deliveries are deleted in steps, some ten seconds for a million, while other clients' leads are planned. Last
 * the configurations are deleted together. If this server ends midway, all of them are switched off, with less waiting
 * for them, and can be deleted again.
 * @returns the ids of those that are gone
 */
export async function removeWebhookConfigs(
  { db }: Pick<ServerContext, 'db'>,
  { user_id: owner }: Caller,
  chosen: ChosenRows,
): Promise<string[]> {
  const ids = await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const locked = await lockWebhookConfigs(trx, owner, chosen.ids)
      const meant = await chosen.confirm(
        trx,
        locked.map(({ id }) => id),
      )
      await retireWebhooks(trx, owner, meant)
      return meant
    }),
  )
  return await repeatOnConflict(async () => {
    for (const id of ids) await deleteDeliveries(db, owner, id)
    return await db.transaction().execute((trx) => deleteWebhooks(trx, owner, ids))
  })
}
