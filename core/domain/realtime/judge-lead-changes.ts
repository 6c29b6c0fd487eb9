/** An event of a lead. */
export interface LeadEvent {
  lead_id: string
  type: string | null
  /** the client of the event; null if it belongs to none */
  account_id: string | null
  /** the person who had the lead before it was given to another */
  member_user_id: string | null
  written_at: string
}

/** A lead as an account sees it after the events. */
export interface LeadView {
  lead_id: string
  account_id: string
  member_user_id: string | null
  /** the account owns the lead, whoever holds it */
  is_owner: boolean
}

/** A client that lost a lead, and the person who had it there. */
export interface LeadLoss {
  lead_id: string
  account_id: string
  member_user_id: string | null
}

/** A message about a lead to an account, or to one person of it. */
export interface LeadChange {
  lead_id: string
  account_id: string
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  at: string
  /** tells only this person, who had the lead until now; undefined tells everybody who may see it */
  only?: string
}

/**
 * Decides what each account is told of the leads of these events. Several events of a lead become one change. A client
 * that sees the lead for the first time gets INSERT, one that sees it no longer gets DELETE. A person gets DELETE for a
 * lead that was given to another, or that the account lost.
 * @param events in their order
 */
export function judgeLeadChanges(
  events: readonly LeadEvent[],
  views: readonly LeadView[],
  losses: readonly LeadLoss[],
): LeadChange[] {
  const changes: LeadChange[] = []
  for (const [lead_id, own] of groupByLead(events)) {
    const at = own.at(-1)?.written_at ?? ''
    const seen = views.filter((view) => view.lead_id === lead_id)
    const lost = losses.filter((loss) => loss.lead_id === lead_id)
    for (const view of seen) {
      const type = isNewTo(view, own, lost) ? 'INSERT' : 'UPDATE'
      changes.push({ lead_id, account_id: view.account_id, at, type })
    }
    const had = [...own, ...lost].flatMap(({ account_id }) => (account_id === null ? [] : [account_id]))
    for (const account_id of new Set(had))
      if (!seen.some((view) => view.account_id === account_id))
        changes.push({ lead_id, account_id, at, type: 'DELETE' })
    // If the account lost the lead earlier, its persons were told then.
    for (const account_id of new Set(own.map((event) => event.account_id))) {
      const now = seen.find((view) => view.account_id === account_id)?.member_user_id
      for (const only of listFormer([...own, ...lost], account_id))
        if (account_id !== null && only !== now)
          changes.push({ lead_id, account_id, at, type: 'DELETE', only })
    }
  }
  return changes
}

/** The persons of the account who had the lead before. */
function listFormer(changed: readonly (LeadEvent | LeadLoss)[], account: string | null): Set<string> {
  const persons = changed.map((one) => (one.account_id === account ? one.member_user_id : null))
  return new Set(persons.filter((person) => person !== null))
}

/**
 * An owner saw the lead since it was stored; a buyer sees it since it was assigned. A buyer who lost it as often as it was
 * assigned had it before: it moved between two orders of the account.
 */
function isNewTo(
  { account_id, is_owner }: LeadView,
  events: readonly LeadEvent[],
  losses: readonly LeadLoss[],
): boolean {
  const begins = is_owner ? 'lead.created' : 'lead.assigned'
  const begun = events.filter((event) => event.type === begins && event.account_id === account_id).length
  const ended = is_owner ? 0 : losses.filter((loss) => loss.account_id === account_id).length
  return begun > ended
}

function groupByLead(events: readonly LeadEvent[]): Map<string, LeadEvent[]> {
  const groups = new Map<string, LeadEvent[]>()
  for (const event of events) {
    const group = groups.get(event.lead_id) ?? []
    group.push(event)
    groups.set(event.lead_id, group)
  }
  return groups
}
