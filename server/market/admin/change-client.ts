import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import {
  activateAccount,
  findClient,
  listWantedTypes,
  lockClient,
  setProfileStatus,
} from '#core/data/market/admin-clients.ts'
import { listLeadPrices } from '#core/data/market/lead-prices.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { offerLeadsAgain } from '#core/data/market/sale/offer-again.ts'
import type { Db } from '#core/data/database.ts'
import { NAMED_AFTER_FAILURES } from '#core/domain/webhooks/endpoint-status.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { auditChange, type By } from '../audit-change.ts'
import { describeAdminOrders } from './describe-admin-orders.ts'
import { describeClient } from './describe-client.ts'
import { clientNotFound } from './require-client.ts'

/** The number of a client's orders and prices shown with the client; the rest are in their lists. */
const SHOWN = 100

/** One client with all its details. @throws AppError not_found */
export async function showClient({ db }: Pick<ServerContext, 'db'>, id: string): Promise<AdminClientDetail> {
  const client = await findClient(db, id, NAMED_AFTER_FAILURES)
  if (client === undefined) throw clientNotFound()
  const page = { limit: SHOWN, after: undefined }
  const prices = await listLeadPrices(db, { client: id }, page)
  const { phone, timezone, npn, licensed_states, low_balance_threshold } = client
  const { auto_recharge_enabled, webhooks_active } = client
  return {
    ...describeClient(client),
    phone,
    timezone,
    npn,
    licensed_states,
    low_balance_threshold,
    auto_recharge_enabled,
    webhooks_active,
    order_list: (await describeAdminOrders(db, { client: id }, page)).map(
      ({ position: _position, ...order }) => order,
    ),
    prices: prices.map(({ position: _position, ...price }) => price),
  }
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockClient>>>

/**
 * Lets a client buy, and offers waiting leads again. A repeat is harmless.
 * @throws AppError not_found, conflict
 */
export async function approveClient(context: ServerContext, by: By, id: string, note: string | null) {
  return await changeClient(context, id, async (trx, { account, state }) => {
    if (account === 'active') return
    if (account === 'closed') throw new AppError('conflict', 'This account is closed.')
    await activateAccount(trx, id)
    await offerAgain(trx, id)
    await tellClient(trx, id, { template: 'account_approved', data: {} }, 'approved')
    const details = { before: { status: account }, after: { status: 'active' }, state, note }
    await auditChange(trx, by, { action: 'client_approved', client: id, details })
  })
}

/**
 * Suspends a client: its sessions are refused from the next request on, it is sold nothing, and its orders
 * and its balance stay.
 * @throws AppError not_found, conflict
 */
export async function suspendClient(context: ServerContext, by: By, id: string, reason: string) {
  return await changeClient(context, id, async (trx, { account, state }) => {
    if (state === 'suspended') return
    await setProfileStatus(trx, id, 'suspended')
    const details = { before: { status: account }, after: { status: 'suspended' }, note: reason }
    await auditChange(trx, by, { action: 'client_suspended', client: id, details })
  })
}

/** Ends a suspension: the account is as it was before. @throws AppError not_found, conflict */
export async function resumeClient(context: ServerContext, by: By, id: string, note: string | null) {
  return await changeClient(context, id, async (trx, { account, state }) => {
    if (state !== 'suspended') return
    await setProfileStatus(trx, id, 'active')
    if (account === 'active') await offerAgain(trx, id)
    const details = { before: { status: 'suspended' }, after: { status: account }, note }
    await auditChange(trx, by, { action: 'client_resumed', client: id, details })
  })
}

/** Changes a locked client, and shows it. @throws AppError not_found, conflict for an erased account */
export async function changeClient(
  context: Pick<ServerContext, 'db'>,
  id: string,
  work: (trx: Db, client: Locked) => Promise<void>,
): Promise<AdminClientDetail> {
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const client = await lockClient(trx, id)
      if (client === undefined) throw clientNotFound()
      if (client.state === 'erased') throw new AppError('conflict', 'This account was erased.')
      await work(trx, client)
    }),
  )
  return await showClient(context, id)
}

async function offerAgain(trx: Db, id: string): Promise<void> {
  for (const type of await listWantedTypes(trx, id)) await offerLeadsAgain(trx, type)
}
