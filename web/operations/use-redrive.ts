import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RedriveResult } from '#core/contract/operations/dead-letter.ts'
import { countRedrive, OPERATIONS_KEY, redrive, type RedriveChoice } from './operation-queries.ts'
import { errorSentence } from '../api/errors.ts'
import { countOf } from '../format/count-of.ts'
import { toast } from '../ui/overlay/toast.ts'

/**
 * Counts first, then asks; `asked` is the selection in question. The idempotency key belongs to the question,
 * not to a press of the button.
 */
export function useRedrive(onSent: () => void) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<{ choice: RedriveChoice; counted: RedriveResult; key: string }>()
  const count = useMutation({
    mutationFn: countRedrive,
    onSuccess: (counted, choice) => setAsked({ choice, counted, key: crypto.randomUUID() }),
    onError: (error) => toast.error(errorSentence(error)),
  })
  const send = useMutation({
    mutationFn: ({ choice, note, key }: { choice: RedriveChoice; note: string; key: string }) =>
      redrive(choice, note, key),
    onSuccess: ({ count: sent }) => {
      setAsked(undefined)
      onSent()
      toast.success(`${countOf(sent, 'delivery')} ${sent === 1 ? 'is' : 'are'} sent again`)
    },
    onError: (error) => toast.error(errorSentence(error)),
    // One chunk may have been sent before another failed.
    onSettled: () => queryClient.invalidateQueries({ queryKey: OPERATIONS_KEY }),
  })
  return {
    asked,
    ask: (choice: RedriveChoice) => count.mutate(choice),
    isCounting: count.isPending,
    confirm: (note: string) => {
      if (asked !== undefined) send.mutate({ ...asked, note })
    },
    isSending: send.isPending,
    cancel: () => setAsked(undefined),
  }
}
