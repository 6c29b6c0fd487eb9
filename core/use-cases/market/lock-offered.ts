import type { Db } from '#core/data/database.ts'
import {
  findSuppressed,
  lockOfferedLeads,
  type LeadRow,
  type Offers,
  type SuppressedLead,
} from '#core/data/market/sale/offered-leads.ts'
import type { OfferedLead, SaleWindows } from '#core/domain/market/choice/decide-leads.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import { hashContact, type ContactKind } from '#core/secrets/suppression-hash.ts'

/** Offered leads; `over` holds the ids of those whose hold has ended, which are not for sale any more. */
export interface LockedOffers {
  leads: OfferedLead[]
  over: string[]
}

/**
 * Locks and returns those of these leads that the market may still sell, with the sales of the same persons: new leads
 * as they came, then unsold ones, newest first. {@link findSuppressedLeads} reads the suppression list.
 */
export async function lockOffered(
  trx: Db,
  offers: Offers,
  { windows, holdHours }: { windows: SaleWindows; holdHours: number },
): Promise<LockedOffers> {
  const { duplicateDays, resaleDays } = windows
  const days = Math.max(duplicateDays, resaleDays)
  const rows = await lockOfferedLeads(trx, offers, { days, hadDays: resaleDays, holdHours })
  const leads = rows
    .filter(({ is_over: isOver }) => !isOver)
    .toSorted(compareOffered)
    .map(({ came: _came, is_over: _isOver, is_new: _isNew, sales, ...lead }) => ({
      ...lead,
      is_suppressed: false,
      kept_from: [],
      sales: (sales ?? []).map((sale) => ({ ...sale, at: new Date(sale.at) })),
    }))
  return { leads, over: rows.flatMap(({ id, is_over: isOver }) => (isOver ? id : [])) }
}

function compareOffered(a: LeadRow, b: LeadRow): number {
  if (a.is_new !== b.is_new) return a.is_new ? -1 : 1
  const later = a.came < b.came ? -1 : a.came > b.came ? 1 : 0
  return a.is_new ? later : -later
}

/**
 * @returns by their ids, the leads of which a phone or the e-mail address is suppressed, for everybody or for some
 * clients
 */
export async function findSuppressedLeads(
  trx: Db,
  leads: readonly OfferedLead[],
  keys: PurposeKeys,
): Promise<Map<string, SuppressedLead>> {
  const hashes = (kind: ContactKind, contact: string | null): string[] =>
    contact === null ? [] : hashContact(keys, kind, contact).map((hash) => `\\x${hash.toString('hex')}`)
  const asked = leads.map(({ id, phone, alt_phone, email }) => ({
    id,
    phones: [...hashes('phone', phone), ...hashes('phone', alt_phone)],
    emails: hashes('email', email && email.toLowerCase()),
  }))
  return new Map((await findSuppressed(trx, asked)).map((found) => [found.id, found]))
}
