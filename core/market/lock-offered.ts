import type { Db } from '#core/data/database.ts'
import { findPersons, lockOfferedLeads, type PersonToFind } from '#core/data/market/sale/offered-leads.ts'
import type { OfferedLead, SaleWindows } from '#core/domain/market/choice/decide-leads.ts'
import { hashContact, type ContactKind } from '#core/secrets/suppression-hash.ts'

/** Of these leads those that the market may still sell, locked, oldest first, with what is known of the persons. */
export async function lockOffered(
  trx: Db,
  leadIds: readonly string[],
  types: readonly string[],
  { suppressionKey: key, windows }: { suppressionKey: Buffer; windows: SaleWindows },
): Promise<OfferedLead[]> {
  const leads = await lockOfferedLeads(trx, leadIds, types)
  if (leads.length === 0) return []
  const hash = (kind: ContactKind, contact: string | null): string | null =>
    contact === null ? null : hashContact(key, kind, contact).toString('hex')
  const asked = leads.map(({ id, lead_type, phone, email }): PersonToFind => {
    const address = email === null ? null : email.toLowerCase()
    const hashes = { phone_hash: hash('phone', phone), email_hash: hash('email', address) }
    return { id, lead_type, phone, email: address, ...hashes }
  })
  const days = Math.max(windows.duplicateDays, windows.resaleDays)
  const known = new Map((await findPersons(trx, asked, days)).map((person) => [person.id, person]))
  return leads
    .toSorted((a, b) => (a.came < b.came ? -1 : a.came > b.came ? 1 : 0))
    .map(({ came: _came, ...lead }) => {
      const { is_suppressed = false, sales = null } = known.get(lead.id) ?? {}
      return {
        ...lead,
        is_suppressed,
        sales: (sales ?? []).map((sale) => ({ ...sale, at: new Date(sale.at) })),
      }
    })
}
