import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DISPOSITIONS } from '#core/contract/leads/lead.ts'
import { changeLead, leadQuery } from './one-lead-queries.ts'
import { refreshLists } from './keep-lists.ts'
import { errorSentence } from '../api/errors.ts'
import { words } from '../format/words.ts'
import { Select } from '../ui/form/Select.tsx'
import { toast } from '../ui/overlay/toast.ts'

export interface DispositionSelectProps {
  leadId: string
  disposition: string
  /** Accessible name, if no field around it has a label. */
  label?: string
  className?: string
}

type Disposition = (typeof DISPOSITIONS)[number]

const KNOWN = DISPOSITIONS.map((value) => ({ value: value as string, label: words(value) }))

/** Selects a lead's disposition. The choice is shown at once and undone if it cannot be saved. */
export function DispositionSelect({ leadId, disposition, label, className }: DispositionSelectProps) {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState<Disposition | null>(null)
  const shown = pending ?? disposition
  const change = async (chosen: Disposition): Promise<void> => {
    setPending(chosen)
    // A list has hundreds of these, so one that nobody touches subscribes to nothing.
    const saving = queryClient.getMutationCache().build(queryClient, {
      mutationFn: () => changeLead(leadId, { disposition: chosen }),
    })
    try {
      const lead = await saving.execute(undefined)
      queryClient.setQueryData(leadQuery(leadId).queryKey, lead)
      await refreshLists(queryClient, [leadId], { disposition: lead.disposition })
    } catch (error) {
      toast.error(errorSentence(error))
    } finally {
      setPending((now) => (now === chosen ? null : now))
    }
  }
  return (
    <Select
      asks
      {...(label === undefined ? {} : { 'aria-label': label })}
      value={shown}
      onValueChange={(next) => {
        const chosen = DISPOSITIONS.find((one) => one === next)
        if (chosen !== undefined && chosen !== shown) void change(chosen)
      }}
      options={
        KNOWN.some(({ value }) => value === shown) ? KNOWN : [...KNOWN, { value: shown, label: words(shown) }]
      }
      {...(className === undefined ? {} : { className })}
    />
  )
}
