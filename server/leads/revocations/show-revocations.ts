import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type {
  OwnRevocation,
  Revocation,
  RevocationDetail,
  RevocationFilter,
} from '#core/contract/leads/revocation.ts'
import {
  listHolders,
  listOwnRevocations,
  listRevocations,
} from '#core/data/leads/revocations/list-revocations.ts'
import { cutPage } from '#core/data/page.ts'
import { countDaysToAct } from '#core/domain/leads/revocation-deadline.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import { readPage } from '../../http/read-page.ts'

interface Page<Row> {
  data: Row[]
  next_cursor: string | null
}
type PageQuery = Parameters<typeof readPage>[0]

/** A page of all revocations, for administrators. */
export async function showRevocations(
  { db, inSlices }: Pick<ServerContext, 'db' | 'inSlices'>,
  query: PageQuery & RevocationFilter,
): Promise<Page<Revocation>> {
  const page = readPage(query)
  const { rows, next_cursor } = cutPage(await listRevocations(db, query, page), page.limit)
  return { data: await describeAll(rows, inSlices), next_cursor }
}

/** One revocation with its holders and their receipts. @throws AppError not_found */
export async function showRevocation(
  { db }: Pick<ServerContext, 'db'>,
  id: string,
): Promise<RevocationDetail> {
  const [row] = await listRevocations(db, { id }, { limit: 1, after: undefined })
  if (row === undefined) throw new AppError('not_found', 'Revocation not found')
  return { ...describe(row), receipts: await listHolders(db, id) }
}

/** The revocations that the caller's account was told of: one row for each lead. */
export async function showOwnRevocations(
  { db, inSlices }: Pick<ServerContext, 'db' | 'inSlices'>,
  caller: Principal,
  query: PageQuery & { open?: boolean | undefined; revocation_id?: string | undefined },
): Promise<Page<OwnRevocation>> {
  const page = readPage(query)
  const { open = false, revocation_id } = query
  const filter = { isOpen: open, ...(revocation_id !== undefined && { revocation_id }) }
  const found = await listOwnRevocations(db, caller, filter, page)
  const { rows, next_cursor } = cutPage(found, page.limit)
  return { data: await describeAll(rows, inSlices), next_cursor }
}

/** The revocation of one lead that the caller's account was told of; undefined if there is none. */
export async function findOwnRevocation(
  { db }: Pick<ServerContext, 'db'>,
  caller: Parameters<typeof listOwnRevocations>[1],
  leadId: string,
): Promise<OwnRevocation | undefined> {
  const [row] = await listOwnRevocations(db, caller, { lead_id: leadId }, { limit: 1, after: undefined })
  return row && describe(row)
}

/** Counting business days costs a fraction of a millisecond for each row. */
async function describeAll<Row extends Described>(rows: readonly Row[], inSlices: ServerContext['inSlices']) {
  return await Promise.all(rows.map((row) => inSlices(() => describe(row))))
}

interface Described {
  position: string
  due_on: string | null
}

function describe<Row extends Described>(row: Row) {
  const { position: _position, ...told } = row
  const left = row.due_on === null ? null : countDaysToAct(row.due_on, new Date(), ADMINISTRATION_ZONE)
  return { ...told, business_days_left: left }
}
