import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import type { LeadListing } from '../lead-filters.ts'
import { refreshLists } from '../keep-lists.ts'
import { leadsFile, markRead } from '../lead-queries.ts'
import { errorSentence } from '../../api/errors.ts'
import { meQuery } from '../../api/me.ts'
import { ExportButton } from '../../components/exports/ExportButton.tsx'
import { Button } from '../../ui/action/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'

const MOST_AT_ONCE = 100

export interface ListActionsProps {
  filters: LeadListing
  /** undefined until the leads are loaded */
  leads: readonly LeadSummary[] | undefined
}

/** Actions on the whole list: export it, and mark the leads in view as read. */
export function ListActions({ filters, leads }: ListActionsProps) {
  const queryClient = useQueryClient()
  const unread = leads?.filter((lead) => lead.unread).map(({ id }) => id) ?? []
  const fail = (error: unknown) => toast.error(errorSentence(error))
  const mark = useMutation({
    mutationFn: () => markRead(unread.slice(0, MOST_AT_ONCE)),
    onError: fail,
    onSettled: async () => {
      await refreshLists(queryClient, unread.slice(0, MOST_AT_ONCE), { unread: false })
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
  return (
    <span className="flex flex-wrap gap-2">
      {/* Always rendered, because a button that comes and goes with unread leads would move the page. */}
      <Button
        icon={<CheckCheck aria-hidden className="size-4" />}
        busy={mark.isPending}
        disabled={unread.length === 0}
        onClick={() => mark.mutate()}
      >
        Mark as read
      </Button>
      <ExportButton
        kind="leads"
        filters={{ ...filters }}
        path={leadsFile(filters)}
        name="leads.csv"
        label="Export CSV"
        size="md"
        disabled={leads === undefined || leads.length === 0}
      />
    </span>
  )
}
