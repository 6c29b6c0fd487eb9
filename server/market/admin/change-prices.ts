import type {
  LeadPrice,
  LeadType,
  LeadTypeChange,
  NewLeadPrice,
  NewLeadType,
} from '#core/contract/market/lead-price.ts'
import { isClient, listLeadPrices, putLeadPrice, removeLeadPrice } from '#core/data/market/lead-prices.ts'
import { changeLeadType, insertLeadType, listLeadTypes, lockLeadType } from '#core/data/market/lead-types.ts'
import { offerLeadsAgain } from '#core/data/market/sale/offer-again.ts'
import type { Db } from '#core/data/database.ts'
import { stateCode } from '#core/domain/leads/us-states.ts'
import { refuseUnsold } from '#core/domain/market/orders/check-order.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { auditChange, type By } from '../audit-change.ts'
import { refuseField, refusePrice } from './refuse-price.ts'

/** @throws AppError conflict, validation_failed */
export async function createLeadType(
  context: ServerContext,
  by: By,
  { note, ...type }: NewLeadType,
): Promise<LeadType> {
  refusePrice(type.price, type.floor_price)
  return await change(context, type.code, async (trx) => {
    if (!(await insertLeadType(trx, type)))
      throw new AppError('conflict', 'There is a lead type of this code.')
    await auditChange(trx, by, { action: 'lead_type_created', details: { after: type, note } })
  })
}

/**
 * The new price is for leads that are sold from now on; sold leads keep theirs.
 * @throws AppError not_found, validation_failed
 */
export async function changeLeadTypeByAdmin(
  context: ServerContext,
  by: By,
  { code, note, ...wished }: LeadTypeChange,
): Promise<LeadType> {
  return await change(context, code, async (trx) => {
    const before = await lockLeadType(trx, code)
    if (before === undefined) throw new AppError('not_found', 'Lead type not found')
    const after = { ...before, ...given(wished) }
    refusePrice(after.price, after.floor_price, wished.price === undefined ? 'floor_price' : 'price')
    const changed = (['label', 'price', 'floor_price', 'late_credit'] as const).filter(
      (field) => before[field] !== after[field],
    )
    if (changed.length === 0) return
    await changeLeadType(trx, code, after)
    await offerLeadsAgain(trx, code)
    const pick = (values: typeof before) => Object.fromEntries(changed.map((field) => [field, values[field]]))
    const details = { lead_type: code, before: pick(before), after: pick(after), note }
    await auditChange(trx, by, { action: 'lead_type_changed', details })
  })
}

/** Sets the price of leads for a state, for a client, or for both. @throws AppError validation_failed */
export async function setLeadPrice(context: ServerContext, by: By, wished: NewLeadPrice): Promise<LeadPrice> {
  const { lead_type, client_user_id: client = null, price, note } = wished
  const state = wished.state === undefined || wished.state === null ? null : requireState(wished.state)
  const id = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const type = await lockLeadType(trx, lead_type)
      if (type === undefined) throw refuseField('lead_type', 'No such lead type')
      if (client !== null && !(await isClient(trx, client)))
        throw refuseField('client_user_id', 'No client has this id')
      refusePrice(price, type.floor_price)
      const put = await putLeadPrice(trx, { lead_type, state, client_user_id: client }, price)
      if (put.before === price) return put.id
      await offerLeadsAgain(trx, lead_type)
      const before = put.before === null ? null : { price: put.before }
      const details = { lead_price_id: put.id, lead_type, state, before, after: { price }, note }
      await auditChange(trx, by, { action: 'lead_price_set', ...(client !== null && { client }), details })
      return put.id
    }),
  )
  const [row] = await listLeadPrices(context.db, { id }, { limit: 1, after: undefined })
  if (row === undefined) throw new AppError('not_found', 'Price not found')
  const { position: _position, ...shown } = row
  return shown
}

/**
 * Withdraws a price: the next more general price, or that of the type, applies again.
 * @throws AppError not_found
 */
export async function withdrawLeadPrice(
  context: ServerContext,
  by: By,
  id: string,
  note: string | null,
): Promise<void> {
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const removed = await removeLeadPrice(trx, id)
      if (removed === undefined) throw new AppError('not_found', 'Price not found')
      const { lead_type, state, client_user_id: client, price } = removed
      await offerLeadsAgain(trx, lead_type)
      const details = { lead_price_id: id, lead_type, state, before: { price }, note }
      await auditChange(trx, by, {
        action: 'lead_price_removed',
        ...(client !== null && { client }),
        details,
      })
    }),
  )
}

async function change(
  context: ServerContext,
  code: string,
  work: (trx: Db) => Promise<void>,
): Promise<LeadType> {
  await repeatOnConflict(() => context.db.transaction().execute(work))
  const [type] = await listLeadTypes(context.db, code)
  if (type === undefined) throw new AppError('not_found', 'Lead type not found')
  return type
}

function requireState(text: string): string {
  const code = stateCode(text)
  if (code === undefined) throw refuseField('state', 'State must be a US state or territory code')
  const unsold = refuseUnsold(code)
  if (unsold !== undefined) throw refuseField('state', unsold)
  return code
}

/** Leaves undefined members out. */
function given({ label, price, floor_price, late_credit }: Omit<LeadTypeChange, 'code' | 'note'>) {
  return {
    ...(label !== undefined && { label }),
    ...(price !== undefined && { price }),
    ...(floor_price !== undefined && { floor_price }),
    ...(late_credit !== undefined && { late_credit }),
  }
}
