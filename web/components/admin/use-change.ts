import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

/**
 * Sends a change and then refetches the lists that it may show in. It also does so after a failure, because
 * somebody else may have been faster.
 * @param done text of the toast; none if the screen shows the result itself
 * @param lists prefix of the lists' query keys; every list of administrators unless given
 */
export function useChange<Wish, Answer>(
  send: (wish: Wish) => Promise<Answer>,
  {
    done,
    onDone,
    lists = ADMIN_LISTS_KEY,
  }: { done?: (answer: Answer) => string; onDone: (answer: Answer) => void; lists?: readonly string[] },
) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      if (done !== undefined) toast.success(done(answer))
      onDone(answer)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: lists }),
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
