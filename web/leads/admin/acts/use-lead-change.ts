import { useQueryClient } from '@tanstack/react-query'
import { useChange } from '#web/components/admin/use-change.ts'

/** Like useChange, and reads the lead itself again: its status, timeline and deliveries change too. */
export function useLeadChange<Wish, Answer>(
  send: (wish: Wish) => Promise<Answer>,
  { done, onDone }: { done: (answer: Answer) => string; onDone: () => void },
) {
  const queryClient = useQueryClient()
  return useChange(send, {
    done,
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: ['leads'] })
      onDone()
    },
  })
}
