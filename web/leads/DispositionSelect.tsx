import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DISPOSITIONS } from '#core/contract/leads/lead.ts'
import { changeLead, leadQuery } from './lead-queries.ts'
import { refreshLists } from './keep-lists.ts'
import { errorSentence } from '../api/errors.ts'
import { words } from '../format/words.ts'
import { Select } from '../ui/form/Select.tsx'
import { toast } from '../ui/overlay/toast.ts'

export interface DispositionSelectProps {
  leadId: string
  disposition: string
  /** Says whose it is, where no field around it has a label. */
  label?: string
  className?: string
}

/** Where a client stands with a lead; what is chosen is shown at once, and taken back where it could not be saved. */
export function DispositionSelect({ leadId, disposition, label, className }: DispositionSelectProps) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (chosen: (typeof DISPOSITIONS)[number]) => changeLead(leadId, { disposition: chosen }),
    onSuccess: async (lead) => {
      queryClient.setQueryData(leadQuery(leadId).queryKey, lead)
      await refreshLists(queryClient, [leadId], { disposition: lead.disposition })
    },
    onError: (error) => toast.error(errorSentence(error)),
  })
  const shown = change.isPending ? change.variables : disposition
  const known = DISPOSITIONS.map((value) => ({ value: value as string, label: words(value) }))
  return (
    <Select
      {...(label === undefined ? {} : { 'aria-label': label })}
      value={shown}
      onValueChange={(next) => {
        const chosen = DISPOSITIONS.find((one) => one === next)
        if (chosen !== undefined && chosen !== shown) change.mutate(chosen)
      }}
      options={
        known.some(({ value }) => value === shown) ? known : [...known, { value: shown, label: words(shown) }]
      }
      {...(className === undefined ? {} : { className })}
    />
  )
}
