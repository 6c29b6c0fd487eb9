import clsx from 'clsx'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { isMeantApart } from '#web/hooks/open-apart.ts'
import { OFFLINE_REASON } from '#web/ui/action/use-offline-reason.ts'
import { DoNotContact } from './DoNotContact.tsx'

export interface LeadSearchResultsProps {
  id: string
  leads: readonly LeadSummary[]
  /** Index of the row that the arrow keys point at; -1 for none. */
  active: number
  searching: boolean
  /** True if the search was not sent because the browser is offline. */
  offline: boolean
  /** True if the search got no answer. The list then says nothing about leads (docs/product.md §2). */
  failed: boolean
  /** @param isApart true for a new tab (Ctrl or the middle button) */
  onChoose: (leadId: string, isApart: boolean) => void
}

export function LeadSearchResults(props: LeadSearchResultsProps) {
  const { id, leads, active, searching, offline, failed, onChoose } = props
  return (
    <div className="absolute inset-x-2 top-full z-50 mt-1 sm:inset-x-0 rounded-lg bg-raised p-1 shadow-float">
      <div id={`${id}-list`} role="listbox" aria-label="Leads found">
        {leads.map((lead, index) => (
          <div
            key={lead.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The box keeps the focus, as in a combobox; the arrow keys reach the rows.
            tabIndex={-1}
            onClick={(event) => onChoose(lead.id, isMeantApart(event))}
            onAuxClick={(event) => {
              if (event.button === 1) onChoose(lead.id, true)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') onChoose(lead.id, isMeantApart(event))
            }}
            className={clsx('rounded-md px-3 py-1.5 hover:bg-hover', index === active && 'bg-hover')}
          >
            <p className="flex flex-wrap items-center gap-x-2 text-sm font-medium">
              <span className="max-w-full truncate">{lead.name ?? 'Unknown'}</span>
              <DoNotContact lead={lead} />
            </p>
            <p className="truncate text-xs text-muted">{lead.email ?? 'No email'}</p>
          </div>
        ))}
      </div>
      {leads.length === 0 && (searching || offline || !failed) && (
        <p role="status" className="px-3 py-2 text-sm text-muted">
          {offline ? OFFLINE_REASON : searching ? 'Searching…' : 'No leads found'}
        </p>
      )}
    </div>
  )
}
