import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

/**
 * A change of the market: every list is read again after it, also where it failed, because then somebody may have been faster.
 * @param done what the toast says, or nothing where the screen shows it
 */
export function useChange<Wish, Answer>(
  send: (wish: Wish) => Promise<Answer>,
  { done, onDone }: { done?: (answer: Answer) => string; onDone: (answer: Answer) => void },
) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      if (done !== undefined) toast.success(done(answer))
      onDone(answer)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ADMIN_LISTS_KEY }),
  })
  const { error } = change
  return {
    send: change.mutate,
    isBusy: change.isPending,
    reset: change.reset,
    isConflict: error instanceof ApiError && error.code === 'version_conflict',
    /** What the server said of one field. */
    faultOf: (path: string) =>
      error instanceof ApiError && error.code === 'validation_failed'
        ? error.errors.find((fault) => fault.path === path)?.message
        : undefined,
    /** What it said of none. */
    failure:
      error === null || (error instanceof ApiError && error.errors.length > 0)
        ? undefined
        : errorSentence(error),
  }
}
