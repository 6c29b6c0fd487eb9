import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

/**
 * Sends a change of the market and then refetches every list. It also does so after a failure, because
 * another administrator may have been faster.
 * @param done text of the toast; none if the screen shows the result itself
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
    /** Returns the server's error for one field. */
    faultOf: (path: string) =>
      error instanceof ApiError && error.code === 'validation_failed'
        ? error.errors.find((fault) => fault.path === path)?.message
        : undefined,
    /** The server's error that concerns no field. */
    failure:
      error === null || (error instanceof ApiError && error.errors.length > 0)
        ? undefined
        : errorSentence(error),
  }
}
